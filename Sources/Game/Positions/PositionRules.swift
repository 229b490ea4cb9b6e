// The numbers of the rules of position, in one place: the requirements on a fix to be accepted, to count and to be
// believed. All are whole, times in milliseconds. The greatest speed is a room's setting, in its configuration.

/// The numbers of the rules of position.
package enum PositionRules {
  // The rate of a player's fixes: ten a second on average, ten at once. Further ones are ignored.
  static let fixesAtOnce: Int64 = 10
  static let fixIntervalMs: Int64 = 100

  /// A fix of worse accuracy is ignored.
  package static let accuracyMaxM: UInt32 = 50
  /// A fix may be this far ahead of the server's clock.
  package static let aheadMaxMs: Int64 = 2_000
  /// A fix may be this far behind the server's clock.
  package static let behindMaxMs: Int64 = 30_000
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

  /// This many refusals …
  package static let suspectRefusals = 3
  /// … in less than this time make a player suspect.
  package static let suspectWindowMs: Int64 = 60_000
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
