// JSON objects that are written member by member, in the order of the calls. Values; pure.
//
// Numbers of 64 bits are texts, as in players' messages.

struct EventJSON {
  private var bytes: [UInt8] = [UInt8(ascii: "{")]

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
    bytes += object.object
  }

  mutating func add(_ name: String, _ objects: [EventJSON]) {
    begin(name)
    bytes.append(UInt8(ascii: "["))
    for (index, object) in objects.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += object.object
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func begin(_ name: String) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
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
