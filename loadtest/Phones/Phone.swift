// A phone in one game: an app that keeps what PROTOCOL.md tells an app to keep, on a network that follows a script.
//
// Owned by one shard. The app's memory (`app`) is lost when the app is killed; its disk is not.
import Foundation
import MadangProtocol
import Net

final class Phone {
  private unowned let context: PhoneContext
  private unowned let room: PhoneRoom
  let index: Int
  private let disk: PhoneDisk
  private var app = PhoneApp()
  private var sessionToken = ""
  private var queue = FixQueue(batchMax: 60)
  private let line: PhoneLine
  private var nextID: UInt32 = 0
  /// The server's clock minus the shard's, at the first welcome; milliseconds.
  private var clockOffsetMs: Int64 = 0
  private var hasEntered = false

  // The world around the app.
  private var script = PhoneScript(name: "", [])
  private var nextStep = 0
  /// The start of the game, on the server's clock; nil before.
  private var startMs: Int64?
  /// Whether the script has taken the network away.
  private var isOffline = false
  /// Whether the app does not run.
  private var isKilled = false
  private var isOnOtherDevice = false
  private var redialAt: Timestamp?
  private var retellAt: Timestamp?
  private var isSuspect = false

  // The end.
  private var hasEnded = false
  private var awaited: Set<UInt32> = []
  private(set) var isFinished = false
  private(set) var outcome: PhoneOutcome

  private static let confirmEveryMs: Int64 = 20_000
  private static let liveMs: Int64 = 2_000
  private static let retryMs: Int64 = 500

  init(_ context: PhoneContext, of room: PhoneRoom, index: Int) {
    self.context = context
    self.room = room
    self.index = index
    line = PhoneLine(context)
    disk = PhoneDisk(context.plan.folder, phone: room.index * context.plan.players + index)
    outcome = PhoneOutcome(room: room.index, bot: index, name: "", expected: ExpectedResult())
  }

  private var plan: PhonePlan { context.plan }
  private var serverTimeMs: Int64 { context.core.readClock().microseconds / 1_000 + clockOffsetMs }
  private var gameMs: Int64 { startMs.map { serverTimeMs - $0 } ?? 0 }
  private var isConnected: Bool { line.isConnected && app.isWelcome && !isOffline }

  /// Dials a while later.
  func dial(afterMs ms: Int64) {
    redialAt = context.core.readClock().advanced(milliseconds: ms)
    setTimer()
  }

  func dial() {
    do throws(NetError) {
      try line.dial(for: self)
    } catch {
      retryDialling()
    }
  }

  func greet() {
    guard hasEntered, !isOnOtherDevice else {
      var hello = WireHello()
      hello.nickname = "phone \(index + 1)"
      hello.deviceSecret = "loadtest-\(context.runID)-\(room.index)-\(index)"
      request(.hello(hello))
      return
    }
    var resume = WireResume()
    resume.sessionToken = sessionToken
    if let lastEvent = app.lastEvent { resume.afterEvent = lastEvent }
    request(.resume(resume))
  }

  /// The connection has ended, and not by the script: the server has ended it, or has died.
  func closed(_ connection: Connection) {
    guard line.closed(connection), !isFinished else { return }
    outcome.breaks += 1
    if hasEntered { retryDialling() } else { context.results.note(error: "DISCONNECTED") }
  }

  private func retryDialling() {
    app.disconnect()
    awaited = []
    guard !isOffline else { return }
    redialAt = context.core.readClock().advanced(milliseconds: Self.retryMs)
    setTimer()
  }

  private func drop() {
    line.drop()
    redialAt = nil
    app.disconnect()
  }

  // Sending.

  @discardableResult
  func request(_ body: WireClientMessage.OneOf_Body) -> UInt32 {
    nextID += 1
    line.send(body, id: nextID)
    return nextID
  }

  func begin(_ script: PhoneScript, startMs: Int64) {
    self.script = script
    self.startMs = startMs
    queue = FixQueue(batchMax: script.batchMax)
    outcome.name = script.name
    outcome.expected = script.expected
    app.isLive = true
    setTimer()
  }

  func timerFired() {
    let now = context.core.readClock()
    if let time = redialAt, time <= now {
      redialAt = nil
      dial()
    }
    if let time = retellAt, time <= now {
      retellAt = nil
      if isConnected { tell() }
    }
    while nextStep < script.steps.count, script.steps[nextStep].atMs <= gameMs {
      nextStep += 1
      follow(script.steps[nextStep - 1].act)
    }
    setTimer()
  }

  private func setTimer() {
    let now = context.core.readClock()
    var times = [redialAt, retellAt].compactMap { $0 }
    if startMs != nil, nextStep < script.steps.count {
      times.append(now.advanced(milliseconds: max(0, script.steps[nextStep].atMs - gameMs) + 1))
    }
    if let time = times.min() {
      context.setTimer(phone: room.index * plan.players + index, at: max(time, context.core.now))
    }
  }

  private func follow(_ act: PhoneScript.Act) {
    // Once the app knows that the game is over, only its way back to the server matters.
    if hasEnded {
      if case .comeBack = act { comeBack() }
      return
    }
    switch act {
    case .take(let fix): take(fix)
    case .lose(let isSilent):
      outcome.losses += 1
      isOffline = true
      if isSilent { line.stall() } else { drop() }
    case .stall:
      outcome.stalls += 1
      line.stall()
    case .kill:
      outcome.kills += 1
      isOffline = true
      isKilled = true
      drop()
      app = PhoneApp()
      queue.removeAll()
    case .reconnect:
      outcome.losses += 1
      drop()
      dial()
    case .comeBack: comeBack()
    case .finish:
      app.isOver = true
      if isConnected { tell() }
    case .tell(let fixes, let mocked, let isLive): tell(fixes, mocked: mocked, isLive: isLive)
    case .otherDevice:
      drop()
      isOnOtherDevice = true
      dial()
    }
  }

  private func comeBack() {
    if isOffline {
      isOffline = false
      drop()
      if isKilled { load() }
      isKilled = false
      return dial()
    }
    line.goOn()
  }

  // The queue.

  private func take(_ fix: PhoneFix) {
    // A fix of an app that was held up is late.
    app.isLive = app.isLive && isConnected && gameMs - fix.atMs < Self.liveMs
    if app.isLive, let startMs {
      context.results.movesOut += 1
      line.send(.move(WireMove(fix, startMs: startMs)), id: nil)
    }
    // The system wakes an app that does not run, which puts the fix behind those on its disk.
    if isKilled { load() }
    queue.take(fix)
    outcome.keptMax = max(outcome.keptMax, queue.fixes.count)
    save()
    if isKilled { queue.removeAll() }
    if isConnected, !app.isLive, app.telling == nil { tell() }
    if app.isLive, gameMs - app.confirmedAtMs > Self.confirmEveryMs {
      // Asks through which time the server has the sent fixes.
      app.confirmedAtMs = gameMs
      request(.moves(WireMoves()))
    }
  }

  /// Tells the oldest kept fixes, unless it is doing so.
  private func tell() {
    app.isLive = false
    guard app.telling == nil, !hasEnded, let startMs else { return }
    let batch = queue.batch(startMs: startMs, plan.target.subprotocol)
    let throughMs = batch.afterMs.isEmpty ? 0 : queue.fixes[batch.afterMs.count - 1].atMs
    app.tellsLast = app.isOver
    context.results.movesOut += batch.afterMs.count
    app.telling = (request(.moves(batch)), throughMs)
  }

  private func receive(_ moved: WireMoved, to id: UInt32) {
    outcome.note(moved)
    guard let startMs else { return }
    let judgedMs = moved.throughMs - startMs
    guard let telling = app.telling, telling.id == id else {
      queue.forget(throughMs: judgedMs)
      return save()
    }
    app.telling = nil
    queue.forget(throughMs: max(judgedMs, telling.throughMs))
    app.confirmedAtMs = gameMs
    save()
    if !queue.fixes.isEmpty || app.isOver != app.tellsLast { return tell() }
    app.isLive = true
  }

  private func save() {
    do {
      try disk.write(PhoneDisk.Content(sessionToken: sessionToken, fixes: queue.fixes))
    } catch {
      context.results.note(error: "DISK")
    }
  }

  /// The app finds what it has kept.
  private func load() {
    do {
      let content = try disk.read()
      sessionToken = content.sessionToken
      queue = FixQueue(batchMax: script.batchMax)
      for fix in content.fixes { queue.take(fix) }
    } catch {
      context.results.note(error: "DISK")
    }
  }

  /// A cheat's fixes, as they are.
  private func tell(_ fixes: [PhoneFix], mocked: Bool, isLive: Bool) {
    guard isConnected, let startMs else { return }
    context.results.movesOut += fixes.count
    guard isLive else {
      for moves in WireMoves.batches(fixes, startMs: startMs) { request(.moves(moves)) }
      return
    }
    for fix in fixes {
      var move = WireMove(fix, startMs: startMs)
      move.mocked = mocked
      line.send(.move(move), id: nil)
    }
  }

  // Receiving.

  func receive(_ message: WireServerMessage) {
    switch message.body {
    case .welcome(let welcome): receive(welcome)
    case .room(let state):
      hasEntered = true
      app.lastEvent = state.lastEvent
      room.entered(self, state)
    case .tick(let tick):
      context.results.ticksIn += 1
      if startMs == nil, tick.events.contains(where: \.isStart) {
        room.began(startMs: serverTimeMs - Int64(tick.gameMs))
      }
      for event in tick.events where event.number > app.lastEvent ?? 0 { receive(event) }
    case .moved(let moved): receive(moved, to: message.replyTo)
    case .verdict(let verdict):
      context.results.verdicts += 1
      note(verdict)
    case .run(let run): if run.hasVisited { outcome.visited = run.visited }
    case .results(let results):
      if let result = results.results.first { outcome.note(result) }
      answered(message.replyTo)
    case .landRanking(let ranking):
      outcome.runMs = ranking.ownTimes.first?.timeMs
      answered(message.replyTo)
    case .error(let error): receive(error, to: message.hasReplyTo ? message.replyTo : nil)
    default: break
    }
  }

  private func receive(_ welcome: WireWelcome) {
    sessionToken = welcome.sessionToken
    app.isWelcome = true
    guard hasEntered else {
      clockOffsetMs = welcome.serverTimeMs - context.core.readClock().microseconds / 1_000
      return room.welcomed(self)
    }
    isOnOtherDevice = false
    context.results.resumes += 1
    guard !hasEnded else { return askForResult() }
    guard welcome.hasRoom else { return end() }
    let state = welcome.room
    app.lastEvent = state.lastEvent
    noteSuspicion(state.suspect)
    if state.hasRun { outcome.visited = state.run.visited }
    guard let startMs else { return }
    guard state.phase == .playing else { return end() }
    queue.forget(throughMs: state.throughMs - startMs)
    save()
    app.isLive = queue.fixes.isEmpty
    if !app.isLive || app.isOver { tell() }
  }

  private func receive(_ event: WireEvent) {
    app.lastEvent = event.number
    if case .phase(let change) = event.body, change.phase == .ended { end() }
  }

  private func receive(_ error: WireError, to id: UInt32?) {
    let isPassing = error.hasRetryAfterMs || error.code == .storeUnavailable
    if isPassing, let id, id == app.telling?.id {
      app.telling = nil
      retellAt = context.core.readClock().advanced(milliseconds: Int64(max(100, error.retryAfterMs)))
      return setTimer()
    }
    if let id, awaited.contains(id) { return answered(id) }
    context.results.note(error: error.code.name)
  }

  private func note(_ verdict: WireVerdict) {
    if verdict.fix != .unspecified { outcome.refused[verdict.fix, default: 0] += 1 }
    noteSuspicion(verdict.suspect)
  }

  private func noteSuspicion(_ suspect: Bool) {
    defer { isSuspect = suspect }
    guard suspect, !isSuspect else { return }
    outcome.suspicions += 1
    if let from = script.cheatsFromMs, outcome.suspectAfterMs == nil { outcome.suspectAfterMs = gameMs - from }
  }

  // The end.

  private func end() {
    guard !hasEnded else { return }
    hasEnded = true
    queue.removeAll()
    askForResult()
  }

  private func askForResult() {
    var results = WireResultsRequest()
    results.limit = 1
    awaited = [request(.results(results))]
    guard let land = plan.wish(room.index).landIds.first else { return }
    var ranking = WireLandRankingRequest()
    ranking.landID = land
    awaited.insert(request(.landRanking(ranking)))
  }

  private func answered(_ id: UInt32) {
    guard awaited.remove(id) != nil, awaited.isEmpty, !isFinished else { return }
    isFinished = true
    line.close()
    room.finished()
  }
}
