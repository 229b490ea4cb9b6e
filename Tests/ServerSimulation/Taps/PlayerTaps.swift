// A player's client of the contest: chooses a school, taps in numbered batches by PROTOCOL.md, watches the ranking, and
// may have their account deleted. PlayerTapAnswers.swift handles the answers.
import MadangProtocol
import Net
import SeededRandom

extension Player {
  /// Whether no request about taps is under way or to be repeated.
  var isAtRest: Bool { state == .ready && !isTapping && !taps.hasToAct }

  // New requests of a player at rest.

  func choose(_ school: String, at now: Timestamp) {
    taps.want(school)
    continueTapping(at: now)
  }

  func tap(_ count: Int64, at now: Timestamp) {
    taps.keep(count)
    continueTapping(at: now)
  }

  /// Repeats the unfinished requests. If a batch is kept and a choice wanted, the school has closed: the choice goes
  /// first.
  func continueTapping(at now: Timestamp) {
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

  /// The connection is back: goes on where it was lost.
  func continueAfterWelcome(at now: Timestamp) {
    if let top = ranking.wanted { watchRanking(top, at: now) }
    continueTapping(at: now)
  }

  /// The player is deleted; counted taps stay.
  func keepTapsAfterDeletion() {
    world.writtenTaps.keepTapsOfDeleted(taps)
    taps = TapCopy()
  }
}
