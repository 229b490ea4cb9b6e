// A file without reports, as up to schema 16, for tests that open an older file.

enum OlderModeration {
  static let sql = """
    \(OlderAudit.sql)
    DROP TABLE reports; DROP TABLE moderated; DROP TABLE deleted_subjects; DROP TABLE warnings;
    ALTER TABLE players DROP COLUMN registered_at; ALTER TABLE capsules DROP COLUMN hidden;
    """
}
