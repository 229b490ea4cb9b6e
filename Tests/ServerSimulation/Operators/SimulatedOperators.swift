// What operators do in a run, and what is known of it: what players may meet from then on, and what they must.
//
// An action is under way until the server says what has come of it. A crash leaves nobody to say it: then it may have been
// done, or not.
import Game
import Net
import Server
import Synchronization

struct SimulatedOperators {
  struct Order {
    let action: OperatorAction
    /// To which player, by number.
    let player: Int?
    let begunAt: Timestamp
  }

  /// What one life of the server has said.
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
  /// By their codes: rooms that may have been closed, all of which must be if nothing was lost.
  private(set) var closedRooms: Set<String> = []
  private(set) var announced: Set<String> = []
  private var doneCount = 0
  /// Nobody knows of so many whether the audit log has them.
  private var lostCount = 0

  var hasClosedRooms: Bool { !closedRooms.isEmpty }

  /// The number of a new action.
  mutating func begin(_ order: Order) -> Int {
    lastNumber += 1
    underWay[lastNumber] = order
    return lastNumber
  }

  mutating func mayClose(_ code: String) { closedRooms.insert(code) }

  /// An announcement that nobody has made before.
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
      // Where the room has ended meanwhile the log has the row all the same.
      lostCount += 1
    }
    return order
  }

  /// The server is no more.
  mutating func crash() {
    lostCount += underWay.count
    underWay = [:]
    answers = Answers()
  }

  /// How many rows the audit log has: one for each action that is known to be done, and for some of those that may be.
  var auditCounts: ClosedRange<Int> { doneCount...doneCount + lostCount + underWay.count }
}

/// What operators may have done to a player, and what they have for sure.
struct OperatorMarks {
  /// One kind of sanction.
  struct Sanctioned {
    /// When the newest action of the kind began; what an older one comes to is not known then.
    private var newestAt: Timestamp?
    /// Not in force any more from then on, whatever has come of what operators were about.
    private var mayLastUntil: Timestamp?
    /// In force, from when operators were told of it.
    private var isSure: Range<Timestamp>?

    /// Neither clocks of shards nor steps are as fine as this.
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

    /// Whether what was asked then can meet it.
    func mayMeet(_ askedAt: Timestamp) -> Bool { mayLastUntil.map { askedAt <= $0 } ?? false }

    /// Whether what was asked then and is answered now has met it.
    func mustMeet(_ askedAt: Timestamp, answeredAt now: Timestamp) -> Bool {
      isSure.map { $0.contains(askedAt) && $0.contains(now) } ?? false
    }
  }

  /// May have been taken out of a room, or off a connection.
  var mayBeRemoved = false
  var ban = Sanctioned()
  var mute = Sanctioned()
}

extension World {
  /// Does something as an operator.
  func operate(_ action: OperatorAction, on player: Player? = nil) {
    let now = now
    let number = operators.begin(SimulatedOperators.Order(action: action, player: player?.number, begunAt: now))
    switch action {
    case .kick: player?.marks.mayBeRemoved = true
    case .ban(_, let duration, _):
      player?.marks.mayBeRemoved = true
      player?.marks.ban.begin(at: now, for: duration?.wholeMilliseconds)
    case .unban: player?.marks.ban.begin(at: now, for: nil)
    case .mute(_, let duration, _): player?.marks.mute.begin(at: now, for: duration?.wholeMilliseconds)
    case .unmute: player?.marks.mute.begin(at: now, for: nil)
    default: break
    }
    trace("an operator does \(number): \(action)")
    let answers = operators.answers
    server.perform(action) { answers.add(number, $0) }
  }

  /// Looks at what has come of what operators have done: it is in the audit log, and only what is done.
  func takeOutcomes() throws(BrokenRule) {
    let said = operators.answers.take()
    guard !said.isEmpty else { return }
    for (number, outcome) in said {
      trace("\(number) has come to \(outcome)")
      var isDone = false
      if case .done = outcome { isDone = true }
      guard let order = operators.end(number, isDone: isDone) else {
        throw BrokenRule(rule: .auditKept, detail: "action \(number) has ended twice")
      }
      if isDone { noteDone(order) }
    }
    let rows = store.auditCount
    let isRight = operators.auditCounts.contains(rows)
    try BrokenRule.unless(isRight, .auditKept, "\(rows) rows, not \(operators.auditCounts)")
  }

  private func noteDone(_ order: SimulatedOperators.Order) {
    report.operatorActions += 1
    guard let player = order.player.map({ players[$0] }) else { return }
    switch order.action {
    case .ban(_, let duration?, _):
      player.marks.ban.done(order.begunAt, for: duration.wholeMilliseconds, at: now)
    case .mute(_, let duration?, _):
      player.marks.mute.done(order.begunAt, for: duration.wholeMilliseconds, at: now)
    default: break
    }
  }
}
