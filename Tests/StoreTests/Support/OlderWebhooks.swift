// A file without webhooks and without owners of shares, as up to schema 9, for tests that open an older file.

enum OlderWebhooks {
  static let sql = """
    \(OlderMedia.sql)
    \(OlderStories.sql)
    DROP TABLE webhook_numbers; DROP TABLE webhook_names; DROP TABLE removed_webhook_targets; DROP TABLE webhook_events;
    DROP TABLE webhook_targets; DROP INDEX capsule_shares_owner; ALTER TABLE capsule_shares DROP COLUMN owner;
    """
}
