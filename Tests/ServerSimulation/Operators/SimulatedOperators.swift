// The operators' actions in a run, and the effects that players may meet from then on, and must.
//
// An action is under way until the server reports its outcome. A crash loses the reports: the action may have been
// done, or not.
import Game
import Net
import Server
import Synchronization

struct SimulatedOperators {
  struct Order {
    let action: OperatorAction
    /// The number of the affected player; nil for none.
    let player: Int?
    let begunAt: Timestamp
  }

  /// The outcomes that one life of the server has reported.
  final class Answers: Sendable {
    private let said = Mutex<[(number: Int, outcome: OperatorActionOutcome)]>([])

    func add(_ number: Int, _ outcome: OperatorActionOutcome) {
      said.withLock { $0.append((number, outcome)) }
    }

    func take() -> [(number: Int, outcome: OperatorActionOutcome)] {
      said.withLock { said in
        defer { said = [] }
        return said
      }
    }
  }

  private(set) var answers = Answers()
  private var underWay: [Int: Order] = [:]
  private var lastNumber = 0
  /// The codes of rooms that may have been closed. All of them must be if no report was lost.
  private(set) var closedRooms: Set<String> = []
  private(set) var announced: Set<String> = []
  private var doneCount = 0
  /// The number of actions that may be in the audit log or not.
  private var lostCount = 0

  var hasClosedRooms: Bool { !closedRooms.isEmpty }

  /// Begins an action; returns its number.
  mutating func begin(_ order: Order) -> Int {
    lastNumber += 1
    underWay[lastNumber] = order
    return lastNumber
  }

  /// Fences were imported without the server, which has a row of the audit log too.
  mutating func noteImport() { doneCount += 1 }

  mutating func mayClose(_ code: String) { closedRooms.insert(code) }

  /// An announcement with a new text.
  mutating func makeAnnouncement() -> String {
    let text = "announcement \(announced.count + 1)"
    announced.insert(text)
    return text
  }

  mutating func end(_ number: Int, isDone: Bool) -> Order? {
    let order = underWay.removeValue(forKey: number)
    if isDone {
      doneCount += 1
    } else if case .announce(_, .some) = order?.action {
      // Where the room has ended meanwhile, the log has the row all the same.
      lostCount += 1
    }
    return order
  }

  /// The server is lost.
  mutating func crash() {
    lostCount += underWay.count
    underWay = [:]
    answers = Answers()
  }

  /// The possible numbers of rows in the audit log: one for each action known to be done, and for some of those that
  /// may be.
  var auditCounts: ClosedRange<Int> { doneCount...doneCount + lostCount + underWay.count }
}

/// The operators' possible and certain actions on a player.
struct OperatorMarks {
  /// One kind of sanction.
  struct Sanctioned {
    /// The time of the kind's newest action; the outcome of an older one is then unknown.
    private var newestAt: Timestamp?
    /// The time after which it is surely no longer in force, for any outcome of the actions.
    private var mayLastUntil: Timestamp?
    /// The time in which it is surely in force, from the report to the operators.
    private var isSure: Range<Timestamp>?

    /// A margin wider than the differences of shards' clocks and the steps.
    private static let slackMs: Int64 = 1_000

    mutating func begin(at now: Timestamp, for milliseconds: Int64?) {
      newestAt = now
      isSure = nil
      guard let milliseconds else { return }
      mayLastUntil = max(mayLastUntil ?? now, now.advanced(milliseconds: milliseconds + Self.slackMs))
    }

    mutating func done(_ begunAt: Timestamp, for milliseconds: Int64, at now: Timestamp) {
      let end = begunAt.advanced(milliseconds: milliseconds)
      guard newestAt == begunAt, now < end else { return }
      isSure = now..<end
    }

    /// Whether a request of that time may meet it.
    func mayApply(_ askedAt: Timestamp) -> Bool { mayLastUntil.map { askedAt <= $0 } ?? false }

    /// Whether a request of that time that is answered now must have met it.
    func mustApply(_ askedAt: Timestamp, answeredAt now: Timestamp) -> Bool {
      isSure.map { $0.contains(askedAt) && $0.contains(now) } ?? false
    }
  }

  /// Whether the player may have been taken out of a room, or off a connection.
  var mayBeRemoved = false
  var ban = Sanctioned()
  var mute = Sanctioned()
}
