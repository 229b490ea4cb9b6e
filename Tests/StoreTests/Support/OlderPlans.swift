// A file without plans, as up to schema 14, for tests that open an older file.

enum OlderPlans {
  static let sql = """
    \(OlderProfiles.sql)
    DROP TABLE deleted_plans; DROP TABLE post_plans; DROP TABLE plan_takers; DROP TABLE plan_stops; DROP TABLE plans;
    """
}
