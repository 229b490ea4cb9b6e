// The tables of posts, comments, likes and views.
//
// A post's row is short, because each like and view writes it; its words lie in a table of their own. Its number orders
// posts, and refers to them where there are many rows. A list is everyone's, an author's, a country's, a hashtag's or a
// day's; its posts lie in a table for each order, under the counts that the order needs. Likes and comments of a
// deleted post are deleted piece by piece, since there may be any number of them.
// Decisions: 115 (docs/decisions).
extension Schema {
  static let stories = """
    CREATE TABLE posts (
      number INTEGER PRIMARY KEY,
      id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
      author BLOB NOT NULL REFERENCES players (id),
      written_at BIGINT NOT NULL,
      edited_at BIGINT,
      version BIGINT NOT NULL CHECK (version > 0),
      is_hidden SMALLINT NOT NULL CHECK (is_hidden IN (0, 1)),
      likes_count BIGINT NOT NULL CHECK (likes_count >= 0),
      views_count BIGINT NOT NULL CHECK (views_count >= 0),
      -- Of the comments that are not hidden.
      comments_count BIGINT NOT NULL CHECK (comments_count >= 0),
      -- The highest number that a comment has had.
      newest_comment BIGINT NOT NULL CHECK (newest_comment >= comments_count),
      -- The numbers of the lists that it is in, 4 bytes each; also one of a day's that is no longer kept.
      lists BLOB NOT NULL CHECK (length(lists) % 4 = 0)
    );
    CREATE INDEX posts_author ON posts (author, number);

    CREATE TABLE post_texts (
      post INTEGER PRIMARY KEY REFERENCES posts (number) ON DELETE CASCADE,
      title TEXT NOT NULL CHECK (length(title) > 0),
      text TEXT NOT NULL CHECK (length(text) > 0),
      -- The codes, one behind the other.
      countries TEXT NOT NULL CHECK (length(countries) <= 6 AND length(countries) % 2 = 0),
      -- Number and volume of the music, then of each effect; 255 for no music.
      soundtrack BLOB NOT NULL CHECK (length(soundtrack) <= 8 AND length(soundtrack) % 2 = 0),
      -- The identifiers, one behind the other.
      pictures BLOB NOT NULL CHECK (length(pictures) <= 160 AND length(pictures) % 16 = 0),
      lat_e7 INTEGER,
      lng_e7 INTEGER,
      capsule BLOB CHECK (length(capsule) = 16),
      -- The words that the search has, so that they can be taken out of it whatever a later program makes of the text.
      search_text TEXT NOT NULL,
      CHECK ((lat_e7 IS NULL) = (lng_e7 IS NULL))
    );
    -- The pairs of characters of the words of posts that are not hidden, by the number of the post.
    CREATE VIRTUAL TABLE post_search USING fts5 (pairs, content='', tokenize='ascii', prefix='1');

    CREATE TABLE post_lists (
      number INTEGER PRIMARY KEY,
      -- 0 everyone's, 1 an author's, 2 a country's, 3 a hashtag's, 4 a day's.
      kind SMALLINT NOT NULL CHECK (kind BETWEEN 0 AND 4),
      name TEXT NOT NULL,
      -- The rows in the order by likes.
      posts_count BIGINT NOT NULL CHECK (posts_count >= 0),
      UNIQUE (kind, name)
    );
    CREATE INDEX post_lists_count ON post_lists (kind, posts_count DESC, name);
    -- The orders of lists; days have that by likes alone.
    CREATE TABLE listed_latest (
      list BIGINT NOT NULL,
      post BIGINT NOT NULL,
      PRIMARY KEY (list, post)
    ) WITHOUT ROWID;
    CREATE TABLE listed_likes (
      list BIGINT NOT NULL,
      likes_count BIGINT NOT NULL,
      post BIGINT NOT NULL,
      PRIMARY KEY (list, likes_count, post)
    ) WITHOUT ROWID;
    CREATE TABLE listed_views (
      list BIGINT NOT NULL,
      views_count BIGINT NOT NULL,
      post BIGINT NOT NULL,
      PRIMARY KEY (list, views_count, post)
    ) WITHOUT ROWID;

    CREATE TABLE comments (
      post BIGINT NOT NULL,
      number BIGINT NOT NULL CHECK (number > 0),
      id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
      author BLOB NOT NULL REFERENCES players (id),
      text TEXT NOT NULL CHECK (length(text) > 0),
      written_at BIGINT NOT NULL,
      edited_at BIGINT,
      is_hidden SMALLINT NOT NULL CHECK (is_hidden IN (0, 1)),
      PRIMARY KEY (post, number)
    ) WITHOUT ROWID;
    CREATE INDEX comments_author ON comments (author);

    CREATE TABLE post_likes (
      post BIGINT NOT NULL,
      player BLOB NOT NULL REFERENCES players (id),
      liked_at BIGINT NOT NULL,
      PRIMARY KEY (post, player)
    ) WITHOUT ROWID;
    CREATE INDEX post_likes_player ON post_likes (player);

    -- The newest counted view of each player and post, for as long as it keeps another one from counting.
    CREATE TABLE post_views (
      player BLOB NOT NULL REFERENCES players (id) ON DELETE CASCADE,
      post BIGINT NOT NULL,
      viewed_at BIGINT NOT NULL,
      PRIMARY KEY (player, post)
    ) WITHOUT ROWID;
    CREATE INDEX post_views_age ON post_views (viewed_at);

    CREATE TABLE deleted_posts (number BIGINT PRIMARY KEY) WITHOUT ROWID;

    -- One row: the number of the newest post there has been, and the totals of those that are there.
    CREATE TABLE story_totals (
      number SMALLINT PRIMARY KEY CHECK (number = 0),
      newest_post BIGINT NOT NULL CHECK (newest_post >= 0),
      posts_count BIGINT NOT NULL CHECK (posts_count >= 0),
      likes_count BIGINT NOT NULL CHECK (likes_count >= 0),
      views_count BIGINT NOT NULL CHECK (views_count >= 0),
      comments_count BIGINT NOT NULL CHECK (comments_count >= 0)
    );
    INSERT INTO story_totals (number, newest_post, posts_count, likes_count, views_count, comments_count)
    VALUES (0, 0, 0, 0, 0, 0);
    """
}
