// Decompresses messages (RFC 7692 §7.2.2): raw DEFLATE, each message by itself. Owned by one shard, which uses it for
// one message after the other of any connection. It keeps only memory from one message to the next. The input comes
// from a stranger, and its size says nothing of the output's: memory follows the output, up to a bound.
import CZlib

/// A decompressor whose every message stands alone.
package final class Inflater {
  /// The memory that is kept; the rest is freed when the next message comes.
  private static let keptBytesMax = 65_536
  private static let firstBytes = 4_096
  /// The largest window, which reads data of any smaller one.
  private static let windowBits: Int32 = 15
  /// zlib counts in 32 bits.
  private static let zlibBytesMax = 1 << 31

  /// Allocated once, because zlib keeps this very address.
  private let stream: UnsafeMutablePointer<z_stream>
  private var output = UnsafeMutableRawBufferPointer.allocate(byteCount: Inflater.firstBytes, alignment: 8)

  package init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let code = inflateInit2_(stream, -Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(code == Z_OK, "zlib accepts these settings unless memory runs out")
  }

  /// The memory held for messages, beside zlib's own.
  package var outputBytes: Int { output.count }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    output.deallocate()
  }

  /// The decompressed message, valid until the next call.
  ///
  /// It has at most `bytesMax` bytes. A longer one is refused with `messageTooLong` as soon as it gets longer, before
  /// the rest is read, and no more memory is ever taken. Data that is no DEFLATE, or does not end where a message may,
  /// is refused with `invalidCompression`.
  package func inflate(
    _ compressed: UnsafeRawBufferPointer,
    bytesMax: Int
  ) throws(WebSocketError) -> UnsafeRawBufferPointer {
    precondition(bytesMax >= 0, "a length is not negative")
    guard compressed.count <= Self.zlibBytesMax else { throw .messageTooLong }
    if output.count > Self.keptBytesMax { resizeOutput(to: Self.firstBytes, keeping: 0) }
    inflateReset(stream)
    stream.pointee.next_in = UnsafeMutablePointer(mutating: compressed.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(compressed.count)
    let count = try run(bytesMax: min(bytesMax, Self.zlibBytesMax))
    // The sender leaves off the last four bytes of an empty stored block, 00 00 FF FF, and the receiver puts them back.
    // They only end that block, so its beginning is enough: any other end is broken.
    guard inflateSyncPoint(stream) == 1 else { throw .invalidCompression }
    return UnsafeRawBufferPointer(rebasing: output[..<count])
  }

  /// Writes the decompressed input to `output` and returns its length.
  private func run(bytesMax: Int) throws(WebSocketError) -> Int {
    var count = 0
    repeat {
      // One byte beyond the limit tells a message that is too long from one of exactly the limit.
      let end = min(output.count, bytesMax + 1)
      stream.pointee.next_out = output.baseAddress?.advanced(by: count).assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(end - count)
      let code = CZlib.inflate(stream, Z_SYNC_FLUSH)
      count = end - Int(stream.pointee.avail_out)
      guard count <= bytesMax else { throw .messageTooLong }
      switch code {
      // No progress: either the input or the output is exhausted.
      case Z_OK, Z_BUF_ERROR: break
      // A block marked as last does not end the message (RFC 7692 §7.2.3.4): others may begin behind it.
      case Z_STREAM_END: inflateReset(stream)
      case Z_MEM_ERROR: preconditionFailure("no memory for a window")
      default: throw .invalidCompression
      }
      if count == output.count { resizeOutput(to: min(2 * count, bytesMax + 1), keeping: count) }
    } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
    return count
  }

  private func resizeOutput(to size: Int, keeping count: Int) {
    let resized = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
    resized.copyMemory(from: UnsafeRawBufferPointer(rebasing: output[..<count]))
    output.deallocate()
    output = resized
  }
}
