// A file without capsules and fences, as up to schema 8, for tests that open an older file.

enum OlderPlaces {
  static let sql = """
    \(OlderWebhooks.sql)
    DROP TABLE fences; DROP TABLE capsule_totals; DROP TABLE capsule_cells; DROP TABLE deleted_capsules;
    DROP TABLE capsule_openings; DROP TABLE capsule_shares; DROP TABLE capsule_texts; DROP TABLE capsules;
    """
}
