// A file without browsers and bans of networks, as up to schema 18, for tests that open an older file.

enum OlderBans {
  static let sql = """
    \(OlderTracks.sql)
    DROP INDEX players_nickname; DROP TABLE password_resets; DROP TABLE address_bans; DROP TABLE browsers;
    ALTER TABLE players DROP COLUMN made_at;
    """
}
