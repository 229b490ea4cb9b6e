// The bytes of an unfinished frame header. A value inside the decoder, 14 bytes and a count; empty when headers come
// whole, which is nearly always.

struct PartialHeader: Sendable {
  /// The length of the longest header: two bytes, eight of length, four of mask.
  private var bytes = InlineArray<14, UInt8>(repeating: 0)
  private var count = 0

  var isEmpty: Bool { count == 0 }

  /// Takes a header that does not lie whole in `input`, from the kept bytes and `input` from `offset` on, and moves
  /// `offset` behind it. Nil when the header is still incomplete; all of `input` is then consumed.
  mutating func take(
    from input: UnsafeRawBufferPointer,
    offset: inout Int,
    role: Role,
    takesCompressed: Bool
  ) throws(WebSocketError) -> FrameHeader? {
    let keptCount = count
    for byte in input[offset...].prefix(bytes.count - keptCount) {
      bytes[count] = byte
      count += 1
    }
    let found = try withUnsafeBytes(of: bytes) { (all) throws(WebSocketError) in
      let kept = UnsafeRawBufferPointer(rebasing: all[..<count])
      return try FrameHeader.parse(kept, role: role, takesCompressed: takesCompressed)
    }
    guard let found else {
      // No header is longer than this buffer, so the input has ended.
      offset += count - keptCount
      return nil
    }
    // The kept bytes were no whole header, so this one ends in the input. The bytes behind it are taken by the next
    // call.
    offset += found.byteCount - keptCount
    count = 0
    return found.header
  }
}
