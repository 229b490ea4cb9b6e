// The numbers of the rules of position, in one place: the requirements on a fix to be accepted, to count and to be
// believed. All are whole, times in milliseconds. The greatest speed is a room's setting, in its configuration.

/// The numbers of the rules of position.
package enum PositionRules {
  // The rate of a player's fixes by their own times: ten a second on average, ten at once. Further ones are refused.
  static let fixesAtOnce: Int64 = 10
  static let fixIntervalMs: Int64 = 100

  /// A fix of worse accuracy is refused.
  package static let accuracyMaxM: UInt32 = 50
  /// A fix may be this far ahead of the server's clock.
  package static let aheadMaxMs: Int64 = 2_000
  /// An older fix is late.
  package static let lateMs: Int64 = 30_000
  /// The greatest latitude on the map.
  package static let latMaxE7: Int32 = 850_000_000
  /// The greatest longitude on Earth.
  package static let lngMaxE7: Int32 = 1_800_000_000

  // A fix is compared with the newest accepted one, and with those of about these ages. Otherwise steps as long as the
  // tolerance would gain a forger with ten fixes a second 200 m/s.
  static let shortPaceMs: Int64 = 10_000
  static let longPaceMs: Int64 = 30_000
  /// The greatest allowance for the accuracies of two fixes, added to the distance between them.
  static let toleranceMaxM: UInt32 = 20

  /// This many findings …
  package static let suspectFindings = 3
  /// … in less than this time make a player suspect.
  package static let suspectWindowMs: Int64 = 60_000
  /// A speed beyond the limit is a finding once it is kept up for this time.
  package static let tooFastMs: Int64 = 10_000
  // The rate of a receiver's jumps, in metres beyond the player's reach: 4 m/s on average, 250 m at once. Further ones
  // are findings. A long jump counts as 150 m, for receivers have a few.
  static let jumpMMax: Int64 = 150
  static let jumpMAtOnce: Int64 = 250
  static let jumpMIntervalMs: Int64 = 250
  /// This many fixes that agree with each other …
  package static let anchorFixes = 10
  /// … over at least this time become the new anchor.
  package static let anchorMs: Int64 = 10_000

  /// A longer step does not count towards the distance.
  package static let stepMaxMm: Int64 = 100_000

  /// Whether a fix may have this coordinate.
  package static func isOnMap(_ coordinate: Coordinate) -> Bool {
    (-latMaxE7...latMaxE7).contains(coordinate.latE7) && (-lngMaxE7...lngMaxE7).contains(coordinate.lngE7)
  }
}
