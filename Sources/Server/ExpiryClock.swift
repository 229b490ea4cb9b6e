// By which time things expire: sessions, bans and mutes, and whatever the store forgets by its age.
//
// Any thread. As a rule that is the machine's clock. Where the clock was far from the last commit at the start, it may be
// wrong, and everything would expire at once: then this time stands still at the last one that was believed, until an
// operator accepts the clock. Rooms and games never ask it. It goes back only when an operator says so.
import Game
import Net
import Synchronization

final class ExpiryClock: Sendable {
  /// So far ahead of the last commit the clock may be, for a server that was not running, and so far behind it, for one that
  /// was set back a little.
  static let aheadMax = Duration.seconds(7 * 24 * 60 * 60)
  static let behindMax = Duration.seconds(60 * 60)
  /// How often an operator is told.
  private static let alertInterval = Duration.seconds(60 * 60)
  private static let trusted = Int64.min

  /// How far the server's time is ahead of the machine's clock.
  private let lead: Duration
  private let record: any ClockRecord
  private let suspicion: ClockSuspicion?
  /// Where this time stands still; `trusted` when it does not.
  private let standsAtMs: Atomic<Int64>
  private let lastAlert = Mutex<Instant?>(nil)

  /// Compares the clock with `lastAliveAt`, the server's time at the last commit (nil for a new store), and with what is
  /// remembered. What must be remembered is durable when this returns.
  ///
  /// - Throws: `StartFailure` when it can't be read or written.
  init(
    _ record: any ClockRecord,
    lastAliveAt: Instant?,
    acceptsClock: Bool,
    clock: any Clock
  ) throws(StartFailure) {
    self.record = record
    let lead = Duration.microseconds(clock.leadMicroseconds)
    self.lead = lead
    let machine = Instant(clock.now()) - lead
    do throws(ClockRecordFault) {
      // Whatever was remembered, it was for another clock than the one that is accepted now.
      let mark = acceptsClock ? .accepted(at: machine, lead: lead) : try record.read()
      let reference = Self.reference(mark, lastAliveAt)
      suspicion = reference.flatMap { ClockSuspicion(clock: machine, lastTrusted: $0) }
      standsAtMs = Atomic(suspicion?.lastTrusted.milliseconds ?? Self.trusted)
      if let suspicion {
        try record.write(.suspect(lastTrusted: suspicion.lastTrusted))
      } else if let mark {
        try record.write(Self.mark(following: mark, lastAliveAt, machine: machine, lead: lead))
      }
    } catch {
      throw StartFailure(description: error.description)
    }
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
  var isSuspect: Bool { standsAtMs.load(ordering: .relaxed) != Self.trusted }

  /// What has ended by this time has expired. `time` is the server's.
  func now(_ time: Instant) -> Instant {
    let standsAtMs = standsAtMs.load(ordering: .relaxed)
    return standsAtMs == Self.trusted ? time - lead : Instant(milliseconds: standsAtMs)
  }

  /// When a term begins that begins now. While the clock is not believed that is never earlier than where this time stands, so
  /// that nothing new has expired already.
  func beginOfTerm(_ time: Instant) -> Instant {
    max(time - lead, now(time))
  }

  /// What an operator must be told now: at once and then each hour, as long as the clock is not believed.
  func alert(at time: Instant) -> ClockSuspicion? {
    guard isSuspect, let suspicion else { return nil }
    let isDue = lastAlert.withLock { last in
      if let last, time - last < Self.alertInterval { return false }
      last = time
      return true
    }
    return isDue ? suspicion : nil
  }

  /// Looks whether an operator has accepted the clock meanwhile; true once. Reads a file, so not on a shard's thread.
  func takeAcceptance(at time: Instant) -> Bool {
    guard isSuspect else { return false }
    do throws(ClockRecordFault) {
      guard case .accepted = try record.read() else { return false }
      // The server knows best how far its time is ahead.
      try record.write(.accepted(at: time - lead, lead: lead))
    } catch {
      return false
    }
    return standsAtMs.exchange(Self.trusted, ordering: .relaxed) != Self.trusted
  }
}

/// A clock that is far from what was last believed.
package struct ClockSuspicion: Hashable, Sendable {
  /// What the machine's clock said at the start.
  package let clock: Instant
  /// The time of the last commit, or what was believed before, where the clock was in doubt already.
  package let lastTrusted: Instant

  /// Nil when the clock can be believed.
  init?(clock: Instant, lastTrusted: Instant) {
    let ahead = clock - lastTrusted
    guard ahead > ExpiryClock.aheadMax || ahead < .zero - ExpiryClock.behindMax else { return nil }
    self.clock = clock
    self.lastTrusted = lastTrusted
  }
}
