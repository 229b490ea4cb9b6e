// The tally rebuilt from a store's rows and segments, for the server's start and for commands. A value.
import Game

/// A tally that was rebuilt from everything readable.
package struct RecoveredTally: Sendable {
  package fileprivate(set) var tally = Tally()
  /// The number of missing or unreadable segments, and of records in other segments that did not fit and were left out.
  /// Both are 0 unless data was lost.
  package fileprivate(set) var unreadableSegments = 0
  package fileprivate(set) var mismatches = 0

  package var isWhole: Bool { unreadableSegments == 0 && mismatches == 0 }
}

extension TapStore {
  /// Rebuilds the tally in the state of the newest commit. An unreadable row ends the call; unreadable segments are
  /// counted. Blocks.
  package func recoverTally() throws(StoreFailure) -> RecoveredTally {
    var recovered = RecoveredTally()
    try tally { rows in
      try recovered.tally.restore(rows)
    } segments: { segment in
      do throws(JournalFault) {
        recovered.mismatches += try recovered.tally.apply(segment)
      } catch {
        recovered.unreadableSegments += 1
      }
    }
    return recovered
  }
}
