// When a shard publishes the ranking to whom.
//
// Owned by one shard's service. A shard with thousands of watchers would send nothing else for tens of milliseconds if it
// published to all at once, and answers would wait for it. So watchers are spread over boards, all of a school on one, and the
// boards have their turns one after the other; other shards' turns lie between them.
import Game
import Gateway
import MadangProtocol
import Net

struct RankingTicks {
  /// How many turns there are in each interval.
  private static let boardCount = 10

  private let boards = (0..<Self.boardCount).map { _ in RankingBoard() }
  /// This shard's turns come so long behind those of the first.
  private let shareMicroseconds: Int64
  /// When the next turn is, and whose; nil while nobody watches.
  private(set) var next: (due: Timestamp, board: Int)?

  init(shard: Int, of shardCount: Int) {
    shareMicroseconds = Self.turnMicroseconds * Int64(shard) / Int64(shardCount)
  }

  private static var turnMicroseconds: Int64 { Limits.rankingIntervalMs * 1_000 / Int64(boardCount) }

  /// Seats a session that is shown `ranking` otherwise, by its school and `rankingTop`; true when turns begin with it.
  mutating func add(_ session: Session, top: Int, _ ranking: CommittedRanking, at now: Timestamp) -> Bool {
    remove(session)
    let school = session.tapper?.school
    let board = boards[school.map { Int(truncatingIfNeeded: $0.value % UInt128(Self.boardCount)) } ?? 0]
    board.add(session, school: school, top: top, ranking)
    guard next == nil else { return false }
    let passed = (now.microseconds - shareMicroseconds) % (Self.turnMicroseconds * Int64(Self.boardCount))
    let turn = passed / Self.turnMicroseconds + 1
    let due = Timestamp(microseconds: now.microseconds - passed + turn * Self.turnMicroseconds)
    next = (due, Int(turn) % Self.boardCount)
    return true
  }

  /// Does nothing for who does not watch.
  func remove(_ session: Session) {
    session.tapper?.rankingSeat?.board.remove(session)
  }

  /// The session is sent the ranking at the next turn, whether it has changed or not.
  func fallBehind(_ session: Session) {
    session.tapper?.rankingSeat?.board.fallBehind(session)
  }

  /// Takes the turn that is due, if anybody watches still; how many rankings were sent.
  mutating func takeTurn(at now: Timestamp, _ ranking: @autoclosure () -> CommittedRanking) -> Int {
    guard let (due, index) = next else { preconditionFailure("a turn has its time") }
    next = nil
    guard !boards.allSatisfy(\.isEmpty) else { return 0 }
    // What was missed by whole intervals is left out.
    let interval = Self.turnMicroseconds * Int64(Self.boardCount)
    let missed = now.microseconds(since: due) / interval * interval
    let following = due.microseconds + missed + Self.turnMicroseconds
    next = (Timestamp(microseconds: following), (index + 1) % Self.boardCount)
    return boards[index].isEmpty ? 0 : boards[index].publish(ranking(), at: Instant(due))
  }
}
