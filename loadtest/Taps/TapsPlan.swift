// The plan for all bots of a `taps`.
//
// A value.
import MadangProtocol

struct TapsPlan: Sendable {
  let target: ServerTarget
  let identities: PlayerIdentities
  let tappers: Int
  /// The kinds of the tappers, in turn.
  let kinds: [TapperKind]
  /// The time between two batches of a tapper.
  let intervalMicroseconds: Int64
  let watchers: Int
  /// The number of rows for most watchers; nil for the server's own.
  let top: UInt32?
  /// One watcher in so many checks the content of rankings; the others only the arrival.
  let lookEvery: Int
  /// The schools that may be chosen.
  let schools: [String]
  let pace: ConnectPace
  let shards: Int
  /// The seed of everything drawn.
  let seed: UInt64
  /// Whether the server may die: its bots come back, and that is no fault.
  let survives: Bool
  /// Whether operators may close seasons and void taps while the server is away.
  let isOperated: Bool

  /// The time after the last connection was begun by which all must be there.
  static let enteringSecondsMax = 60
  /// The time for answers after the last batch, and for asking for all totals.
  static let drainSecondsMax = 60

  var players: Int { tappers + watchers }

  /// The expectations that its bots can check.
  var expectations: [Expectation] {
    let ofTappers = Set(kinds.prefix(tappers).flatMap(\.expectations))
    let ofWatchers: Set<Expectation> = [.rankingFits, .rankingChanged, .rankingGrows, .rankingPace]
    let all = watchers > 0 ? ofTappers.union(ofWatchers) : ofTappers
    return all.subtracting(isOperated ? [.conserved] : []).sorted { $0.rawValue < $1.rawValue }
  }

  /// The kinds in turn, shifted by one in each round: connections go to the server's shards in turn too.
  func kind(ofTapper index: Int) -> TapperKind { kinds[(index + index / kinds.count) % kinds.count] }

  /// The first choice of a player.
  func school(ofPlayer index: Int) -> String {
    var generator = SplitMix64(seed ^ UInt64(identities.number(of: index)) << 20)
    return schools[Int.random(in: schools.indices, using: &generator)]
  }

  /// One mover in so many makes a room and stays in it.
  private static let moversPerRoom = 8

  func isHost(_ index: Int) -> Bool {
    kind(ofTapper: index) == .mover && index / kinds.count % Self.moversPerRoom == 0
  }

  /// The average number of taps in a batch, chosen so that all batches of a window use its limit.
  var tapsPerBatch: Int64 {
    max(1, Limits.batchTaps.upperBound * intervalMicroseconds / (Limits.tapsWindowSeconds * 1_000_000))
  }
}
