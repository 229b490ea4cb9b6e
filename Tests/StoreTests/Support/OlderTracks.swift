// A file without links to games, as up to schema 19, for tests that open an older file.

enum OlderTracks {
  static let sql = "\(OlderHistory.sql) DROP TABLE track_links; DROP TABLE track_consents;"
}
