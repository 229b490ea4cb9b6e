// An open post: its pictures, text and soundtrack, its numbers as they are now, its comments, and for its author the
// changes.
import { errorText, find, make, sayError, toast } from "./dom.js";
import { number, say } from "./language.js";
import { StoryBook } from "./story-book.js";
import { StoryComments } from "./story-comments.js";
import { StoryPictures } from "./story-pictures.js";
import { StorySound } from "./story-sound.js";
import { address, authorLink, capsuleAddress, confirming, countryText, flagOf, placeText, put, timeMark, withHashtags } from "./story-texts.js";

const renewEveryMs = 10_000;

export class StoryPost {
  #app;
  #comments;
  #pictures;
  #sound = new StorySound();
  /** The post on the page; empty for none. */
  #id = "";
  #isGone = false;
  #isLiking = false;
  #watchedAt = -Infinity;
  /** What of the post is drawn: all but its numbers. */
  #drawn = "";

  /** `app` has `connection`, `book`, `go(address)`, `block(player)`, `report(subject, done)` and `deleted(id)`. */
  constructor(app) {
    this.#app = app;
    this.#comments = new StoryComments(app);
    this.#pictures = new StoryPictures(() => this.#renewPictures());
    find("#like").addEventListener("click", () => this.#like());
    find("#post-share").addEventListener("click", () => this.#share());
    find("#post-report").addEventListener("click", () => this.#report());
  }

  async show(id) {
    this.#id = id;
    this.#isGone = false;
    this.#drawn = "";
    this.#comments.open(id);
    this.#render();
    await this.#watch();
  }

  leave() {
    this.#id = "";
    this.#pictures.close();
    this.#sound.stop();
    this.#app.connection.request("unwatchPost").catch(() => undefined);
  }

  /** After a lost connection: watches again. */
  renew() {
    this.#watch();
  }

  news(body) {
    if (body.postId !== this.#id) return;
    const { book } = this.#app;
    // One's own may be hidden alone: then it is still there for its author.
    if (body.deleted) return this.#post && book.isMine(this.#post) ? this.#watch() : this.#lose();
    if (body.post) book.learnNews([body.post]);
    book.count(body);
    this.#comments.news(body);
    // News do not have the addresses of new pictures. The list's may have come first.
    const { media = [], pictures } = this.#post ?? {};
    if (body.post && media.length > 0 && !pictures) this.#watch();
  }

  change(id) {
    if (id === this.#id) this.#render();
  }

  /** A player is blocked now. */
  block(playerId) {
    this.#comments.forgetAuthor(playerId);
  }

  /** The words are in another language now. */
  say() {
    this.#drawn = "";
    this.#render();
    this.#comments.say();
    this.#sound.say();
    this.#pictures.say();
  }

  get title() {
    return this.#post?.title ?? say("storiesTitle");
  }

  /** Whose post is shown; undefined before it is known. */
  get authorId() {
    return this.#post?.authorId;
  }

  get #post() {
    return this.#app.book.get(this.#id);
  }

  async #watch() {
    const id = this.#id;
    if (!id || !this.#app.connection.isOpen) return;
    this.#watchedAt = performance.now();
    try {
      const post = await this.#app.connection.request("watchPost", { postId: id });
      if (id !== this.#id) return;
      this.#app.book.learn([post]);
      this.#comments.open(id, post.comments, post.commentsCursor);
      this.#render();
      this.#app.titled();
    } catch (error) {
      if (error.code === "POST_NOT_FOUND") return id === this.#id && this.#lose();
      if (error.code === "LOST" || id !== this.#id) return;
      put(find("#post-fault"), errorText(error));
      find("#post-fault").hidden = false;
    }
  }

  #lose() {
    this.#isGone = true;
    this.#app.deleted(this.#id);
    this.#render();
  }

  /** The addresses of pictures end after an hour or two; at most every 10 s they are asked for anew. */
  #renewPictures() {
    if (performance.now() - this.#watchedAt < renewEveryMs) return;
    if (StoryBook.isOld(this.#post, this.#app.connection.now())) this.#watch();
  }

  // What is shown.

  #render() {
    const post = this.#post;
    find("#post-gone").hidden = !this.#isGone;
    find("#post-whole").hidden = this.#isGone || !post;
    find("#post-busy").hidden = this.#isGone || post !== undefined;
    find("#post-fault").hidden = true;
    if (!post || this.#isGone) return;
    const { likes = 0, views = 0, commentCount = 0, liked = false, ...rest } = post;
    const text = JSON.stringify(rest);
    if (text !== this.#drawn) {
      this.#drawn = text;
      this.#draw(post);
    }
    const isMine = this.#app.book.isMine(post);
    const like = find("#like");
    like.disabled = isMine || this.#isLiking;
    like.setAttribute("aria-pressed", String(liked));
    put(find("#like-count"), number(likes));
    put(find("#post-views"), say("viewsOf", { n: number(views) }));
    put(find("#comments-title"), say("commentsOf", { n: number(commentCount) }));
  }

  #draw(post) {
    const now = this.#app.connection.now();
    put(find("#post-title"), post.title);
    const edited = post.editedAtMs ? make("small", "", say("edited")) : null;
    find("#post-meta").replaceChildren(...[authorLink(post), timeMark(post.writtenAtMs, now), edited].filter(Boolean));
    const countries = (post.countries ?? []).map((code) => {
      const link = make("a", "chip", `${flagOf(code)} ${countryText(code)}`);
      link.href = address("country", code);
      return make("li", "", link);
    });
    if (post.latE7 !== undefined) {
      countries.push(make("li", "", make("span", "chip", `${say("place")} ${placeText(post)}`)));
    }
    find("#post-countries").replaceChildren(...countries);
    find("#post-hidden").hidden = !post.hidden;
    find("#post-plan").hidden = !post.planId;
    if (post.planId) find("#post-plan-link").href = address("plan", post.planId);
    find("#post-capsule").hidden = !post.capsuleId || !this.#app.features.has("places");
    if (post.capsuleId) find("#post-capsule-link").href = capsuleAddress(post);
    find("#post-text").replaceChildren(...withHashtags(post.text, post.hashtags));
    this.#pictures.show(post);
    this.#sound.show(post.soundtrack);
    this.#drawActs(post);
  }

  #drawActs(post) {
    const isMine = this.#app.book.isMine(post);
    find("#post-own").hidden = !isMine;
    find("#post-block").hidden = isMine;
    find("#post-report").hidden = isMine || !this.#app.features.has("moderation");
    if (!isMine) {
      const block = () => this.#app.block({ playerId: post.authorId, nickname: post.nickname });
      return confirming(find("#post-block"), "block", "blockReally", block);
    }
    find("#post-edit").href = address("edit", post.postId);
    confirming(find("#post-delete"), "delete", "deleteReally", () => this.#delete());
  }

  // The requests.

  async #like() {
    const post = this.#post;
    if (this.#isLiking || !post) return;
    this.#isLiking = true;
    try {
      const counts = await this.#app.connection.request(post.liked ? "unlike" : "like", { postId: post.postId });
      this.#app.book.like(post.postId, !post.liked);
      this.#app.book.count(counts);
    } catch (error) {
      sayError(error);
    } finally {
      this.#isLiking = false;
      this.#render();
    }
  }

  async #delete() {
    const id = this.#id;
    try {
      await this.#app.connection.request("deletePost", { postId: id });
      this.#app.deleted(id);
      toast(say("deleted"), "good");
      this.#app.go("#/", true);
    } catch (error) {
      sayError(error);
    }
  }

  #report() {
    const id = this.#id;
    // A reported post is gone for its reporter.
    this.#app.report({ postId: id }, () => {
      this.#app.deleted(id);
      if (id === this.#id) this.#app.go("#/", true);
    });
  }

  async #share() {
    const { title } = this.#post;
    const url = location.href;
    if (navigator.share) return navigator.share({ title, url }).catch(() => undefined);
    try {
      await navigator.clipboard.writeText(url);
      toast(say("copied"), "good");
    } catch {
      toast(url);
    }
  }
}
