// The acts of a tapper: it enters, taps by the clock in its kind's way, and asks for the totals at the end.
//
// On its shard. One batch is unanswered at a time, and beside it only requests about rooms.
import MadangProtocol
import Net

extension Tapper {
  // Entering.

  /// Enters, once for each session until it is ready: repeating answered requests does no harm.
  func enter(_ player: WireOwnPlayer) {
    choice = nil
    ledger = TapLedger(school: player.schoolID, lastBatch: player.lastTapBatch, myCount: player.myCount)
    // It has tapped in another run, perhaps just now.
    if player.lastTapBatch > 0 { window.mayBeFull(at: context.core.readClock().microseconds) }
    if kind == .changer, player.schoolID.isEmpty { send(1, 1, .withoutSchool) }
    choose(context.plan.school(ofPlayer: line.index))
  }

  func choose(_ school: String) {
    choice = school
    var choose = WireChooseSchool()
    choose.schoolID = school
    ask(.choice(school), .chooseSchool(choose))
  }

  func askForTotal() {
    var watch = WireWatchRanking()
    watch.top = UInt32(Limits.schoolRankingTop.upperBound)
    ask(.total, .watchRanking(watch))
  }

  func check(_ ranking: WireRanking) {
    let complaints = RankingCheck.complaints(
      about: ranking,
      top: Limits.schoolRankingTop.upperBound,
      school: ledger.school
    )
    expect(.rankingFits, complaints.isEmpty, complaints.joined(separator: "; "))
    let count = ranking.mine.count
    if phase == .entering {
      context.results.sums.note(before: count, of: ledger.school)
    } else {
      context.results.sums.note(after: count, of: ledger.school)
      if !hasAuditedOwn, ledger.lastBatch > 0 { send(ledger.lastBatch - 1, 1, .audit(schoolCount: count)) }
      hasAuditedOwn = true
      if abandoned.last == ledger.school { abandoned.removeLast() }
    }
    ask(.unwatch, .unwatchRanking(WireUnwatchRanking()))
  }

  func unwatched() {
    if phase == .entering { phase = .ready }
    if phase == .auditing { auditNext() }
  }

  // Tapping.

  func start() {
    guard phase == .ready else { return }
    phase = .tapping
    let now = context.core.readClock()
    let interval = context.plan.intervalMicroseconds
    nextBatch = Timestamp(microseconds: now.microseconds + .random(in: 0...interval, using: &generator))
    nextMove = now.advanced(milliseconds: .random(in: 0...3_000, using: &generator))
    proceed()
  }

  func drain() {
    guard phase == .tapping || phase == .ready else { return }
    phase = .draining
    if let wake, wake.what == .nextBatch { cancelWake() }
  }

  /// Goes on when nothing is unanswered: now if it is time, later by a timer.
  func proceed() {
    guard phase == .tapping, isIdle, wake == nil else { return }
    let now = context.core.readClock()
    guard burst > 0 || now >= nextBatch else { return setWake(.nextBatch, at: nextBatch) }
    if burst == 0 {
      // A late batch takes its turn now; it contains those that would have come meanwhile.
      let interval = context.plan.intervalMicroseconds
      let next = Timestamp(microseconds: nextBatch.microseconds + interval)
      nextBatch = next > now ? next : Timestamp(microseconds: now.microseconds + interval)
    }
    act(at: now)
    if asked.isEmpty, line.isWelcome { setWake(.nextBatch, at: nextBatch) }
  }

  func woke(for what: Wake) {
    switch what {
    case .nextBatch: proceed()
    case .batchAgain:
      guard let kept = ledger.kept, line.isWelcome else { return }
      keptSince = context.core.readClock()
      send(kept.number, kept.count, .waited)
    case .choiceAgain:
      if let choice, line.isWelcome { choose(choice) }
    case .loss: lose()
    case .crash: crash()
    }
  }

  private func act(at now: Timestamp) {
    let draw = Double.random(in: 0..<1, using: &generator)
    switch kind {
    case .honest: tap(at: now)
    case .fast: tapTooFast(draw, at: now)
    case .resender: sendAgain(draw, at: now)
    case .dropper: tapAndLose(draw, at: now)
    case .crasher: tapAndCrash(draw, at: now)
    case .mover:
      tap(at: now)
      move(at: now)
    case .changer: change(draw, at: now)
    }
  }

  /// Taps as often as surely allowed.
  private func tap(at now: Timestamp) {
    let share = context.plan.tapsPerBatch
    let most = min(window.room(at: now.microseconds), share * 8 / 5)
    if most > 0 { tap(.random(in: 1...most, using: &generator), at: now) }
  }

  private func tap(_ count: Int64, at now: Timestamp) {
    let batch = ledger.keep(count)
    keptSince = now
    send(batch.number, batch.count, .new)
  }

  private func tapTooFast(_ draw: Double, at now: Timestamp) {
    let most = Limits.batchTaps.upperBound
    if burst > 0 {
      burst -= 1
      tap(1, at: now)
    } else if draw < 0.03 {
      tap(.random(in: most + 1...2 * most, using: &generator), at: now)
    } else if draw < 0.1 {
      tap(.random(in: most - 30...most, using: &generator), at: now)
    } else if draw < 0.15 {
      burst = Limits.batchesPerSecond
      tap(1, at: now)
    } else {
      tap(at: now)
    }
  }

  private func sendAgain(_ draw: Double, at now: Timestamp) {
    let last = ledger.lastBatch
    if draw < 0.2, ledger.lastOutcome != nil {
      // The server ignores the new number of taps.
      send(last, .random(in: -1...500, using: &generator), .again)
    } else if draw < 0.3, last > 0 {
      send(.random(in: 0..<last, using: &generator), .random(in: 1...500, using: &generator), .earlier)
    } else if draw < 0.4 {
      send(last + 1 + .random(in: 1...1_000, using: &generator), 1, .gap)
    } else if draw < 0.45 {
      tap(Limits.batchTaps.upperBound + 1, at: now)
    } else {
      tap(at: now)
    }
  }

  private func lose() {
    guard line.isWelcome, choice == nil else { return }
    if Bool.random(using: &generator) { line.drop() } else { line.replace() }
  }

  /// Loses the connection before the server has the batch, between that and the answer, or behind the answer.
  private func tapAndLose(_ draw: Double, at now: Timestamp) {
    if draw < 0.05 {
      _ = ledger.keep(1)
      keptSince = now
      return lose()
    }
    tap(at: now)
    if draw < 0.12 { lose() } else if draw < 0.25 { setWake(.loss, after: .random(in: 1...40, using: &generator)) }
  }

  /// Crashes with taps that were never sent, right behind sending, or around the time of the answer.
  private func tapAndCrash(_ draw: Double, at now: Timestamp) {
    guard draw >= 0.04 else { return crash() }
    tap(at: now)
    guard ledger.kept != nil else { return }
    if draw < 0.12 { crash() } else if draw < 0.2 { setWake(.crash, after: .random(in: 1...40, using: &generator)) }
  }

  private func crash() {
    guard line.isWelcome else { return }
    hasCrashed = true
    let isBackAtOnce = Bool.random(using: &generator)
    line.crash(awayMilliseconds: isBackAtOnce ? 0 : .random(in: 1...1_500, using: &generator))
  }

  private func change(_ draw: Double, at now: Timestamp) {
    if draw < 0.05, let school = context.schools.randomElement(using: &generator) {
      choose(school)
    } else if draw < 0.07 {
      var same = WireChooseSchool()
      same.schoolID = ledger.school
      ask(.sameChoice, .chooseSchool(same))
    } else if draw < 0.1 {
      var unknown = WireChooseSchool()
      unknown.schoolID = "NOSCHOOL"
      ask(.unknownChoice, .chooseSchool(unknown))
    } else {
      tap(at: now)
    }
  }

  // Rooms: a connection moves to its room's shard.

  private func move(at now: Timestamp) {
    guard now >= nextMove else { return }
    nextMove = now.advanced(milliseconds: .random(in: 2_500...5_000, using: &generator))
    if isHost {
      guard !isInRoom else { return }
      var create = WireCreateRoom()
      create.capacity = 200
      create.tickHz = 1
      ask(.room, .createRoom(create))
    } else if isInRoom {
      ask(.leave, .leaveRoom(WireLeaveRoom()))
    } else if let code = context.roomCodes.randomElement(using: &generator) {
      var join = WireJoinRoom()
      join.code = code
      ask(.room, .joinRoom(join))
    }
  }

  func entered(_ room: WireRoom) {
    isInRoom = true
    context.results.moves += 1
    if isHost { context.roomCodes.append(room.code) }
  }

  // The end of the run.

  /// Reports the total of its own school and of others, which it chooses for that.
  func audit(_ others: [String]) {
    if phase == .draining {
      phase = .auditing
      hasAuditedOwn = false
      abandoned = others
      if line.isWelcome { askForTotal() }
    } else if phase == .audited, !others.isEmpty {
      phase = .auditing
      abandoned = others
      if line.isWelcome { auditNext() }
    }
  }

  /// After a loss the last request is repeated.
  func auditNext() {
    if !hasAuditedOwn { return askForTotal() }
    guard let school = abandoned.last else { return phase = .audited }
    choose(school)
  }
}
