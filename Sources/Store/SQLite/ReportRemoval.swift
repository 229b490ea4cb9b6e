// The removal of reports, with what they are about and with the players who made them. Inside a commit, or a piece of
// maintenance.
import GRDB
import Game

struct ReportRemoval {
  let db: Database

  /// A thing is gone, and so are its reports for everybody; maintenance deletes them.
  func remove(_ subject: ReportSubject) throws {
    let removed = try db.run(
      "DELETE FROM moderated WHERE kind = ? AND subject = ?",
      subject.kind.rawValue,
      Blob(subject.id)
    )
    guard removed > 0 else { return }
    try db.run(
      "INSERT INTO deleted_subjects (kind, subject) VALUES (?, ?) ON CONFLICT (kind, subject) DO NOTHING",
      subject.kind.rawValue,
      Blob(subject.id)
    )
  }

  /// Deletes reports of a player's; returns their number, at most one piece. What they have hidden stays hidden.
  func forgetReports(of player: PlayerID, rowsAtOnce: Int) throws -> Int {
    try db.run(
      """
      DELETE FROM reports WHERE reporter = ?
        AND (kind, subject) IN (SELECT kind, subject FROM reports WHERE reporter = ? LIMIT ?)
      """,
      player,
      player,
      rowsAtOnce
    )
  }
}

extension Forgetting {
  /// Deletes reports of deleted things; returns the number of rows, at most one piece.
  func dropReports() throws -> Int {
    guard let subject = try db.row("SELECT kind, subject FROM deleted_subjects LIMIT 1")?.subject(0, 1) else {
      return 0
    }
    let reports = try db.run(
      """
      DELETE FROM reports WHERE kind = ? AND subject = ?
        AND reporter IN (SELECT reporter FROM reports WHERE kind = ? AND subject = ? LIMIT ?)
      """,
      subject.kind.rawValue,
      Blob(subject.id),
      subject.kind.rawValue,
      Blob(subject.id),
      Self.rowsAtOnce
    )
    if reports < Self.rowsAtOnce {
      try db.run(
        "DELETE FROM deleted_subjects WHERE kind = ? AND subject = ?",
        subject.kind.rawValue,
        Blob(subject.id)
      )
    }
    return reports + 1
  }
}
