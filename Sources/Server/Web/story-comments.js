// The comments on an open post, the newest first: those of the server's news come in by themselves, one's own are
// written, edited and deleted.
import { errorText, find, make, sayError } from "./dom.js";
import { number, say } from "./language.js";
import { authorLink, confirming, lengthOf, put, timeMark } from "./story-texts.js";

const textMax = 100;
const pageLimit = 20;
/** In a crowd the page keeps no more comments than these, and reads the newest again at most so often. */
const keptMax = 1_000;
const rereadMs = 3_000;

export class StoryComments {
  #app;
  #postId = "";
  /** By identifier. */
  #comments = new Map();
  #rows = new Map();
  #cursor = "";
  /** The comment whose text is being edited; empty for none. */
  #edited = "";
  #isBusy = false;
  /** The timer of the next reading of the newest comments; null for none. */
  #reread = null;

  /** `app` has `connection`, `book` and `features`, `block(player)` and `report(subject, done)`. */
  constructor(app) {
    this.#app = app;
    const field = find("#comment-text");
    field.addEventListener("input", () => this.#count());
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing && matchMedia("(pointer: fine)").matches) {
        event.preventDefault();
        find("#comment-form").requestSubmit();
      }
    });
    find("#comment-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send(field.value);
    });
    find("#comments-more").addEventListener("click", () => this.#load());
  }

  /** Shows the comments that an answer brings with its post. */
  open(postId, comments = [], cursor = "") {
    if (postId !== this.#postId) {
      find("#comment-text").value = "";
      this.#fail("");
      this.#edited = "";
      clearTimeout(this.#reread);
      this.#reread = null;
    }
    this.#postId = postId;
    this.#comments = new Map(comments.map((comment) => [comment.commentId, comment]));
    this.#cursor = cursor;
    this.#count();
    this.#render();
  }

  news({ comments = [], gap, editedComments = [], deletedComments = [], anew }) {
    if (anew) {
      this.#comments.clear();
      // Those before them are asked for again.
      this.#cursor = "";
    }
    for (const comment of [...comments, ...editedComments]) {
      const isKnown = this.#comments.has(comment.commentId);
      // An edit of a comment that is further down than what is shown.
      if (!isKnown && editedComments.includes(comment)) continue;
      this.#comments.set(comment.commentId, comment);
    }
    // One's own may be hidden alone: then it is still there for its author.
    const mayBeHidden = deletedComments.some((id) => this.#app.book.isMine(this.#comments.get(id) ?? {}));
    for (const id of deletedComments) this.#comments.delete(id);
    this.#render();
    if (gap || anew || mayBeHidden || this.#comments.size > keptMax) this.#rereadSoon();
  }

  /** Reads the newest again, which says what stands between those that are known. */
  #rereadSoon() {
    const postId = this.#postId;
    this.#reread ??= setTimeout(() => {
      this.#reread = null;
      if (postId === this.#postId) this.#load(true);
    }, rereadMs);
  }

  /** Takes the comments of a player away who is blocked now. */
  forgetAuthor(id) {
    for (const [commentId, { authorId }] of this.#comments) if (authorId === id) this.#comments.delete(commentId);
    this.#render();
  }

  /** The words are in another language now. */
  say() {
    this.#rows.clear();
    this.#count();
    this.#render();
  }

  // The list.

  #render() {
    const { blocked } = this.#app.book;
    const shown = [...this.#comments.values()].filter(({ authorId }) => !blocked.has(authorId));
    shown.sort((a, b) => (b.number ?? 0) - (a.number ?? 0));
    const before = this.#rows;
    this.#rows = new Map();
    const rows = shown.map((comment) => {
      const known = before.get(comment.commentId);
      const { text: said, nickname, hidden = false } = comment;
      const text = `${said}\n${nickname}\n${hidden}\n${this.#edited === comment.commentId}`;
      const row = known?.text === text ? known : { text, element: this.#row(comment) };
      this.#rows.set(comment.commentId, row);
      return row.element;
    });
    const list = find("#comments");
    const isSame = rows.length === list.children.length && rows.every((row, index) => row === list.children[index]);
    if (!isSame) {
      const focused = document.activeElement;
      const had = list.contains(focused);
      list.replaceChildren(...rows);
      if (had && list.contains(focused)) focused.focus({ preventScroll: true });
    }
    find("#comments-more").hidden = this.#cursor === "";
    find("#comments-none").hidden = shown.length > 0 || this.#cursor !== "";
  }

  #row(comment) {
    if (comment.commentId === this.#edited) return this.#editing(comment);
    const head = make("p", "meta", authorLink(comment), timeMark(comment.writtenAtMs, this.#app.connection.now()));
    if (comment.editedAtMs) head.append(make("small", "", say("edited")));
    if (comment.hidden) head.append(make("small", "mark", say("hiddenMark")));
    const acts = make("span", "acts");
    const button = (key, act) => {
      const made = make("button", "link", say(key));
      made.type = "button";
      made.addEventListener("click", act);
      acts.append(made);
      return made;
    };
    if (this.#app.book.isMine(comment)) {
      button("edit", () => this.#edit(comment.commentId));
      confirming(button("delete"), "delete", "deleteReally", () => this.#delete(comment.commentId));
    } else {
      if (this.#app.features.has("moderation")) button("report", () => this.#report(comment.commentId));
      const block = () => this.#app.block({ playerId: comment.authorId, nickname: comment.nickname });
      confirming(button("block"), "block", "blockReally", block);
    }
    return make("li", "comment", head, make("p", "said", comment.text), acts);
  }

  #editing(comment) {
    const field = Object.assign(make("textarea"), { value: comment.text, rows: 2, maxLength: 400 });
    field.setAttribute("aria-label", say("commentText"));
    const save = make("button", "primary square", say("save"));
    const cancel = make("button", "quiet square", say("cancel"));
    cancel.type = "button";
    cancel.addEventListener("click", () => this.#edit(""));
    const form = make("form", "composer", field, make("div", "row", cancel, save));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#change(comment.commentId, field.value);
    });
    requestAnimationFrame(() => field.focus());
    return make("li", "comment", form);
  }

  #count() {
    const length = lengthOf(find("#comment-text").value.trim());
    put(find("#comment-count"), `${number(length)}/${number(textMax)}`);
    find("#comment-count").classList.toggle("over", length > textMax);
    find("#comment-send").disabled = this.#isBusy || length === 0 || length > textMax;
  }

  // The requests.

  async #send(text) {
    if (this.#isBusy || !text.trim()) return;
    const postId = this.#postId;
    this.#isBusy = true;
    this.#count();
    try {
      const comment = await this.#app.connection.request("comment", { postId, text: text.trim() });
      if (postId !== this.#postId) return;
      this.#comments.set(comment.commentId, comment);
      find("#comment-text").value = "";
      this.#fail("");
      this.#render();
    } catch (error) {
      this.#fail(error.code === "LOST" ? say("line.lost") : errorText(error));
    } finally {
      this.#isBusy = false;
      this.#count();
    }
  }

  #edit(id) {
    this.#edited = id;
    this.#render();
  }

  async #change(commentId, text) {
    try {
      const comment = await this.#app.connection.request("editComment", { commentId, text: text.trim() });
      this.#comments.set(commentId, comment);
      this.#edit("");
    } catch (error) {
      sayError(error);
    }
  }

  #report(commentId) {
    this.#app.report({ commentId }, () => {
      this.#comments.delete(commentId);
      this.#render();
    });
  }

  async #delete(commentId) {
    try {
      await this.#app.connection.request("deleteComment", { commentId });
      this.#comments.delete(commentId);
      this.#render();
    } catch (error) {
      sayError(error);
    }
  }

  /** The next page; with `fromStart` the first one, in the place of all that are known. */
  async #load(fromStart = false) {
    const postId = this.#postId;
    const cursor = fromStart ? undefined : this.#cursor || undefined;
    try {
      const page = await this.#app.connection.request("listComments", { postId, limit: pageLimit, cursor });
      if (postId !== this.#postId) return;
      if (fromStart) this.#comments.clear();
      for (const comment of page.comments ?? []) this.#comments.set(comment.commentId, comment);
      this.#cursor = page.nextCursor ?? "";
      this.#render();
    } catch (error) {
      if (!fromStart) sayError(error);
      else if (error.code === "RATE_LIMITED") this.#rereadSoon();
    }
  }

  #fail(text) {
    find("#comment-fault").textContent = text;
    find("#comment-fault").hidden = text === "";
  }
}
