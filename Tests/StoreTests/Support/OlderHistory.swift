// A file without the server's history, as up to schema 20, for tests that open an older file.

enum OlderHistory {
  static let sql = "DROP TABLE minutes;"
}
