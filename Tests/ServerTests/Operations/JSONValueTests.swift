// The reader of operators' messages against another reader, over seeded garbage: no bytes trap it, and everything it
// accepts is JSON.
import Foundation
import Server
import Testing

@Suite struct JSONValueTests {
  private func read(_ bytes: [UInt8]) -> JSONValue? {
    bytes.withUnsafeBytes { bytes in
      do throws(JSONFault) { return try JSONValue(bytes) } catch { return nil }
    }
  }

  private func read(_ text: String) -> JSONValue? { read(Array(text.utf8)) }

  @Test("Values of every kind are read as they are meant")
  func values() {
    #expect(read(" null ") == .null)
    #expect(read("[true,false]") == .array([.boolean(true), .boolean(false)]))
    #expect(read("-0") == .integer(0))
    #expect(read("999999999999999999") == .integer(999_999_999_999_999_999))
    #expect(read("1000000000000000000") == .otherNumber)
    #expect(read("1.5e-3") == .otherNumber)
    #expect(read("\"\\u00e9\\ud83d\\ude00\\n\\/\"") == .string("é😀\n/"))
    #expect(read("{\"\":{},\"마당\":[]}") == .object(["": .object([:]), "마당": .array([])]))
  }

  @Test("What is not JSON, is nested too deep or names a member twice is refused")
  func refusals() {
    let texts = [
      "", " ", "tru", "nul", "01", "-", "1.", ".5", "1e", "+1", "\"", "\"\\x\"", "\"\\u12\"", "\"\u{1}\"", "[1 2]",
      "[,]", "{,}",
      "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "1 2", "\"\\udc00\"", "\"\\ud800\\u0041\"", "{\"a\":1,\"a\":1}",
      "'a'",
    ]
    for text in texts { #expect(read(text) == nil, "\(text)") }
    #expect(read([UInt8(ascii: "\""), 0xFF, UInt8(ascii: "\"")]) == nil)
    let deepest = JSONValue.depthMax
    #expect(read(String(repeating: "[", count: deepest + 1) + String(repeating: "]", count: deepest + 1)) != nil)
    #expect(read(String(repeating: "[", count: deepest + 2) + String(repeating: "]", count: deepest + 2)) == nil)
    #expect(read(String(repeating: "[", count: 100_000)) == nil)
  }

  @Test("Seeded garbage ends as a value or a fault, and every value is one to another reader too")
  func garbage() {
    var random = Garbage(seed: 20_261_122)
    var taken = 0
    for _ in 0..<50_000 {
      let bytes = random.text()
      guard let value = read(bytes) else { continue }
      taken += 1
      // Numbers that no other reader can hold are numbers all the same.
      guard !value.hasOtherNumber else { continue }
      let other = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      #expect(other.map { value.means($0) } == true, "\(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(taken > 1_000, "some garbage is JSON")
  }
}

/// Texts that are nearly JSON.
private struct Garbage {
  private var state: UInt64
  private static let parts = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "d83d", "\\ud83d\\ude00", "\"a\"", "\"watch\":", "true", "null",
    "1", "-",
    "0", ".5", "e9", " ", "\n", "\u{0}", "é", "[]", "{}", "\"b\":2", "\"\"", "12345678901234567890",
  ].map { Array($0.utf8) }

  init(seed: UInt64) {
    state = seed
  }

  private mutating func next(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  mutating func text() -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<1 + next(below: 7) {
      bytes += next(below: 40) == 0 ? [UInt8(next(below: 256))] : Self.parts[next(below: Self.parts.count)]
    }
    switch next(below: 3) {
    case 0: return bytes
    case 1: return Array("[".utf8) + bytes + Array("]".utf8)
    default: return Array("{\"id\":".utf8) + bytes + Array("}".utf8)
    }
  }
}

extension JSONValue {
  fileprivate var hasOtherNumber: Bool {
    switch self {
    case .otherNumber: true
    case .array(let values): values.contains(where: \.hasOtherNumber)
    case .object(let members): members.values.contains(where: \.hasOtherNumber)
    case .null, .boolean, .integer, .string: false
    }
  }

  /// Whether the value equals another reader's.
  fileprivate func means(_ other: Any) -> Bool {
    switch self {
    case .null: return other is NSNull
    case .boolean(let value): return other as? Bool == value
    case .integer(let value): return (other as? NSNumber)?.int64Value == value
    case .otherNumber: return other is NSNumber
    case .string(let value): return other as? String == value
    case .array(let values):
      guard let others = other as? [Any], others.count == values.count else { return false }
      return zip(values, others).allSatisfy { $0.means($1) }
    case .object(let members):
      guard let others = other as? [String: Any], others.count == members.count else { return false }
      return members.allSatisfy { name, value in others[name].map { value.means($0) } ?? false }
    }
  }
}
