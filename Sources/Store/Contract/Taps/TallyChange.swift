// The content that the tally of school taps brings to a commit. A plain value, made under the tally's lock by its owner
// and handed to the store; only the tally knows its meaning.
import Game

/// Records of the tally that no commit has had yet, and rows that include older ones.
///
/// A deleted player is forgotten by these rows alone: the tally's row of the player comes without an identifier,
/// whatever `DeletionChange` does in the same batch or another.
package struct TallyChange: Sendable {
  /// The records since the change before; nil if there are none.
  package var segment: TallySegment?
  /// The rows at that moment, each whole.
  package var rows: TallyRows
  /// The number of the first record that is still needed. Older records are in rows and may be forgotten.
  package var recordsNeededFrom: UInt64
  /// Seasons that ended, with their final rankings. A season that is written again replaces the stored one.
  package var closings: [SeasonClosing]

  package init(
    segment: TallySegment?,
    rows: TallyRows = TallyRows(),
    recordsNeededFrom: UInt64,
    closings: [SeasonClosing] = []
  ) {
    self.segment = segment
    self.rows = rows
    self.recordsNeededFrom = recordsNeededFrom
    self.closings = closings
  }

  /// Whether there is nothing to write.
  package var isEmpty: Bool { segment == nil && rows.count == 0 && closings.isEmpty }
}
