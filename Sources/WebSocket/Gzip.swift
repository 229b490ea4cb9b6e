// Whole bodies by gzip (RFC 1952): files for browsers that are compressed once and sent often, and files of others.
// Pure functions. Equal input gives equal output: zlib writes no time into the header.
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
  /// The bytes that were compressed into one member (RFC 1952), at most `bytesMax`; nil for bytes that are none, are
  /// damaged, or hold more.
  package static func decompress(_ bytes: [UInt8], bytesMax: Int) -> [UInt8]? {
    guard bytes.count <= 1 << 30, bytesMax <= 1 << 30 else { return nil }
    var stream = z_stream()
    let code = inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(code == Z_OK, "zlib accepts these settings unless memory runs out")
    defer { inflateEnd(&stream) }
    // One byte beyond the bound tells that there is more.
    var output = [UInt8](repeating: 0, count: min(max(4 * bytes.count, 1_024), bytesMax + 1))
    var (taken, count) = (0, 0)
    while true {
      let status = bytes.withUnsafeBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
          stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.advanced(by: taken))
          stream.avail_in = UInt32(input.count - taken)
          stream.next_out = output.baseAddress?.advanced(by: count)
          stream.avail_out = UInt32(output.count - count)
          let status = inflate(&stream, Z_NO_FLUSH)
          (taken, count) = (input.count - Int(stream.avail_in), output.count - Int(stream.avail_out))
          stream.next_in = nil
          stream.next_out = nil
          return status
        }
      }
      guard count <= bytesMax else { return nil }
      if status == Z_STREAM_END { return taken == bytes.count ? Array(output[..<count]) : nil }
      guard status == Z_OK, count == output.count else { return nil }
      output += [UInt8](repeating: 0, count: min(output.count, bytesMax + 1 - output.count))
    }
  }
}
