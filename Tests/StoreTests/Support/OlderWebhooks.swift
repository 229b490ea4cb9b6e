// A file without webhooks, as up to schema 9, for tests that open an older file.

enum OlderWebhooks {
  static let sql = """
    DROP TABLE webhook_numbers; DROP TABLE webhook_names; DROP TABLE removed_webhook_targets; DROP TABLE webhook_events;
    DROP TABLE webhook_targets;
    """
}
