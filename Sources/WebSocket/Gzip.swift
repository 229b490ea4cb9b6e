// A whole body compressed for browsers (RFC 1952): for files that are compressed once and sent often.
// A pure function. Equal input gives equal output: zlib writes no time into the header.
import CZlib

package enum Gzip {
  /// 15 bits of window, with a gzip header instead of zlib's own.
  private static let windowBits: Int32 = 15 + 16
  private static let memoryLevel: Int32 = 8

  /// The compressed bytes; nil when they would not be fewer.
  package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    precondition(bytes.count <= 1 << 30, "zlib counts in 32 bits")
    var stream = z_stream()
    let code = deflateInit2_(
      &stream,
      Z_BEST_COMPRESSION,
      Z_DEFLATED,
      windowBits,
      memoryLevel,
      Z_DEFAULT_STRATEGY,
      ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    precondition(code == Z_OK, "zlib accepts these settings unless memory runs out")
    defer { deflateEnd(&stream) }
    // A result that does not fit into this room would save nothing.
    let room = bytes.count
    var isWhole = false
    let output = [UInt8](unsafeUninitializedCapacity: room) { output, count in
      bytes.withUnsafeBufferPointer { input in
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(room)
        isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
        stream.next_in = nil
        stream.next_out = nil
      }
      count = isWhole ? room - Int(stream.avail_out) : 0
    }
    return isWhole && output.count < bytes.count ? output : nil
  }
}
