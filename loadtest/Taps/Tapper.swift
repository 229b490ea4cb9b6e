// One player who taps, and checks the server's answer to each batch against PROTOCOL.md.
//
// Owned by one shard. TapperActs.swift decides its next act, TapperAnswers.swift handles the answers to its taps. This
// file has its session and its open requests.
import MadangProtocol
import Net

final class Tapper: LinePlayer {
  enum Phase {
    /// Chooses a school, and asks for its total.
    case entering
    case ready
    case tapping
    /// Sends nothing new, and waits for all answers.
    case draining
    /// Asks for totals.
    case auditing
    case audited
  }

  /// The purpose of a tap.
  enum Purpose {
    case new
    /// The answer was lost with the connection.
    case resent
    /// The batch was rate limited, and the given time is over.
    case waited
    case again
    case earlier
    case gap
    case withoutSchool
    case audit(schoolCount: Int64)
  }

  enum Asked {
    case tap(Purpose, count: Int64)
    case choice(String)
    case sameChoice
    case unknownChoice
    case total
    case unwatch
    case room
    case leave
  }

  /// The purpose of the next timer.
  enum Wake {
    case nextBatch, batchAgain, choiceAgain, loss, crash
  }

  let line: PlayerLine
  let kind: TapperKind
  /// The server's id of the player; empty before the first welcome.
  private(set) var playerID = ""
  var ledger = TapLedger()
  var window = TapWindow()
  var generator: SplitMix64
  var phase = Phase.entering
  var asked: [(id: UInt32, what: Asked, sent: Timestamp)] = []
  /// The school that was chosen, until the answer; nil otherwise.
  var choice: String?
  /// The time at which the kept batch was first sent.
  var keptSince = Timestamp(microseconds: 0)
  var nextBatch = Timestamp(microseconds: 0)
  var nextMove = Timestamp(microseconds: 0)
  var isInRoom = false
  /// The number of batches still to be sent without a pause.
  var burst = 0
  /// Other schools to ask about, besides its own.
  var abandoned: [String] = []
  var hasAuditedOwn = false
  private(set) var wake: (what: Wake, timer: TimerID)?
  /// The answer to the kept batch on a connection that was replaced.
  var witness: TapOutcome?
  var hasJustChosen = false
  /// Whether it has lost everything but its device's secret, and had no welcome since.
  var hasCrashed = false

  init(_ line: PlayerLine) {
    self.line = line
    kind = line.context.plan.kind(ofTapper: line.index)
    generator = SplitMix64(line.context.plan.seed ^ UInt64(line.index) << 20 | 2)
    line.player = self
  }

  var context: TapsContext { line.context }
  var isHost: Bool { context.plan.isHost(line.index) }
  /// Whether nothing is unanswered.
  var isIdle: Bool { line.isWelcome && asked.isEmpty && ledger.kept == nil && choice == nil }

  /// Whether it has done its last order.
  var isDone: Bool {
    switch phase {
    case .entering, .auditing: false
    case .ready, .tapping: line.isWelcome
    case .draining: isIdle && wake == nil
    case .audited: asked.isEmpty
    }
  }

  /// The progress, for reports of unfinished work.
  var state: String { "\(kind) \(line.isWelcome ? "\(phase)" : line.state)" }

  func expect(_ expectation: Expectation, _ isMet: Bool, _ example: @autoclosure () -> String) {
    context.results.expectations.note(expectation, isMet, "\(kind) \(line.index + 1): \(example())")
  }

  func ask(_ what: Asked, _ body: WireClientMessage.OneOf_Body) {
    asked.append((line.request(body), what, context.core.readClock()))
  }

  func send(_ batch: UInt32, _ count: Int64, _ purpose: Purpose) {
    var tap = WireTap()
    tap.batch = batch
    tap.count = count
    ask(.tap(purpose, count: count), .tap(tap))
  }

  func setWake(_ what: Wake, at time: Timestamp) {
    cancelWake()
    wake = (what, context.setTimer(player: line.index, at: time))
  }

  func setWake(_ what: Wake, after milliseconds: UInt32) {
    setWake(what, at: context.core.readClock().advanced(milliseconds: Int64(max(1, milliseconds))))
  }

  func cancelWake() {
    if let wake { context.core.cancelTimer(wake.timer) }
    wake = nil
  }

  func timerFired() {
    guard let what = wake?.what else { return }
    wake = nil
    woke(for: what)
  }

  // Its session.

  func welcomed(_ welcome: WireWelcome) {
    let isSamePlayer = playerID.isEmpty || playerID == welcome.playerID
    playerID = welcome.playerID
    isInRoom = welcome.hasRoom
    if phase == .entering { return enter(welcome.player) }
    let player = welcome.player
    if let choice {
      if player.schoolID == choice { ledger.choose(choice) }
      self.choice = nil
    }
    // A killed server knows nothing of earlier taps.
    if line.missedServer { window.mayHaveBegunAnew(at: context.core.readClock().microseconds) }
    if context.plan.isOperated, line.missedServer {
      let hasBegunAnew = ledger.mayHaveBegunAnew(lastBatch: player.lastTapBatch, myCount: player.myCount)
      context.results.begunAnew += hasBegunAnew ? 1 : 0
    }
    let isAllowed = ledger.allows(school: player.schoolID, lastBatch: player.lastTapBatch, myCount: player.myCount)
    expect(
      hasCrashed ? .stateReturned : .standing,
      isAllowed && isSamePlayer,
      "welcome tells \(player.schoolID), \(player.lastTapBatch), \(player.myCount)"
        + "\(isSamePlayer ? "" : " of another player"); \(ledger)"
    )
    if hasCrashed { goOn(from: player) }
    if let kept = ledger.kept {
      context.results.resent += 1
      if player.lastTapBatch == kept.number { context.results.resentTaken += 1 }
      send(kept.number, kept.count, .resent)
    } else if phase == .auditing {
      auditNext()
    } else {
      proceed()
    }
  }

  func lost() {
    asked.removeAll()
    burst = 0
    cancelWake()
  }

  func overheard(_ message: WireServerMessage) {
    switch message.body {
    case .tapped(let tapped) where tapped.batch == ledger.kept?.number: witness = tapped.outcome
    case .error(let error) where error.code == .abnormalTaps: witness = .abnormal
    default: break
    }
  }

  // Its answers.

  func received(_ message: WireServerMessage) {
    guard message.hasReplyTo, let index = asked.firstIndex(where: { $0.id == message.replyTo }) else { return }
    let (_, what, sent) = asked.remove(at: index)
    switch (what, message.body) {
    case (.tap(let purpose, _), .tapped(let tapped)): take(tapped, purpose, sent: sent)
    case (.tap(let purpose, let count), .error(let error)): refused(error, purpose, count, sent: sent)
    case (_, .error(let error)): refused(error, what)
    case (.choice(let school), .ok): chosen(school)
    case (.sameChoice, .ok): expect(.schoolChosen, true, "")
    case (.total, .ranking(let ranking)): check(ranking)
    case (.room, .room(let room)): entered(room)
    case (.leave, .ok): isInRoom = false
    case (.unwatch, .ok): unwatched()
    default: context.results.note(error: "ANOTHER ANSWER")
    }
    proceed()
  }

  private func refused(_ error: WireError, _ what: Asked) {
    switch (what, error.code) {
    case (.unknownChoice, .schoolNotFound):
      expect(.schoolChosen, true, "")
      context.results.refusals[error.code.name, default: 0] += 1
    case (.sameChoice, .rateLimited):
      context.results.refusals[error.code.name, default: 0] += 1
    case (.choice, .rateLimited):
      context.results.refusals[error.code.name, default: 0] += 1
      setWake(.choiceAgain, after: error.retryAfterMs)
    default:
      context.results.note(error: error.code.name)
    }
  }

  private func chosen(_ school: String) {
    choice = nil
    hasJustChosen = ledger.school != school && phase == .tapping
    ledger.choose(school)
    context.results.choices += phase == .tapping ? 1 : 0
    if phase == .entering || phase == .auditing { askForTotal() }
  }
}
