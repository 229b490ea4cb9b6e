// One player who taps, and holds the server to what PROTOCOL.md says of each batch.
//
// Owned by one shard. What it does next is decided in TapperActs.swift, what the answers to its taps mean in
// TapperAnswers.swift; here are its session and what it has asked.
import MadangProtocol
import Net

final class Tapper: LinePlayer {
  enum Phase {
    /// Chooses a school, and asks for its total.
    case entering
    case ready
    case tapping
    /// Sends nothing new, and waits until all is answered.
    case settling
    /// Asks for totals.
    case auditing
    case audited
  }

  /// What a tap is sent for.
  enum Purpose {
    case new
    /// The answer was lost with the connection.
    case resent
    /// It was rate limited, and the time that was told is over.
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

  /// What the next timer is for.
  enum Wake {
    case nextBatch, batchAgain, choiceAgain, loss, crash
  }

  let line: PlayerLine
  let kind: TapperKind
  /// Whom the server takes it for; empty before the first welcome.
  private(set) var playerID = ""
  var ledger = TapLedger()
  var window = TapWindow()
  var generator: SplitMix64
  var phase = Phase.entering
  var asked: [(id: UInt32, what: Asked, sent: Timestamp)] = []
  /// Chosen, and not known to be.
  var choice: String?
  /// When the batch that is kept was sent first.
  var keptSince = Timestamp(microseconds: 0)
  var nextBatch = Timestamp(microseconds: 0)
  var nextMove = Timestamp(microseconds: 0)
  var isInRoom = false
  /// Batches still to be sent one right behind the other.
  var burst = 0
  /// Schools that are still to be asked about, besides its own.
  var abandoned: [String] = []
  var hasAuditedOwn = false
  private(set) var wake: (what: Wake, timer: TimerID)?
  /// The answer to the batch that is kept, heard on a connection that was replaced.
  var witness: TapOutcome?
  var hasJustChosen = false
  /// It has lost all but its device's secret, and had no welcome since.
  var hasCrashed = false

  init(_ line: PlayerLine) {
    self.line = line
    kind = line.service.plan.kind(ofTapper: line.index)
    generator = SplitMix64(line.service.plan.seed ^ UInt64(line.index) << 20 | 2)
    line.player = self
  }

  var service: TapsService { line.service }
  var isHost: Bool { service.plan.isHost(line.index) }
  /// Nothing is unanswered.
  var isIdle: Bool { line.isWelcome && asked.isEmpty && ledger.kept == nil && choice == nil }

  /// It has done what it was told last.
  var isDone: Bool {
    switch phase {
    case .entering, .auditing: false
    case .ready, .tapping: line.isWelcome
    case .settling: isIdle && wake == nil
    case .audited: asked.isEmpty
    }
  }

  /// How far it has come, for reports of what has not come about.
  var state: String { "\(kind) \(line.isWelcome ? "\(phase)" : line.state)" }

  func expect(_ expectation: Expectation, _ isMet: Bool, _ example: @autoclosure () -> String) {
    service.results.expectations.note(expectation, isMet, "\(kind) \(line.index + 1): \(example())")
  }

  func ask(_ what: Asked, _ body: WireClientMessage.OneOf_Body) {
    asked.append((line.request(body), what, service.core.readClock()))
  }

  func send(_ batch: UInt32, _ count: Int64, _ purpose: Purpose) {
    var tap = WireTap()
    tap.batch = batch
    tap.count = count
    ask(.tap(purpose, count: count), .tap(tap))
  }

  func setWake(_ what: Wake, at time: Timestamp) {
    cancelWake()
    wake = (what, service.setTimer(line.index, at: time))
  }

  func setWake(_ what: Wake, after milliseconds: UInt32) {
    setWake(what, at: service.core.readClock().advanced(milliseconds: Int64(max(1, milliseconds))))
  }

  func cancelWake() {
    if let wake { service.core.cancelTimer(wake.timer) }
    wake = nil
  }

  func timerFired() {
    guard let what = wake?.what else { return }
    wake = nil
    woke(for: what)
  }

  // The session.

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
    // Killed, it knows nothing of who tapped how fast.
    if line.missedServer { window.mayHaveBegunAnew(at: service.core.readClock().microseconds) }
    if service.plan.isOperated, line.missedServer {
      let hasBegunAnew = ledger.mayHaveBegunAnew(lastBatch: player.lastTapBatch, myCount: player.myCount)
      service.results.begunAnew += hasBegunAnew ? 1 : 0
    }
    let isAllowed = ledger.allows(school: player.schoolID, lastBatch: player.lastTapBatch, myCount: player.myCount)
    expect(
      hasCrashed ? .toldWhatCounted : .standing,
      isAllowed && isSamePlayer,
      "welcome tells \(player.schoolID), \(player.lastTapBatch), \(player.myCount)"
        + "\(isSamePlayer ? "" : " of another player"); \(ledger)"
    )
    if hasCrashed { goOn(from: player) }
    if let kept = ledger.kept {
      service.results.resent += 1
      if player.lastTapBatch == kept.number { service.results.resentTaken += 1 }
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

  // Answers.

  func received(_ message: WireServerMessage) {
    guard message.hasReplyTo, let index = asked.firstIndex(where: { $0.id == message.replyTo }) else { return }
    let (_, what, sent) = asked.remove(at: index)
    switch (what, message.body) {
    case (.tap(let purpose, _), .tapped(let tapped)): take(tapped, purpose, sent: sent)
    case (.tap(let purpose, let count), .error(let error)): refused(error, purpose, count, sent: sent)
    case (_, .error(let error)): refused(error, what)
    case (.choice(let school), .ok): chosen(school)
    case (.sameChoice, .ok): expect(.schoolChosen, true, "")
    case (.total, .ranking(let ranking)): told(ranking)
    case (.room, .room(let room)): entered(room)
    case (.leave, .ok): isInRoom = false
    case (.unwatch, .ok): unwatched()
    default: service.results.note(error: "ANOTHER ANSWER")
    }
    proceed()
  }

  private func refused(_ error: WireError, _ what: Asked) {
    switch (what, error.code) {
    case (.unknownChoice, .schoolNotFound):
      expect(.schoolChosen, true, "")
      service.results.refusals[error.code.name, default: 0] += 1
    case (.sameChoice, .rateLimited):
      service.results.refusals[error.code.name, default: 0] += 1
    case (.choice, .rateLimited):
      service.results.refusals[error.code.name, default: 0] += 1
      setWake(.choiceAgain, after: error.retryAfterMs)
    default:
      service.results.note(error: error.code.name)
    }
  }

  private func chosen(_ school: String) {
    choice = nil
    hasJustChosen = ledger.school != school && phase == .tapping
    ledger.choose(school)
    service.results.choices += phase == .tapping ? 1 : 0
    if phase == .entering || phase == .auditing { askForTotal() }
  }
}
