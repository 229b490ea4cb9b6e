// Writes the tally's changes of a batch: on the writer's queue, inside the batch's transaction. One per open store.
// Records must be written whatever has happened to rows: a rebuilt tally needs only the records and rows as some
// earlier commit left them.
import GRDB
import Game
import Synchronization

/// The writing of the tally's changes.
final class TapWriting: Sendable {
  /// Whether rows have met damage: they stay as they are, so all records since then are needed.
  private let hasGivenUpRows = Atomic<Bool>(false)

  /// The failure that an operator must act on; nil where all is well.
  var failure: StoreFailure? {
    guard hasGivenUpRows.load(ordering: .relaxed) else { return nil }
    return .corrupt(
      """
      rows of the school taps could not be written and stay as they were; nothing that was acknowledged is lost, for all \
      records since then are kept, but those grow until the next start: restart the server, and see madang check
      """
    )
  }

  /// Writes the changes; throws errors of the disk or the database, except for damage in parts.
  func write(_ changes: [TallyChange], _ parts: BatchParts, on db: Database) throws {
    for change in changes {
      if let segment = change.segment { try insert(segment, on: db) }
    }
    for (index, closing) in changes.flatMap(\.closings).enumerated() {
      _ = try parts.write(.closing(index)) { try write(closing, on: db) }
    }
    guard !hasGivenUpRows.load(ordering: .relaxed) else { return }
    let rows: Void? = try parts.write(.rows) {
      for change in changes where !change.isEmpty {
        try TapRowWriting(db: db).write(change.rows)
        try db.run(
          "DELETE FROM tally_segments WHERE first < ? AND last < ?",
          change.recordsNeededFrom,
          change.recordsNeededFrom
        )
      }
    }
    if rows == nil { hasGivenUpRows.store(true, ordering: .relaxed) }
  }

  private func insert(_ segment: TallySegment, on db: Database) throws {
    // This usually looks at the newest row and finds nothing.
    try db.run(
      """
      DELETE FROM tally_segments
      WHERE first >= (SELECT COALESCE(MAX(first), 0) FROM tally_segments WHERE first < ?) AND last >= ?
      """,
      segment.sequences.lowerBound,
      segment.sequences.lowerBound
    )
    try db.run(
      "INSERT INTO tally_segments (first, last, bytes) VALUES (?, ?, ?)",
      segment.sequences.lowerBound,
      segment.sequences.upperBound,
      Blob(segment.bytes)
    )
  }

  /// Stores a season's final ranking in place of an earlier one, if there is any.
  private func write(_ closing: SeasonClosing, on db: Database) throws {
    try db.run(
      """
      INSERT INTO season_closings (season, closed_at) VALUES (?, ?)
      ON CONFLICT (season) DO UPDATE SET closed_at = excluded.closed_at
      """,
      closing.season,
      closing.closedAt
    )
    try db.run(
      "DELETE FROM season_rankings WHERE season = ? AND rank > ?",
      closing.season,
      closing.ranking.count
    )
    for place in closing.ranking {
      try db.run(
        """
        INSERT INTO season_rankings (season, rank, school, count) VALUES (?, ?, ?, ?)
        ON CONFLICT (season, rank) DO UPDATE SET school = excluded.school, count = excluded.count
        """,
        closing.season,
        place.rank,
        place.school,
        place.count
      )
    }
  }
}
