// The tally as a store has it: made again from rows and segments, for the server's start and for commands. A value.
import Game

/// A tally that has been made again.
package struct RecoveredTally: Sendable {
  package var tally: Tally
  /// How many records did not fit what there was, and were left out; 0 unless something was lost.
  package var misfits: Int
}

extension Store {
  /// Makes the tally again, in the state of the newest commit. Waits.
  package func recoverTally() throws(StoreFailure) -> RecoveredTally {
    var recovered = RecoveredTally(tally: Tally(), misfits: 0)
    try tally { rows in
      try recovered.tally.restore(rows)
    } segments: { segment in
      recovered.misfits += try recovered.tally.apply(segment)
    }
    return recovered
  }
}
