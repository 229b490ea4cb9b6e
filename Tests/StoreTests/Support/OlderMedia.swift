// A file without media, as up to schema 13, for tests that open an older file.

enum OlderMedia {
  static let sql = """
    \(OlderPlans.sql)
    DROP TABLE media_keys; DROP TABLE dropped_blobs; DROP TABLE media_uses; DROP TABLE media;
    """
}
