// The time by which things expire: sessions, bans, mutes, and everything that the store forgets by age.
//
// Any thread. This time normally follows the machine's clock. A clock that was far from the last commit at the start
// may be wrong, and everything would expire at once. This time then stands still at the last trusted time until an
// operator accepts the clock. Rooms and games never use it. It goes back only when an operator says so. A record file
// that can't be read or written never stops the server; nothing expires until the file is read.
import Game
import Locks
import Net
import Synchronization

package final class ExpiryClock: Sendable {
  /// The clock's largest lead over the last commit, for a server that was not running, and its largest lag, for a clock
  /// that was set back a little.
  package static let aheadMax = Duration.seconds(7 * 24 * 60 * 60)
  package static let behindMax = Duration.seconds(60 * 60)
  /// The interval of alerts to an operator.
  private static let alertInterval = Duration.seconds(60 * 60)
  private static let trusted = Int64.min
  /// A time before all that could expire.
  private static let beginning: Int64 = 0

  /// A mark to write; nil inside means that the stored mark is to be removed.
  private struct Unwritten {
    let mark: ClockMark?
  }

  private struct State {
    /// The file has been read, so the trust in the clock is decided.
    var isJudged = false
    /// Nil where the clock is trusted, and where that is not known yet.
    var suspicion: ClockSuspicion?
    var unwritten: Unwritten?
    /// The failure of the newest read or write; nil when it did not fail.
    var fault: ClockRecordFault?
    // The times of the last alerts to an operator.
    var suspicionReportedAt: Instant?
    var faultReportedAt: Instant?
  }

  /// The lead of the server's time over the machine's clock.
  private let lead: Duration
  private let record: any ClockRecord
  private let lastAliveAt: Instant?
  /// The time by the machine's clock at the start.
  private let startedAt: Instant
  /// The time at which this clock stands still; `trusted` when it runs.
  private let standsAtMs = Atomic<Int64>(ExpiryClock.beginning)
  private let state = OrderedMutex(.leaf, State())

  /// Compares the clock with the time of the last commit and with the stored mark.
  ///
  /// `lastAliveAt` is the server's time at the last commit, nil for a new store. The new mark is durable on return if
  /// it can be written. `review` retries a read or write that fails now. Nothing expires as long as the mark can't be
  /// read.
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
      // A stored mark was for another clock than the one that is accepted now.
      let mark = acceptsClock ? .accepted(at: startedAt, lead: lead) : try record.read()
      judge(by: mark)
      try write()
    } catch {
      state.withLock { $0.fault = error }
    }
  }

  /// Compares the clock, as it was at the start, with the stored mark.
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

  /// The last trusted time, with which the clock is compared; nil when nothing is known.
  private static func reference(_ mark: ClockMark?, _ lastAliveAt: Instant?) -> Instant? {
    switch mark {
    case nil: lastAliveAt
    case .suspect(let lastTrusted): lastTrusted
    case .accepted(let time, let lead): max(time, lastAliveAt.map { $0 - lead } ?? time)
    }
  }

  /// The mark to store for a trusted clock. It is kept while the server's time is ahead of the clock, and until a
  /// commit records the clock's time.
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

  /// The clock is distrusted, and nothing expires.
  package var isSuspect: Bool { standsAtMs.load(ordering: .relaxed) != Self.trusted }

  /// The time by which terms expire: a term that has ended by it has expired. `time` is the server's.
  package func now(_ time: Instant) -> Instant {
    let standsAtMs = standsAtMs.load(ordering: .relaxed)
    return standsAtMs == Self.trusted ? time - lead : Instant(milliseconds: standsAtMs)
  }

  /// Milliseconds until a term's end, at least one. `time` is the server's.
  package func wait(until end: Instant, at time: Instant) -> UInt32 {
    max(1, (end - now(time)).wireMilliseconds)
  }

  /// The begin of a term that begins now. While the clock is distrusted, it is never earlier than the time at which
  /// this clock stands, so that nothing new has expired already.
  package func beginOfTerm(_ time: Instant) -> Instant {
    max(time - lead, now(time))
  }

  /// The alerts that are due for an operator: at once and then each hour, as long as the clock is distrusted or its
  /// record can't be read or written.
  package func alerts(at time: Instant) -> [GatewayNotification] {
    state.withLock { state in
      var notifications: [GatewayNotification] = []
      if let suspicion = state.suspicion, Self.isDue(state.suspicionReportedAt, at: time) {
        state.suspicionReportedAt = time
        notifications.append(.clockSuspect(suspicion))
      }
      if let fault = state.fault, Self.isDue(state.faultReportedAt, at: time) {
        state.faultReportedAt = time
        notifications.append(.clockRecordFails(fault.description, nothingExpires: !state.isJudged))
      }
      return notifications
    }
  }

  private static func isDue(_ reportedAt: Instant?, at time: Instant) -> Bool {
    reportedAt.map { time - $0 >= alertInterval } ?? true
  }

  /// Retries failed reads and writes, and checks whether an operator has accepted the clock meanwhile.
  ///
  /// - Returns: the notifications for an operator. Uses files, so not on a shard's queue, and one call at a time.
  package func review(at time: Instant) -> [GatewayNotification] {
    var notifications: [GatewayNotification] = []
    var fault: ClockRecordFault?
    do throws(ClockRecordFault) {
      if try readAgain(at: time - lead) { notifications.append(.clockAccepted) }
      try write()
    } catch {
      fault = error
    }
    let isMended = state.withLock { [fault] state in
      defer { state.fault = fault }
      // Another fault is reported at once.
      if state.fault != fault { state.faultReportedAt = nil }
      return state.fault != nil && fault == nil
    }
    if isMended { notifications.append(.clockRecordWorks) }
    return notifications
  }

  /// Reads the stored mark, unless the clock is trusted.
  ///
  /// - Returns: whether an operator has accepted the clock, which says `machine` now.
  private func readAgain(at machine: Instant) throws(ClockRecordFault) -> Bool {
    guard isSuspect else { return false }
    let mark = try record.read()
    let (isJudged, isWritten) = state.withLock { ($0.isJudged, $0.isJudged && $0.unwritten == nil) }
    if case .accepted(let moment, _) = mark {
      // The mark of the start has been judged, or will be; an operator's acceptance comes later.
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

/// A clock that is far from the last trusted time.
package struct ClockSuspicion: Hashable, Sendable {
  /// The time by the machine's clock at the start.
  package let clock: Instant
  /// The time of the last commit, or the time trusted before, where the clock was in doubt already.
  package let lastTrusted: Instant

  /// Nil when the clock can be trusted.
  package init?(clock: Instant, lastTrusted: Instant) {
    let ahead = clock - lastTrusted
    guard ahead > ExpiryClock.aheadMax || ahead < .zero - ExpiryClock.behindMax else { return nil }
    self.clock = clock
    self.lastTrusted = lastTrusted
  }
}
