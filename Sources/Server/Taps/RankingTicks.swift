// The times at which a shard publishes the ranking, and the receivers of each.
//
// Owned by one shard's service. A shard with thousands of watchers that published to all at once would send nothing
// else for tens of milliseconds, and delay answers. So watchers are spread over boards, all of a school on one. The
// boards have their turns one after the other; other shards' turns lie between them.
import Game
import Gateway
import MadangProtocol
import Net

struct RankingTicks {
  /// The number of turns in each interval.
  private static let boardCount = 10

  private let boards = (0..<Self.boardCount).map { _ in RankingBoard() }
  /// The delay of this shard's turns behind those of the first.
  private let shareMicroseconds: Int64
  /// The time and the board of the next turn; nil while nobody watches.
  private(set) var next: (due: Timestamp, board: Int)?

  init(shard: Int, of shardCount: Int) {
    shareMicroseconds = Self.turnMicroseconds * Int64(shard) / Int64(shardCount)
  }

  private static var turnMicroseconds: Int64 { Limits.rankingIntervalMs * 1_000 / Int64(boardCount) }

  /// Seats a session that is shown `ranking` otherwise, by its school and `rankingTop`.
  ///
  /// - Returns: true when turns begin with it.
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

  /// Removes a session; does nothing for one that does not watch.
  func remove(_ session: Session) {
    session.tapper?.rankingSeat?.board.remove(session)
  }

  /// Marks a session that gets the ranking at the next turn, changed or not.
  func fallBehind(_ session: Session) {
    session.tapper?.rankingSeat?.board.fallBehind(session)
  }

  /// Takes the due turn, if anybody still watches.
  ///
  /// - Returns: the number of sent rankings.
  mutating func takeTurn(at now: Timestamp, _ ranking: @autoclosure () -> CommittedRanking) -> Int {
    guard let (due, index) = next else { preconditionFailure("a due turn has a time") }
    next = nil
    guard !boards.allSatisfy(\.isEmpty) else { return 0 }
    // Turns that were missed by whole intervals are skipped.
    let interval = Self.turnMicroseconds * Int64(Self.boardCount)
    let missed = now.microseconds(since: due) / interval * interval
    let following = due.microseconds + missed + Self.turnMicroseconds
    next = (Timestamp(microseconds: following), (index + 1) % Self.boardCount)
    return boards[index].isEmpty ? 0 : boards[index].publish(ranking(), at: Instant(due))
  }
}
