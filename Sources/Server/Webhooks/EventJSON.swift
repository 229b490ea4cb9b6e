// JSON objects that are written member by member, in the order of the calls. Values; pure.
//
// Numbers of 64 bits are texts, as in players' messages.
import Game

struct EventJSON {
  private var bytes: [UInt8] = [UInt8(ascii: "{")]
  /// The bytes of members that name players, as `WebhookEvent.parts` has them.
  private(set) var parts: [PlayerID: Range<Int>] = [:]

  /// The object.
  var object: [UInt8] { bytes + [UInt8(ascii: "}")] }

  mutating func add(_ name: String, _ text: String) {
    begin(name)
    append(text)
  }

  mutating func add(_ name: String, _ number: Int) {
    begin(name)
    bytes += "\(number)".utf8
  }

  mutating func add(_ name: String, _ number: Int64) {
    begin(name)
    append("\(number)")
  }

  mutating func add(_ name: String, _ flag: Bool) {
    begin(name)
    bytes += "\(flag)".utf8
  }

  mutating func add(_ name: String, _ object: EventJSON) {
    begin(name)
    append(object)
  }

  /// Adds the members that name a player, as one part.
  mutating func add(naming player: PlayerID, nickname: String) {
    separate()
    let first = bytes.count
    append("playerId")
    bytes.append(UInt8(ascii: ":"))
    append(player.description)
    add("nickname", nickname)
    parts[player] = first..<bytes.count
  }

  mutating func add(_ name: String, _ objects: [EventJSON]) {
    begin(name)
    bytes.append(UInt8(ascii: "["))
    for (index, object) in objects.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(object)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func append(_ object: EventJSON) {
    for (player, part) in object.parts {
      parts[player] = part.lowerBound + bytes.count..<part.upperBound + bytes.count
    }
    bytes += object.object
  }

  private mutating func separate() {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func begin(_ name: String) {
    separate()
    append(name)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func append(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
