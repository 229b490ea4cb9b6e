// By which time things expire: sessions, bans and mutes, and whatever the store forgets by its age.
//
// Any thread. As a rule that is the machine's clock. Where the clock was far from the last commit at the start, it may be
// wrong, and everything would expire at once: then this time stands still at the last one that was believed, until an
// operator accepts the clock. Rooms and games never ask it. It goes back only when an operator says so. A file that can't be
// read or written keeps no server from serving: until it is read nothing expires.
import Game
import Net
import Synchronization

package final class ExpiryClock: Sendable {
  /// So far ahead of the last commit the clock may be, for a server that was not running, and so far behind it, for one that
  /// was set back a little.
  package static let aheadMax = Duration.seconds(7 * 24 * 60 * 60)
  package static let behindMax = Duration.seconds(60 * 60)
  /// How often an operator is told.
  private static let alertInterval = Duration.seconds(60 * 60)
  private static let trusted = Int64.min
  /// Before all that could expire.
  private static let beginning: Int64 = 0

  /// A mark that is to be written, or with nil that there is to be none.
  private struct Unwritten {
    let mark: ClockMark?
  }

  private struct State {
    /// The file has been read, so it is known whether the clock is believed.
    var isJudged = false
    /// Nil where the clock is believed, and where that is not known yet.
    var suspicion: ClockSuspicion?
    var unwritten: Unwritten?
    /// Why the newest try to read or to write failed; nil when it did not.
    var fault: ClockRecordFault?
    // When an operator was told.
    var suspicionToldAt: Instant?
    var faultToldAt: Instant?
  }

  /// How far the server's time is ahead of the machine's clock.
  private let lead: Duration
  private let record: any ClockRecord
  private let lastAliveAt: Instant?
  /// The time by the machine's clock at the start.
  private let startedAt: Instant
  /// Where this time stands still; `trusted` when it does not.
  private let standsAtMs = Atomic<Int64>(ExpiryClock.beginning)
  private let state = OrderedMutex(.leaf, State())

  /// Compares the clock with `lastAliveAt`, the server's time at the last commit (nil for a new store), and with what is
  /// remembered. What must be remembered is durable when this returns, if it can be written; what can't be read or written
  /// now, `review` tries again. As long as what is remembered can't be read, nothing expires.
  package init(
    _ record: any ClockRecord,
    lastAliveAt: Instant?,
    acceptsClock: Bool,
    clock: any Clock
  ) {
    let lead = Duration.microseconds(clock.leadMicroseconds)
    self.lead = lead
    self.record = record
    self.lastAliveAt = lastAliveAt
    startedAt = Instant(clock.now()) - lead
    do throws(ClockRecordFault) {
      // Whatever was remembered, it was for another clock than the one that is accepted now.
      let mark = acceptsClock ? .accepted(at: startedAt, lead: lead) : try record.read()
      judge(by: mark)
      try write()
    } catch {
      state.withLock { $0.fault = error }
    }
  }

  /// Compares the clock, as it was at the start, with what is remembered.
  private func judge(by mark: ClockMark?) {
    let suspicion = Self.reference(mark, lastAliveAt).flatMap { ClockSuspicion(clock: startedAt, lastTrusted: $0) }
    var unwritten: Unwritten?
    if let suspicion {
      unwritten = Unwritten(mark: .suspect(lastTrusted: suspicion.lastTrusted))
    } else if let mark {
      unwritten = Unwritten(mark: Self.mark(following: mark, lastAliveAt, machine: startedAt, lead: lead))
    }
    state.withLock { [unwritten] state in
      state.isJudged = true
      state.suspicion = suspicion
      state.unwritten = unwritten
    }
    standsAtMs.store(suspicion?.lastTrusted.milliseconds ?? Self.trusted, ordering: .relaxed)
  }

  /// An operator has accepted the clock, which says `machine` now.
  private func believe(at machine: Instant) {
    state.withLock { state in
      state.isJudged = true
      state.suspicion = nil
      // The server knows best how far its time is ahead.
      state.unwritten = Unwritten(mark: .accepted(at: machine, lead: lead))
    }
    standsAtMs.store(Self.trusted, ordering: .relaxed)
  }

  private func write() throws(ClockRecordFault) {
    guard let unwritten = state.withLock({ $0.unwritten }) else { return }
    try record.write(unwritten.mark)
    state.withLock { $0.unwritten = nil }
  }

  /// What the clock is compared with: what it stood at last that is believed; nil when nothing is known.
  private static func reference(_ mark: ClockMark?, _ lastAliveAt: Instant?) -> Instant? {
    switch mark {
    case nil: lastAliveAt
    case .suspect(let lastTrusted): lastTrusted
    case .accepted(let time, let lead): max(time, lastAliveAt.map { $0 - lead } ?? time)
    }
  }

  /// What is to be remembered of a clock that is believed: for how long the server's time is ahead of it, and until a commit
  /// tells of it.
  private static func mark(
    following mark: ClockMark,
    _ lastAliveAt: Instant?,
    machine: Instant,
    lead: Duration
  ) -> ClockMark? {
    if lead > .zero { return .accepted(at: machine, lead: lead) }
    if case .accepted(let time, _) = mark, lastAliveAt.map({ $0 < time }) ?? true { return mark }
    return nil
  }

  /// The clock is not believed, and nothing expires.
  package var isSuspect: Bool { standsAtMs.load(ordering: .relaxed) != Self.trusted }

  /// What has ended by this time has expired. `time` is the server's.
  package func now(_ time: Instant) -> Instant {
    let standsAtMs = standsAtMs.load(ordering: .relaxed)
    return standsAtMs == Self.trusted ? time - lead : Instant(milliseconds: standsAtMs)
  }

  /// Milliseconds until a term's end, at least one. `time` is the server's.
  package func wait(until end: Instant, at time: Instant) -> UInt32 {
    max(1, (end - now(time)).wireMilliseconds)
  }

  /// When a term begins that begins now. While the clock is not believed that is never earlier than where this time stands, so
  /// that nothing new has expired already.
  package func beginOfTerm(_ time: Instant) -> Instant {
    max(time - lead, now(time))
  }

  /// What an operator must be told now: at once and then each hour, as long as the clock is not believed, or what is
  /// remembered of it can't be read or written.
  package func alerts(at time: Instant) -> [GatewayNotification] {
    state.withLock { state in
      var news: [GatewayNotification] = []
      if let suspicion = state.suspicion, Self.isDue(state.suspicionToldAt, at: time) {
        state.suspicionToldAt = time
        news.append(.clockSuspect(suspicion))
      }
      if let fault = state.fault, Self.isDue(state.faultToldAt, at: time) {
        state.faultToldAt = time
        news.append(.clockRecordFails(fault.description, nothingExpires: !state.isJudged))
      }
      return news
    }
  }

  private static func isDue(_ toldAt: Instant?, at time: Instant) -> Bool {
    toldAt.map { time - $0 >= alertInterval } ?? true
  }

  /// Tries again what could not be read or written, and looks whether an operator has accepted the clock meanwhile; what an
  /// operator is to be told of that. Uses files, so not on a shard's thread, and one call at a time.
  package func review(at time: Instant) -> [GatewayNotification] {
    var news: [GatewayNotification] = []
    var fault: ClockRecordFault?
    do throws(ClockRecordFault) {
      if try readAgain(at: time - lead) { news.append(.clockAccepted) }
      try write()
    } catch {
      fault = error
    }
    let isMended = state.withLock { [fault] state in
      defer { state.fault = fault }
      // Another one is told at once.
      if state.fault != fault { state.faultToldAt = nil }
      return state.fault != nil && fault == nil
    }
    if isMended { news.append(.clockRecordWorks) }
    return news
  }

  /// Reads what is remembered, unless the clock is believed; whether an operator has accepted the clock, which says `machine`
  /// now.
  private func readAgain(at machine: Instant) throws(ClockRecordFault) -> Bool {
    guard isSuspect else { return false }
    let mark = try record.read()
    let (isJudged, isWritten) = state.withLock { ($0.isJudged, $0.isJudged && $0.unwritten == nil) }
    if case .accepted(let moment, _) = mark {
      // What was there at the start has been judged by, or is to be; an operator's acceptance comes later.
      let isNew = isWritten || moment >= startedAt && moment <= machine + Self.behindMax
      guard !isNew else {
        believe(at: machine)
        return true
      }
    }
    if !isJudged { judge(by: mark) }
    return false
  }
}

/// A clock that is far from what was last believed.
package struct ClockSuspicion: Hashable, Sendable {
  /// The time by the machine's clock at the start.
  package let clock: Instant
  /// The time of the last commit, or what was believed before, where the clock was in doubt already.
  package let lastTrusted: Instant

  /// Nil when the clock can be believed.
  package init?(clock: Instant, lastTrusted: Instant) {
    let ahead = clock - lastTrusted
    guard ahead > ExpiryClock.aheadMax || ahead < .zero - ExpiryClock.behindMax else { return nil }
    self.clock = clock
    self.lastTrusted = lastTrusted
  }
}
