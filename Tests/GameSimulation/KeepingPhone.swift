// An app that keeps its fixes as PROTOCOL.md says in "What an app keeps". A value, driven by the trial.
import Game
import SeededRandom

/// The queue of a phone.
struct KeepingPhone {
  /// A message of the phone.
  enum Message {
    case move(Fix)
    case moves([Fix], hasMore: Bool)
  }

  /// Fixes that the server may not have, the oldest first.
  private var kept: [Fix] = []
  /// Whether every kept fix was sent over this connection.
  private var isLive = true
  /// The batch that waits for its answer.
  private var unanswered: [Fix]?
  private(set) var isConnected = true
  /// The game's time is up, and the server waits for a last `moves`.
  private var owesEnd = false
  private var isOver = false

  /// The most fixes of a message.
  private static let batchMax = 60
  /// A page asks from time to time which fixes the server has; this phone knows that it needs no older ones.
  private static let sentKept = 60

  mutating func lose() {
    isConnected = false
    isLive = false
    unanswered = nil
    owesEnd = isOver
  }

  /// Comes back, and learns through which time the server has judged.
  mutating func comeBack(judgedThrough: Instant?) -> Message? {
    isConnected = true
    if let judgedThrough { kept.removeAll { $0.time.map { $0 <= judgedThrough } ?? false } }
    return owesEnd || !kept.isEmpty ? nextBatch() : live()
  }

  /// Takes a fix of the receiver.
  mutating func take(_ fix: Fix) -> Message? {
    kept.append(fix)
    guard isLive, isConnected else { return nil }
    if kept.count > Self.sentKept { kept.removeFirst() }
    return .move(fix)
  }

  /// The game's time is up.
  mutating func end() -> Message? {
    isOver = true
    owesEnd = true
    return isConnected && unanswered == nil ? nextBatch() : nil
  }

  /// The server has answered the last batch.
  mutating func answered(through: Instant) -> Message? {
    guard let told = unanswered else { return nil }
    unanswered = nil
    let last = told.last?.time.map { max($0, through) } ?? through
    kept.removeAll { $0.time.map { $0 <= last } ?? false }
    return owesEnd || !kept.isEmpty ? nextBatch() : live()
  }

  private mutating func live() -> Message? {
    isLive = true
    return nil
  }

  private mutating func nextBatch() -> Message {
    isLive = false
    let batch = Array(kept.prefix(Self.batchMax))
    unanswered = batch
    if kept.count == batch.count { owesEnd = false }
    return .moves(batch, hasMore: kept.count > batch.count)
  }
}
