// What all bots of a `taps` are to do.
//
// A value.
import MadangProtocol

struct TapsPlan: Sendable {
  let target: ServerTarget
  let roll: PlayerRoll
  let tappers: Int
  /// What they are like, in turn.
  let kinds: [TapperKind]
  /// Between two batches of a tapper.
  let intervalMicroseconds: Int64
  let watchers: Int
  /// How many rows most watchers want; nil for the server's own.
  let top: UInt32?
  /// One watcher of so many looks at what rankings tell; the others only at when they come.
  let lookEvery: Int
  /// What may be chosen.
  let schools: [String]
  let pace: ConnectPace
  let shards: Int
  /// What is drawn is drawn from.
  let seed: UInt64
  /// The server may die: its bots come back, and nothing is wrong with that.
  let survives: Bool
  /// While it is away its operators may close seasons and void taps.
  let isOperated: Bool

  /// How long after the last connection was begun all must be there.
  static let enteringSecondsMax = 60
  /// How long answers are waited for after the last batch, and how long all totals take to be asked for.
  static let settlingSecondsMax = 60

  var players: Int { tappers + watchers }

  /// What its bots have occasion to hold the server to.
  var expectations: [Expectation] {
    let ofTappers = Set(kinds.prefix(tappers).flatMap(\.expectations))
    let ofWatchers: Set<Expectation> = [.rankingFits, .rankingChanged, .rankingGrows, .rankingPace]
    let all = watchers > 0 ? ofTappers.union(ofWatchers) : ofTappers
    return all.subtracting(isOperated ? [.conserved] : []).sorted { $0.rawValue < $1.rawValue }
  }

  /// In turn, and in each turn one further: connections go to the server's shards in turn too.
  func kind(ofTapper index: Int) -> TapperKind { kinds[(index + index / kinds.count) % kinds.count] }

  /// What a player chooses first.
  func school(ofPlayer index: Int) -> String {
    var generator = SplitMix64(seed ^ UInt64(roll.number(of: index)) << 20)
    return schools[Int.random(in: schools.indices, using: &generator)]
  }

  /// One mover of so many makes a room and stays in it.
  private static let moversPerRoom = 8

  func isHost(_ index: Int) -> Bool {
    kind(ofTapper: index) == .mover && index / kinds.count % Self.moversPerRoom == 0
  }

  /// How many taps a batch has on average, so that all of a window have as many as there may be.
  var tapsPerBatch: Int64 {
    max(1, Limits.batchTaps.upperBound * intervalMicroseconds / (Limits.tapsWindowSeconds * 1_000_000))
  }
}
