// The tally as a store has it: made again from rows and segments, for the server's start and for commands. A value.
import Game

/// A tally that has been made again, from all that can be read.
package struct RecoveredTally: Sendable {
  package fileprivate(set) var tally = Tally()
  /// How many segments are missing or can't be read, and how many records of others do not fit what there was and were
  /// left out: 0 unless something was lost.
  package fileprivate(set) var unreadableSegments = 0
  package fileprivate(set) var misfits = 0

  package var isWhole: Bool { unreadableSegments == 0 && misfits == 0 }
}

extension TapStore {
  /// Makes the tally again, in the state of the newest commit. A row that can't be read ends it; of segments what is
  /// lost is counted. Waits.
  package func recoverTally() throws(StoreFailure) -> RecoveredTally {
    var recovered = RecoveredTally()
    try tally { rows in
      try recovered.tally.restore(rows)
    } segments: { segment in
      do throws(JournalFault) {
        recovered.misfits += try recovered.tally.apply(segment)
      } catch {
        recovered.unreadableSegments += 1
      }
    }
    return recovered
  }
}
