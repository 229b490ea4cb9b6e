// A file whose audit log has no names, as up to schema 17, for tests that open an older file.

enum OlderAudit {
  static let sql = """
    \(OlderBans.sql)
    ALTER TABLE audit DROP COLUMN operator; ALTER TABLE audit DROP COLUMN reason; ALTER TABLE audit DROP COLUMN code;
    """
}
