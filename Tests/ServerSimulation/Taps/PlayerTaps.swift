// A player's client of the contest: chooses a school, taps in numbered batches by PROTOCOL.md, watches the ranking, and may
// have their account deleted. What it is answered is in PlayerTapAnswers.swift.
import MadangProtocol
import Net
import SeededRandom

extension Player {
  /// What an answer is awaited to.
  enum TapRequest {
    case choose(String)
    /// The batch that is kept.
    case batch
    /// The same, before the first was answered: nobody should.
    case second
    /// The newest number that is used up.
    case again
    /// An earlier one.
    case past(UInt32)
    /// One that can't come yet.
    case gap
    /// The next number, without taps.
    case nothing
    /// Before the first choice.
    case schoolless
    case watch(UInt32)
    case unwatch

    /// The school that it names.
    var school: String? { if case .choose(let school) = self { school } else { nil } }

    /// A closed school refuses it.
    var isRefusedForClosed: Bool {
      switch self {
      case .choose, .batch, .second, .gap, .nothing: true
      case .again, .past, .schoolless, .watch, .unwatch: false
      }
    }
  }

  /// Something about the own taps is under way.
  var isTapping: Bool {
    requests.values.contains { request in
      switch request {
      case .taps(.watch), .taps(.unwatch): false
      case .taps, .deleteAccount: true
      default: false
      }
    }
  }

  var isAskingForRanking: Bool {
    requests.values.contains { request in
      switch request {
      case .taps(.watch), .taps(.unwatch): true
      default: false
      }
    }
  }

  /// Nothing about taps is under way or to be asked again.
  var isAtRest: Bool { state == .ready && !isTapping && !taps.hasToAct }

  // New requests, of who is at rest.

  func choose(_ school: String, at now: Timestamp) {
    taps.want(school)
    goOnTapping(at: now)
  }

  func tap(_ count: Int64, at now: Timestamp) {
    taps.keep(count)
    goOnTapping(at: now)
  }

  /// Asks for what is not done. Where a batch is kept and a choice wanted, the school has closed: first the choice.
  func goOnTapping(at now: Timestamp) {
    taps.actAt = nil
    guard state == .ready, taps.hasToAct else { return }
    guard !isTapping else { return actLater(at: now, afterMs: 50) }
    if let school = taps.wanted {
      var choose = WireChooseSchool()
      choose.schoolID = school
      return ask(.chooseSchool(choose), .taps(.choose(school)), at: now)
    }
    guard let batch = taps.kept else { return }
    taps.noteSent()
    probe(batch.number, batch.count, .batch, at: now)
    if random.chance(8) { probe(batch.number, batch.count, .second, at: now) }
  }

  func actLater(at now: Timestamp, afterMs: Int64) {
    taps.actAt = now.advanced(milliseconds: afterMs)
  }

  /// Sends a batch, right or wrong.
  func probe(_ number: UInt32, _ count: Int64, _ request: TapRequest, at now: Timestamp) {
    var tap = WireTap()
    tap.batch = number
    tap.count = count
    ask(.tap(tap), .taps(request), at: now)
  }

  func watchRanking(_ top: UInt32?, at now: Timestamp) {
    var watch = WireWatchRanking()
    if let top { watch.top = top }
    ranking.wanted = top ?? RankingCopy.topDefault
    ask(.watchRanking(watch), .taps(.watch(ranking.wanted ?? 0)), at: now)
  }

  func unwatchRanking(at now: Timestamp) {
    ranking.wanted = nil
    ask(.unwatchRanking(.init()), .taps(.unwatch), at: now)
  }

  // Connections.

  /// The connection is there again: goes on where it was lost.
  func goOnAfterWelcome(at now: Timestamp) {
    if let top = ranking.wanted { watchRanking(top, at: now) }
    goOnTapping(at: now)
  }

  /// Nobody has the player's name any more; what was counted stays.
  func buryTaps() {
    world.writtenTaps.bury(taps)
    taps = TapCopy()
  }
}
