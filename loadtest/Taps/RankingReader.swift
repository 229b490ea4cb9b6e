// The rankings for watchers: many get the very same bytes, which are decoded and checked once.
//
// Owned by one shard.
import MadangProtocol

final class RankingReader {
  /// A ranking that was sent to one or more watchers of the same kind.
  final class Reading {
    /// The ranking without its time, which differs each time.
    let ranking: WireRanking
    let timeMs: Int64
    /// The ranking's faults.
    let complaints: [String]
    /// A hash that is equal for all watchers of the same season and top.
    let head: Int
    fileprivate let bytes: [UInt8]

    fileprivate init(_ ranking: WireRanking, _ bytes: [UInt8], for audience: Audience) {
      self.bytes = bytes
      timeMs = ranking.timeMs
      var ranking = ranking
      ranking.timeMs = 0
      self.ranking = ranking
      complaints = RankingCheck.complaints(about: ranking, top: audience.top, school: audience.school)
      var hasher = Hasher()
      hasher.combine(audience.top)
      hasher.combine(ranking.season)
      for row in ranking.top {
        hasher.combine(row.schoolID)
        hasher.combine(row.count)
      }
      head = hasher.finalize()
    }
  }

  struct Audience: Hashable {
    let school: String?
    let top: Int
  }

  private let subprotocol: Subprotocol
  private var newest: [Audience: Reading] = [:]

  init(_ subprotocol: Subprotocol) {
    self.subprotocol = subprotocol
  }

  /// The ranking that was published to an audience with these bytes; nil for any other message, including an answer
  /// with one.
  func read(_ bytes: UnsafeRawBufferPointer, for audience: Audience) -> Reading? {
    if let reading = newest[audience], reading.bytes.elementsEqual(bytes) { return reading }
    guard let message = try? subprotocol.decodeServerMessage(bytes), !message.hasReplyTo,
      case .ranking(let ranking) = message.body
    else { return nil }
    let reading = Reading(ranking, [UInt8](bytes), for: audience)
    newest[audience] = reading
    return reading
  }

  /// The time of a published ranking, without decoding the rest; nil for any other message.
  func timeMs(of bytes: UnsafeRawBufferPointer) -> Int64? {
    switch subprotocol {
    case .json:
      guard bytes.starts(with: #"{"ranking":"#.utf8), let end = bytes.dropLast().lastIndex(of: UInt8(ascii: "\"")),
        let start = bytes[..<end].lastIndex(of: UInt8(ascii: "\""))
      else { return nil }
      return Int64(String(decoding: bytes[(start + 1)..<end], as: UTF8.self))
    case .proto:
      var fields = BinaryFields(bytes)
      guard let (number, body) = fields.next(), number == 21, let body else { return nil }
      var rows = BinaryFields(body)
      var time: Int64?
      while let (number, bytes) = rows.next() {
        if number == 5, bytes == nil { time = Int64(clamping: rows.number) }
      }
      return time
    }
  }
}

/// The fields of a message in protobuf's binary encoding, as far as rankings have them.
private struct BinaryFields {
  private var rest: Slice<UnsafeRawBufferPointer>
  /// The number in the last field that has one.
  private(set) var number: UInt64 = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    rest = bytes[...]
  }

  /// The next field's number, and its bytes if it has any; nil at the end, and for malformed bytes.
  mutating func next() -> (number: UInt64, bytes: UnsafeRawBufferPointer?)? {
    guard let tag = varint(), let value = varint() else { return nil }
    switch tag & 7 {
    case 0:
      number = value
      return (tag >> 3, nil)
    case 2:
      guard value <= rest.count else { return nil }
      let bytes = rest.prefix(Int(value))
      rest = rest.dropFirst(Int(value))
      return (tag >> 3, UnsafeRawBufferPointer(rebasing: bytes))
    default:
      return nil
    }
  }

  private mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = rest.popFirst(), shift < 64 {
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }
}
