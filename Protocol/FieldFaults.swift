// Finds the field for which the general decoder refuses a JSON message, or which the schema does not have, and says
// what the field takes.
//
// Pure; used where a message is refused, never for one that is good. It knows no schema of its own: it asks the general
// decoder, member by member, so it can't differ from it. The work has a bound in attempts and in bytes. A text repeats
// at most some characters of what came, and nothing but printable ASCII.
// Decisions: 150 (docs/decisions).
import SwiftProtobuf

struct FieldFaults {
  /// Whether a field that the schema does not have is a fault.
  let includesUnknown: Bool
  private var attemptsLeft = 120
  private var bytesLeft = 4 * Limits.longMessageBytesMax

  private static let depthMax = 5
  private static let nameMax = 40
  private static let valueMax = 24
  /// No enum of the schema has as many values.
  private static let enumMax: Int32 = 100

  init(includesUnknown: Bool) {
    self.includesUnknown = includesUnknown
  }

  /// The first faulty field and what it takes, such as `createRoom.mode: FOOTPRINT, TERRITORY or LAND, not "chess"`.
  ///
  /// - Parameter message: a whole message, prepared by `JSONText`.
  /// - Returns: nil when no single field is at fault, or the search has used up its bound.
  mutating func first(in message: UnsafeRawBufferPointer) -> String? {
    fault(inObject: message, at: Place())
  }

  /// A field in a message that has nothing else: the bytes around its value.
  private struct Place {
    var path = ""
    var prefix: [UInt8] = []
    var suffix: [UInt8] = []
    var depth = 0

    func member(_ key: UnsafeRawBufferPointer, _ name: String) -> Place {
      Place(
        path: path.isEmpty ? name : "\(path).\(name)",
        prefix: prefix + Array("{\"".utf8) + key + Array("\":".utf8),
        suffix: Array("}".utf8) + suffix,
        depth: depth + 1
      )
    }

    func element(_ index: Int) -> Place {
      Place(
        path: "\(path)[\(index)]",
        prefix: prefix + Array("[".utf8),
        suffix: Array("]".utf8) + suffix,
        depth: depth + 1
      )
    }
  }

  private mutating func fault(inObject object: UnsafeRawBufferPointer, at place: Place) -> String? {
    guard place.depth < Self.depthMax else { return nil }
    var cursor = JSONCursor(object)
    while attemptsLeft > 0, let (key, value) = cursor.nextMember() {
      guard let name = Self.shown(key, max: Self.nameMax) else { continue }
      if let found = fault(of: value, at: place.member(key, name)) { return found }
    }
    return nil
  }

  private mutating func fault(inList list: UnsafeRawBufferPointer, at place: Place) -> String? {
    guard place.depth < Self.depthMax else { return nil }
    var cursor = JSONCursor(list)
    var index = 0
    while attemptsLeft > 0, let value = cursor.nextElement() {
      if let found = fault(of: value, at: place.element(index)) { return found }
      index += 1
    }
    return nil
  }

  private mutating func fault(of value: UnsafeRawBufferPointer, at place: Place) -> String? {
    guard let error = error(of: Array(value), at: place) else { return nil }
    // Null is good for every field that there is.
    if case .unknownField = self.error(of: Array("null".utf8), at: place) {
      return includesUnknown ? "\(place.path): this server knows no such field" : nil
    }
    if let found = faultInside(value, at: place) { return found }
    // All of the unknown fields are inside, and are ignored.
    if case .unknownField = error { return nil }
    guard let kind = takes(at: place) else { return "\(place.path): \(DecodingFailure.text(of: error))" }
    let received = Self.shown(value, max: Self.valueMax).map { ", not \($0)" } ?? ""
    return "\(place.path): \(kind)\(received)"
  }

  private mutating func faultInside(_ value: UnsafeRawBufferPointer, at place: Place) -> String? {
    switch value.first {
    case UInt8(ascii: "{") where error(of: Array("{}".utf8), at: place) == nil: fault(inObject: value, at: place)
    case UInt8(ascii: "[") where error(of: Array("[]".utf8), at: place) == nil: fault(inList: value, at: place)
    default: nil
    }
  }

  /// The error of the general decoder for a message with this value alone; nil for a good one, and where the bound of
  /// the search is used up.
  private mutating func error(of value: [UInt8], at place: Place) -> JSONDecodingError? {
    let text = place.prefix + value + place.suffix
    guard attemptsLeft > 0, bytesLeft >= text.count else {
      attemptsLeft = 0
      return nil
    }
    attemptsLeft -= 1
    bytesLeft -= text.count
    do {
      _ = try WireClientMessage(jsonUTF8Bytes: text)
      return nil
    } catch {
      return error as? JSONDecodingError ?? .failure
    }
  }

  // The values that a field takes.

  /// The values that the field takes, in words; nil where the search is at its end.
  private mutating func takes(at place: Place) -> String? {
    guard attemptsLeft > 12 else { return nil }
    if isGood("[]", at: place) {
      let element = place.element(0)
      return takes(at: Place(path: place.path, prefix: element.prefix, suffix: element.suffix)).map { "a list: \($0)" }
    }
    if isGood("true", at: place) { return "true or false, without quotes" }
    if isGood("\"a\"", at: place) { return "a text in quotes" }
    if isGood("{}", at: place) { return "an object" }
    if case .unrecognizedEnumValue = error(of: Array("\"\"".utf8), at: place) { return words(at: place) }
    guard isGood("0", at: place) else { return nil }
    return number(at: place)
  }

  private mutating func isGood(_ value: String, at place: Place) -> Bool {
    error(of: Array(value.utf8), at: place) == nil
  }

  /// The words of an enum, but for the first: that is the one of an absent field.
  private func words(at place: Place) -> String? {
    var words: [Substring] = []
    for number in 1...Self.enumMax {
      let text = place.prefix + Array("\(number)".utf8) + place.suffix
      guard let message = try? WireClientMessage(jsonUTF8Bytes: text), let json = try? message.jsonString() else {
        break
      }
      // The value is the last thing in the message, before its brackets.
      let value = json.reversed().drop { "]}".contains($0) }.prefix { !":[".contains($0) }
      guard value.first == "\"" else { break }
      words.append(Substring(String(value.reversed()).dropFirst().dropLast()))
    }
    guard let last = words.popLast() else { return nil }
    return words.isEmpty ? "\(last)" : "\(words.joined(separator: ", ")) or \(last)"
  }

  private mutating func number(at place: Place) -> String {
    let unit = Self.unit(of: place.path)
    if isGood("0.5", at: place) { return "a number\(unit.isEmpty ? "" : " of\(unit)")" }
    let (isSigned, isLong) = (isGood("-1", at: place), isGood("4294967296", at: place))
    let range =
      switch (isSigned, isLong) {
      case (true, true): " from \(Int64.min) to \(Int64.max)"
      case (true, false): " from \(Int32.min) to \(Int32.max)"
      case (false, true): " from 0 to \(UInt64.max)"
      case (false, false): " from 0 to \(UInt32.max)"
      }
    return "whole\(unit.isEmpty ? " numbers" : unit)\(Self.rounding(of: place.path))\(range)"
  }

  private static func name(of path: String) -> Substring {
    (path.split(separator: ".").last ?? "").prefix { $0 != "[" }
  }

  /// How receivers' fractions become whole, where that is not the client's choice: a radius must not be too small.
  private static func rounding(of path: String) -> String {
    name(of: path) == "accuracyM" ? ", rounded up," : ""
  }

  /// The unit at the end of a field's name, with a space before it; empty without one.
  private static func unit(of path: String) -> String {
    let name = name(of: path)
    let units = [
      ("E7", " units of 1e-7 degree"), ("Ms", " milliseconds"), ("Hz", " ticks a second"), ("Percent", " per cent"),
      ("M", " metres"), ("S", " seconds"),
    ]
    return units.first { name.hasSuffix($0.0) }?.1 ?? ""
  }

  /// The bytes as text, where they are short and printable.
  private static func shown(_ bytes: UnsafeRawBufferPointer, max: Int) -> String? {
    guard bytes.count <= max, bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
