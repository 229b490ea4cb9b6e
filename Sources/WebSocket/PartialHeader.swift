// The bytes of a frame header whose end has not arrived. A value inside the decoder, 14 bytes and a count; empty
// whenever headers come whole, which is nearly always.

struct PartialHeader: Sendable {
  /// As many as the longest header has: two, eight of length, four of mask.
  private var bytes = InlineArray<14, UInt8>(repeating: 0)
  private var count = 0

  var isEmpty: Bool { count == 0 }

  /// Takes a header from `input` at `offset`, together with what is kept from before, and moves `offset` behind it.
  /// Nil when the header is still not whole: then all of `input` is consumed.
  mutating func take(
    from input: UnsafeRawBufferPointer,
    offset: inout Int,
    role: Role,
    takesCompressed: Bool
  ) throws(WebSocketError) -> FrameHeader? {
    if count == 0 {
      let rest = UnsafeRawBufferPointer(rebasing: input[offset...])
      if let whole = try FrameHeader.parse(rest, role: role, takesCompressed: takesCompressed) {
        offset += whole.byteCount
        return whole.header
      }
    }
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
      // No header is longer than what is kept, so the input has ended.
      offset += count - keptCount
      return nil
    }
    // What was kept was no whole header: this one ends in the input. What lies behind it there is taken anew.
    offset += found.byteCount - keptCount
    count = 0
    return found.header
  }
}
