// What the tally of school taps brings to a commit. A plain value, made under the tally's lock by whoever owns it and
// handed to the store; what it means is the tally's to know.
import Game

/// Records of the tally that no commit had yet, and rows that have older ones in them.
///
/// A player who is deleted is forgotten by these alone: the tally's row of the player comes without an identifier,
/// whatever `DeletionChange` does in the same batch or another.
package struct TallyChange: Sendable {
  /// What was decided since the change before; nil if nothing.
  package var segment: TallySegment?
  /// Rows as they were then, each whole.
  package var rows: TallyRows
  /// Older records are in rows by now and may be forgotten.
  package var recordsNeededFrom: UInt64
  /// Seasons that ended, with their final rankings. One that is written again takes the place of what was there.
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

  /// It has nothing to write.
  package var isEmpty: Bool { segment == nil && rows.count == 0 && closings.isEmpty }
}
