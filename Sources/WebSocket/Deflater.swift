// Compresses each message by itself (RFC 7692 §7.2.1): raw DEFLATE, flushed to a whole byte at each message's end.
// Owned by one shard, which uses it for one message after the other. It keeps only memory from one message to the next.
// Level 1 with a small table: a tick of 840 bytes of JSON becomes one of 404 in some 10 µs.
import CZlib

/// A compressor whose every message stands alone, so that a message for many receivers is compressed once.
package final class Deflater {
  private static let level: Int32 = 1
  /// zlib takes 2 to the power of `windowBits` + 2, and of this + 9, bytes: 39 KB with everything else at 12 bits.
  private static let memoryLevel: Int32 = 5
  /// The length of an empty stored block: a flush ends with it, and the receiver puts it back (RFC 7692 §7.2.2).
  private static let tailBytes = 4

  /// Allocated once, because zlib keeps this very address.
  private let stream: UnsafeMutablePointer<z_stream>

  /// A compressor with a window of two to the power of `windowBits`, 9 to 15: no more than the receiver keeps.
  package init(windowBits: Int) {
    precondition((9...15).contains(windowBits), "zlib has raw windows of 9 to 15 bits")
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let code = deflateInit2_(
      stream,
      Self.level,
      Z_DEFLATED,
      Int32(-windowBits),
      Self.memoryLevel,
      Z_DEFAULT_STRATEGY,
      ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    precondition(code == Z_OK, "zlib accepts these settings unless memory runs out")
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Appends one compressed message. False when it would not be shorter than `payload`; `output` is then unchanged.
  /// Allocates nothing when `output` has room for `payload` and four bytes more.
  package func compress(_ payload: UnsafeRawBufferPointer, appendingTo output: inout [UInt8]) -> Bool {
    precondition(payload.count <= 1 << 30, "zlib counts in 32 bits")
    deflateReset(stream)
    stream.pointee.next_in = UnsafeMutablePointer(mutating: payload.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(payload.count)
    let start = output.count
    // One byte must stay free: zlib signals by it that it has nothing more to write.
    let room = payload.count + Self.tailBytes
    output.append(contentsOf: repeatElement(0, count: room))
    output.withUnsafeMutableBufferPointer { bytes in
      stream.pointee.next_out = bytes.baseAddress?.advanced(by: start)
      stream.pointee.avail_out = UInt32(room)
      let code = deflate(stream, Z_SYNC_FLUSH)
      precondition(code == Z_OK, "deflate has input or a flush, and output space")
    }
    let unused = Int(stream.pointee.avail_out)
    guard unused > 0 else {
      output.removeLast(room)
      return false
    }
    output.removeLast(unused + Self.tailBytes)
    return true
  }
}
