// The check of reports and of what they hide: part of the check of a store.
import GRDB
import Game

extension StoreCheck {
  func brokenReports() throws -> [String] {
    let strays = try db.rows(
      """
      SELECT DISTINCT kind, subject FROM reports
      WHERE NOT EXISTS (
          SELECT 1 FROM moderated WHERE moderated.kind = reports.kind AND moderated.subject = reports.subject)
        AND NOT EXISTS (
          SELECT 1 FROM deleted_subjects
          WHERE deleted_subjects.kind = reports.kind AND deleted_subjects.subject = reports.subject)
      """
    )
    let gone = try db.rows(
      """
      SELECT kind, subject FROM moderated
      WHERE (kind = 1 AND NOT EXISTS (SELECT 1 FROM posts WHERE id = subject))
        OR (kind = 2 AND NOT EXISTS (SELECT 1 FROM comments WHERE id = subject))
        OR (kind = 3 AND NOT EXISTS (SELECT 1 FROM plans WHERE id = subject))
        OR (kind = 4 AND NOT EXISTS (SELECT 1 FROM capsules WHERE id = subject))
        OR (kind = 5 AND NOT EXISTS (SELECT 1 FROM players WHERE id = subject))
      """
    )
    let others = try db.rows(
      """
      SELECT kind, subject FROM moderated
      WHERE (kind = 1 AND EXISTS (
          SELECT 1 FROM posts WHERE id = subject AND (is_hidden = 1) <> (state IN (1, 2))))
        OR (kind = 2 AND EXISTS (
          SELECT 1 FROM comments WHERE id = subject AND (is_hidden = 1) <> (state IN (1, 2))))
        OR (kind = 3 AND EXISTS (
          SELECT 1 FROM plans WHERE id = subject AND (is_hidden = 1) <> (state IN (1, 2))))
        OR (kind = 4 AND EXISTS (
          SELECT 1 FROM capsules WHERE id = subject AND (hidden > 0) <> (state IN (1, 2))))
      """
    )
    let known = try db.rows(
      """
      SELECT DISTINCT reports.kind, reports.subject FROM reports
      JOIN moderated ON moderated.kind = reports.kind AND moderated.subject = reports.subject
      WHERE network IS NOT NULL AND state = 2
      """
    )
    func named(_ rows: [Row], _ complaint: String) throws -> [String] {
      try rows.map { row in
        let subject = try row.subject(0, 1)
        return "\(subject.kind) \(PlayerID(subject.id)) \(complaint)"
      }
    }
    return try named(strays, "has reports, but no row of its own") + named(gone, "was reported, and is not there")
      + named(others, "is hidden other than its reports say") + named(known, "was decided on, and networks are kept")
  }
}
