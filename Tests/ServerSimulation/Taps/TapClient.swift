// A player's client of the contest: chooses a school, taps in numbered batches by PROTOCOL.md, and watches the ranking.
//
// Owned by its player, whose connection it uses. TapClientAnswers.swift handles the answers.
import MadangProtocol
import Net
import SeededRandom

/// The player whom a client of the contest taps for.
protocol TapPlayer: AnyObject {
  var number: Int { get }
  var playerID: String? { get }
  var random: SplitMix64 { get set }
  /// Whether the player is connected and welcome.
  var isReady: Bool { get }
  /// Whether a request about taps is under way.
  var isTapping: Bool { get }

  /// Sends a request that must be answered.
  func ask(_ body: WireClientMessage.OneOf_Body, _ request: TapRequest, at now: Timestamp)
}

/// The world that the contest's answers are checked against.
protocol TapWorld: AnyObject {
  var schools: SimulatedSchools { get }
  var writtenTaps: WrittenTaps { get set }
  var report: Report { get set }
  /// Whether the store has had a fault: answers may call it unavailable.
  var hasStoreFailed: Bool { get }
}

final class TapClient {
  unowned let player: any TapPlayer
  unowned let world: any TapWorld
  var taps = TapCopy()
  var ranking = RankingCopy()

  init(of player: any TapPlayer, in world: any TapWorld) {
    self.player = player
    self.world = world
  }

  /// Whether no request about taps is under way or to be repeated.
  var isAtRest: Bool { player.isReady && !player.isTapping && !taps.hasToAct }

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
    guard player.isReady, taps.hasToAct else { return }
    guard !player.isTapping else { return actLater(at: now, afterMs: 50) }
    if let school = taps.wanted {
      var choose = WireChooseSchool()
      choose.schoolID = school
      return player.ask(.chooseSchool(choose), .choose(school), at: now)
    }
    guard let batch = taps.kept else { return }
    taps.noteSent()
    probe(batch.number, batch.count, .batch, at: now)
    if player.random.chance(8) { probe(batch.number, batch.count, .second, at: now) }
  }

  func actLater(at now: Timestamp, afterMs: Int64) {
    taps.actAt = now.advanced(milliseconds: afterMs)
  }

  /// Sends a batch, right or wrong.
  func probe(_ number: UInt32, _ count: Int64, _ request: TapRequest, at now: Timestamp) {
    var tap = WireTap()
    tap.batch = number
    tap.count = count
    player.ask(.tap(tap), request, at: now)
  }

  func watchRanking(_ top: UInt32?, at now: Timestamp) {
    var watch = WireWatchRanking()
    if let top { watch.top = top }
    ranking.wanted = top ?? RankingCopy.topDefault
    player.ask(.watchRanking(watch), .watch(ranking.wanted ?? 0), at: now)
  }

  func unwatchRanking(at now: Timestamp) {
    ranking.wanted = nil
    player.ask(.unwatchRanking(.init()), .unwatch, at: now)
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
