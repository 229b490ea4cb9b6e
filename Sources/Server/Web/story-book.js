// What the page knows of posts: the newest that the server has said of each. Independent of the connection and of what
// is shown.

export class StoryBook {
  /** The player's identifier; empty before the welcome. */
  playerId = "";
  /** Whom the player has blocked, by identifier. */
  blocked = new Set();
  /** Called with the identifier of a changed post. */
  changed = () => undefined;
  #posts = new Map();

  get(id) {
    return this.#posts.get(id);
  }

  isMine({ authorId }) {
    return authorId === this.playerId;
  }

  /** Takes posts of an answer. Their comments are kept elsewhere. */
  learn(posts) {
    for (const { comments, commentsCursor, ...post } of posts) this.#put(post);
  }

  /** Takes posts of news, which know neither whether the player likes them nor the addresses of pictures. */
  learnNews(posts) {
    for (const post of posts) {
      const known = this.#posts.get(post.postId);
      if (!known) continue;
      const isSame = (known.media ?? []).join() === (post.media ?? []).join();
      this.#put({ ...post, liked: known.liked, pictures: isSame ? known.pictures : undefined });
    }
  }

  /** Takes numbers, of which those that are 0 are absent. */
  count({ postId, likes = 0, views = 0, commentCount = 0 }) {
    const known = this.#posts.get(postId);
    if (known) this.#put({ ...known, likes, views, commentCount });
  }

  /** Notes whether the player likes a post. */
  like(id, liked) {
    const known = this.#posts.get(id);
    if (known) this.#put({ ...known, liked });
  }

  forget(id) {
    this.#posts.delete(id);
    this.changed(id);
  }

  /** Whether the addresses of a post's pictures are good no longer at this time of the server. */
  static isOld(post, now) {
    return (post?.pictures ?? []).some(({ expiresAtMs }) => Number(expiresAtMs) < now);
  }

  #put(post) {
    this.#posts.set(post.postId, post);
    this.changed(post.postId);
  }
}
