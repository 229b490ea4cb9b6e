// Forged walks past the rules of positions: how many become suspect, when, and what they gain. A solo room in footprint
// mode takes each fix at the time at which it is told. The same seed gives the same outcome.
import Game
import ReceiverErrors
import SeededRandom

/// Forged walks of each kind.
package struct ForgeryTrial {
  /// The outcomes of the walks of one kind.
  package struct Tally: Sendable {
    package let kind: Forgery
    package private(set) var walks = 0
    package private(set) var suspectWithinMinute = 0
    private var suspectLater = 0
    private var points = 0
    private var distanceM: Int64 = 0

    fileprivate mutating func add(_ suspectAfterMs: Int64?, points: Int, distanceM: Int64) {
      walks += 1
      self.points += points
      self.distanceM += distanceM
      guard let suspectAfterMs else { return }
      if suspectAfterMs <= 60_000 { suspectWithinMinute += 1 } else { suspectLater += 1 }
    }

    fileprivate init(_ kind: Forgery) { self.kind = kind }

    fileprivate mutating func add(_ other: Tally) {
      walks += other.walks
      suspectWithinMinute += other.suspectWithinMinute
      suspectLater += other.suspectLater
      points += other.points
      distanceM += other.distanceM
    }

    package var line: String {
      let walks = max(1, walks)
      return
        "\(kind)\(kind.isUnavoidable ? ", which obeys every rule" : ""): suspect within 60 s \(suspectWithinMinute), later "
        + "\(suspectLater), of \(walks); in two minutes \(Double(points * 10 / walks) / 10) points and "
        + "\(distanceM / Int64(walks)) m on average"
    }

    fileprivate var fingerprint: UInt64 {
      UInt64(suspectWithinMinute) &* 31 &+ UInt64(points) &* 17 &+ UInt64(bitPattern: distanceM)
    }
  }

  static let began = Instant(milliseconds: 1_790_000_000_000)
  private static let honestMs: Int64 = 30_000

  /// By kind, in the order of `Forgery.allCases`.
  package private(set) var tallies = Forgery.allCases.map { Tally($0) }

  package init() {}

  package static func += (sum: inout ForgeryTrial, other: ForgeryTrial) {
    for index in sum.tallies.indices { sum.tallies[index].add(other.tallies[index]) }
  }

  package var lines: [String] { tallies.map(\.line) }
  package var fingerprint: UInt64 { tallies.reduce(0) { $0 &* 31 &+ $1.fingerprint } }

  /// A walk of each kind.
  package static func run(seed: UInt64) throws -> ForgeryTrial {
    var trial = ForgeryTrial()
    for index in trial.tallies.indices { try trial.forge(index, seed: seed) }
    return trial
  }

  /// Half a minute of an honest walk under an open sky, which ends where two minutes of a forgery begin.
  private mutating func forge(_ index: Int, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let timesMs = Array(stride(from: 0, through: Self.honestMs, by: 1_000))
    let errors = ReceiverClass.open.errors(atMs: timesMs, using: &random)
    var player = try LonePlayer()
    for (timeMs, error) in zip(timesMs, errors) {
      let northM = Double(timeMs - Self.honestMs) / 500
      let coordinate = HonestWalk.coordinate(northM: northM + error.northM, eastM: error.eastM)
      let time = Self.began + .milliseconds(timeMs)
      player.tell(
        Fix(
          latE7: coordinate.latE7,
          lngE7: coordinate.lngE7,
          accuracyM: UInt32(error.accuracyM.rounded(.up)),
          time: time
        ),
        at: time
      )
    }
    let before = player.points
    let told = Forger.fixes(of: tallies[index].kind, fromMs: Self.honestMs, random: random)
    var suspectAfterMs: Int64?
    for item in told {
      player.tell(item.fix, at: Self.began + .milliseconds(item.atMs))
      if suspectAfterMs == nil, player.isSuspect { suspectAfterMs = item.atMs - told[0].atMs }
    }
    let points = player.points - before
    let honestM = Self.honestMs / 500
    tallies[index].add(suspectAfterMs, points: points, distanceM: player.endedDistanceM() - honestM)
  }
}

/// A player alone in a running footprint game.
private struct LonePlayer {
  private var room: Room
  private var effects = Effects()

  init() throws {
    room = Room(try RoomConfiguration(duration: .seconds(7_200), solo: true), seed: 1, at: ForgeryTrial.began)
    room.apply(.join(PlayerID(1), nickname: "walker"), at: ForgeryTrial.began, into: &effects)
    room.apply(.startGame(.seat(0)), at: ForgeryTrial.began, into: &effects)
  }

  var isSuspect: Bool { room.isSuspect(seat: 0) }

  var points: Int {
    var rows = Tick()
    room.appendPositions(to: &rows)
    return rows.points.first.map { Int($0) } ?? 0
  }

  mutating func tell(_ fix: Fix, at now: Instant) {
    room.apply(.move(.seat(0), fix), at: now, into: &effects)
  }

  /// Ends the game, and returns the player's distance in it.
  mutating func endedDistanceM() -> Int64 {
    room.apply(.tick(through: .max), at: ForgeryTrial.began + .seconds(7_900), into: &effects)
    return (room.board.first?.distanceMm ?? 0) / 1_000
  }
}
