// A file without stories, as up to schema 12, for tests that open an older file.

enum OlderStories {
  static let sql = """
    DROP TABLE story_totals; DROP TABLE deleted_posts; DROP TABLE post_views; DROP TABLE post_likes; DROP TABLE comments;
    DROP TABLE listed_views; DROP TABLE listed_likes; DROP TABLE listed_latest; DROP TABLE post_lists;
    DROP TABLE post_search; DROP TABLE post_texts; DROP TABLE posts;
    """
}
