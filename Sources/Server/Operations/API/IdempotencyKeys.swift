// The keys by which clients of the API tell a repeat from a new request, and the answers that they get again.
//
// A value of the operators' shard. A key belongs to the token that sent it, by its digest: another token's key, and one
// of a token of the same name before, is a new one. The budgets of keys bound their number.
// Decisions: 139 (docs/decisions).
import DequeModule
import Game
import WebSocket

struct IdempotencyKeys {
  /// A key as its client wrote it, and the digest of the client's token.
  struct Key: Hashable, Sendable {
    let token: [UInt8]
    let text: String
  }

  enum Finding {
    /// The request is the first with its key.
    case new
    /// The first one with its key is under way.
    case running
    /// The key came with another request before.
    case other
    case answered(HTTPResponse)
  }

  private struct Entry {
    let fingerprint: [UInt8]
    /// Nil while the request is under way.
    var answer: HTTPResponse?
  }

  /// The time for which an answer is kept, from its request on.
  static let keptSeconds: Int64 = 24 * 60 * 60
  private static let textBytesMax = 128

  private var entries: [Key: Entry] = [:]
  /// The keys by the ends of their times.
  private var ends: Deque<(key: Key, at: Instant)> = []

  /// The number of kept keys.
  var count: Int { entries.count }

  /// The text of a key: a string of RFC 8941, or the same without its quotes; nil for anything else.
  static func text(of value: String) -> String? {
    let isQuoted = value.utf8.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
    let text = isQuoted ? value.dropFirst().dropLast() : value[...]
    let isSound = text.utf8.allSatisfy { byte in
      (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
    return isSound && (1...textBytesMax).contains(text.utf8.count) ? String(text) : nil
  }

  /// Looks for a key.
  mutating func find(_ key: Key, _ fingerprint: [UInt8], at now: Instant) -> Finding {
    forgetOld(at: now)
    guard let entry = entries[key] else { return .new }
    guard entry.fingerprint == fingerprint else { return .other }
    return entry.answer.map { .answered($0) } ?? .running
  }

  /// Notes that the first request with a key is under way.
  mutating func begin(_ key: Key, _ fingerprint: [UInt8], at now: Instant) {
    entries[key] = Entry(fingerprint: fingerprint)
    ends.append((key, now + .seconds(Self.keptSeconds)))
  }

  /// Keeps the answer to the request with a key.
  mutating func keep(_ answer: HTTPResponse, of key: Key) {
    entries[key]?.answer = answer
  }

  /// Forgets a key whose request had no effect: it may be tried again.
  mutating func forget(_ key: Key) {
    entries[key] = nil
    ends.removeAll { $0.key == key }
  }

  private mutating func forgetOld(at now: Instant) {
    while let first = ends.first, first.at <= now {
      ends.removeFirst()
      // Whatever still waits for a commit is no repeat's business to begin anew.
      if entries[first.key]?.answer == nil {
        ends.append((first.key, now + .seconds(Self.keptSeconds)))
        continue
      }
      entries[first.key] = nil
    }
  }
}
