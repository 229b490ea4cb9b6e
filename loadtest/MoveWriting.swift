// Writes the message of a position, which bots send thousands of times a second: the bytes that swift-protobuf writes.
//
// Decisions: 170 (docs/decisions).
import MadangProtocol

extension WireMove {
  /// The binary `ClientMessage` of this move, without an id.
  package var binaryMessage: [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(32)
    if hasLatE7 { body.append(fixed: latE7, tag: Tag.latE7) }
    if hasLngE7 { body.append(fixed: lngE7, tag: Tag.lngE7) }
    if hasAccuracyM { body.append(varint: UInt64(accuracyM), tag: Tag.accuracyM) }
    if hasTimeMs { body.append(varint: UInt64(bitPattern: timeMs), tag: Tag.timeMs) }
    if mocked { body.append(varint: 1, tag: Tag.mocked) }
    // A body of five fields is shorter than 128 bytes, so its length is one byte.
    return [Tag.move, UInt8(body.count)] + body
  }

  /// Fields of `ClientMessage` and `Move` in madang.proto: eight times a field's number, and its type.
  private enum Tag {
    static let move: UInt8 = 10 * 8 + 2
    static let latE7: UInt8 = 1 * 8 + 5
    static let lngE7: UInt8 = 2 * 8 + 5
    static let accuracyM: UInt8 = 3 * 8
    static let timeMs: UInt8 = 4 * 8
    static let mocked: UInt8 = 5 * 8
  }
}

extension [UInt8] {
  fileprivate mutating func append(fixed value: Int32, tag: UInt8) {
    append(tag)
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  fileprivate mutating func append(varint value: UInt64, tag: UInt8) {
    append(tag)
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}
