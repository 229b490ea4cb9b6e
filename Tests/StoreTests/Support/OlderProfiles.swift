// A file without profiles, as up to schema 15, for tests that open an older file.

enum OlderProfiles {
  static let sql = """
    \(OlderModeration.sql)
    DROP INDEX posts_hidden; DROP TABLE collectibles; DROP TABLE progress; DROP TABLE profiles;
    """
}
