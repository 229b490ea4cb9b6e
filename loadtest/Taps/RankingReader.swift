// Rankings as watchers get them: many get the very same bytes, which are decoded and checked once.
//
// Owned by one shard.
import MadangProtocol

final class RankingReader {
  /// A ranking that was sent to one or more of those who want the same.
  final class Reading {
    let ranking: WireRanking
    /// What is wrong with it.
    let complaints: [String]
    /// The same for all who are sent the same season and top.
    let head: Int
    fileprivate let bytes: [UInt8]

    fileprivate init(_ ranking: WireRanking, _ bytes: [UInt8], for audience: Audience) {
      self.ranking = ranking
      self.bytes = bytes
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

  /// The ranking that was published to an audience with these bytes; nil for any other message, answers with one too.
  func read(_ bytes: UnsafeRawBufferPointer, for audience: Audience) -> Reading? {
    if let reading = newest[audience], reading.bytes.elementsEqual(bytes) { return reading }
    guard let message = try? subprotocol.decodeServerMessage(bytes), !message.hasReplyTo,
      case .ranking(let ranking) = message.body
    else { return nil }
    let reading = Reading(ranking, [UInt8](bytes), for: audience)
    newest[audience] = reading
    return reading
  }
}
