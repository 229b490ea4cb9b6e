// The form that writes a post, and that edits one of the player's own.
import { forget, keep, kept } from "./device.js";
import { errorText, find, toast } from "./dom.js";
import { number, say } from "./language.js";
import { StoryCapsules } from "./story-capsules.js";
import { StoryChoices } from "./story-choices.js";
import { address, bytesOf, lengthOf, put } from "./story-texts.js";
import { StoryTray } from "./story-tray.js";
import { uploadWords } from "./story-upload-words.js";
import { writeWords } from "./story-write-words.js";

const titleMax = 31;
const textMax = 2_000;
const textBytesMax = 8_000;
const draftName = "storyDraft";

/** Begins the view; `app` has `connection`, `book`, `table`, `features`, `go(address)` and `wrote()`. */
export function begin(app) {
  Object.assign(app.table, uploadWords, writeWords);
  return new StoryWrite(app);
}

class StoryWrite {
  #app;
  #tray;
  #choices;
  #capsules;
  #name = find("#write-name");
  #text = find("#write-text");
  /** The post that is edited; null for a new one. */
  #edited = null;
  #isBusy = false;
  /** The plan that the post shares; empty for none. */
  #planId = "";
  /** A new post is in the form, which stays while the player looks at other views. */
  #isBegun = false;

  constructor(app) {
    this.#app = app;
    this.#tray = new StoryTray(app.connection, () => this.#renderSend());
    this.#choices = new StoryChoices(app.connection);
    this.#capsules = new StoryCapsules(app);
    for (const field of [this.#name, this.#text]) {
      field.addEventListener("input", () => {
        this.#count();
        this.#keepDraft();
      });
    }
    find("#write-plan-remove").addEventListener("click", () => this.#setPlan(""));
    find("#write-cancel").addEventListener("click", () => this.#cancel());
    find("#write-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
  }

  /** Shows the form: `write` for a new post, which may share the plan `id`, `edit` for the player's post `id`. */
  show(name, id) {
    this.#fail("");
    this.#choices.load();
    this.#capsules.load();
    if (name === "edit") return this.#edit(id);
    if (!this.#isBegun) this.#fill(draft());
    if (id) this.#setPlan(id);
    this.#isBegun = true;
    this.#edited = null;
    this.say();
    this.#name.focus({ preventScroll: true });
  }

  leave() {
    if (this.#edited) this.#isBegun = false;
  }

  renew() {
    this.#choices.load();
    this.#capsules.load();
  }

  get title() {
    return say(this.#edited ? "editTitle" : "write");
  }

  /** The words are in another language now. */
  say() {
    put(find("#write-title"), this.title);
    this.#count();
    this.#tray.say();
    this.#choices.say();
    this.#capsules.say();
    this.#renderSend();
  }

  #setPlan(id) {
    this.#planId = id;
    find("#write-plan").hidden = id === "";
  }

  #fill({ title = "", text = "", pictures = [], planId = "", capsuleId = "", ...rest }) {
    this.#setPlan(planId);
    find("#write-stale").hidden = true;
    this.#name.value = title;
    this.#text.value = text;
    this.#tray.reset(pictures);
    this.#choices.fill(rest);
    this.#capsules.fill(capsuleId);
  }

  /** Begins with the newest state of a post. Its reading counts nothing, because it is the player's own. */
  async #edit(id) {
    this.#edited = { postId: id };
    this.#fill({});
    this.say();
    try {
      const post = await this.#app.connection.request("readPost", { postId: id, limit: 1 });
      if (this.#edited?.postId !== id) return;
      if (!this.#app.book.isMine(post)) return this.#app.go(address("post", id), true);
      this.#edited = post;
      this.#fill(post);
      this.say();
    } catch (error) {
      this.#fail(error.code === "LOST" ? say("line.lost") : errorText(error));
    }
  }

  #cancel() {
    const edited = this.#edited;
    if (!edited) {
      forget(draftName);
      this.#isBegun = false;
      this.#tray.reset();
      this.#setPlan("");
    }
    this.#app.go(edited ? address("post", edited.postId) : "#/");
  }

  #keepDraft() {
    if (this.#edited) return;
    keep(draftName, JSON.stringify({ title: this.#name.value, text: this.#text.value }));
  }

  #count() {
    for (const [field, max, name] of [[this.#name, titleMax, "name"], [this.#text, textMax, "text"]]) {
      const length = lengthOf(field.value.trim());
      const count = find(`#write-${name}-count`);
      put(count, `${number(length)}/${number(max)}`);
      count.classList.toggle("over", length > max);
    }
  }

  #renderSend() {
    const button = find("#write-send");
    put(button, say(this.#isBusy ? "publishing" : this.#edited ? "save" : "publish"));
    button.disabled = this.#isBusy;
  }

  /** What is wrong with the fields, in words; empty when they can be sent. */
  #fault(title, text) {
    if (!title || !text) return say("needsBoth");
    if (lengthOf(title) > titleMax || lengthOf(text) > textMax || bytesOf(text) > textBytesMax) return say("tooLong");
    if (this.#choices.isPlaceWrong) return say("placeHalf");
    if (this.#tray.hasFailed) return say("failedPictures");
    return this.#tray.isReady ? "" : say("unfinished");
  }

  async #send() {
    const [title, text] = [this.#name.value.trim(), this.#text.value.trim()];
    const fault = this.#fault(title, text);
    if (fault || this.#isBusy) return this.#fail(fault);
    this.#isBusy = true;
    this.#fail("");
    this.#renderSend();
    try {
      const post = this.#edited ? await this.#replace(title, text) : await this.#write(title, text);
      this.#finish(post);
    } catch (error) {
      if (error.code === "STALE_VERSION") await this.#renewVersion(title, text);
      else this.#fail(error.code === "LOST" ? say("line.lost") : errorText(error));
    } finally {
      this.#isBusy = false;
      this.#renderSend();
    }
  }

  #finish(post) {
    this.#app.book.learn([post]);
    this.#app.wrote();
    toast(say(this.#edited ? "saved" : "published"), "good");
    if (!this.#edited) forget(draftName);
    this.#edited = null;
    this.#isBegun = false;
    this.#tray.reset();
    this.#app.go(address("post", post.postId), true);
  }

  #write(title, text) {
    const { countries, soundtrack, place } = this.#choices;
    return this.#app.connection.request("writePost", {
      title,
      text,
      countries,
      soundtrack: soundtrack ?? undefined,
      media: this.#tray.mediaIds,
      planId: this.#planId || undefined,
      capsuleId: this.#capsules.capsuleId || undefined,
      ...place,
    });
  }

  #replace(title, text) {
    const { postId, version } = this.#edited;
    const { countries, soundtrack, place } = this.#choices;
    return this.#app.connection.request("editPost", {
      postId,
      version,
      title,
      text,
      countries: { codes: countries },
      soundtrack: soundtrack ?? {},
      media: { mediaIds: this.#tray.mediaIds },
      planId: this.#edited.planId && !this.#planId ? "" : undefined,
      capsuleId: this.#capsules.capsuleId === (this.#edited.capsuleId ?? "") ? undefined : this.#capsules.capsuleId,
      ...(place ?? { withoutPlace: true }),
    });
  }

  /**
   * Another device was first: the player's own stays in the form, for the newest version. Or it is their own that was
   * saved, and whose answer was lost.
   */
  async #renewVersion(title, text) {
    try {
      const post = await this.#app.connection.request("readPost", { postId: this.#edited.postId, limit: 1 });
      const isDone = post.title === title && post.text === text && `${post.media ?? []}` === `${this.#tray.mediaIds}`;
      if (isDone) return this.#finish(post);
      this.#edited = post;
      find("#write-stale").textContent = say("stale", { title: post.title });
      find("#write-stale").hidden = false;
      find("#write-stale").scrollIntoView({ block: "center" });
    } catch (error) {
      this.#fail(errorText(error));
    }
  }

  #fail(text) {
    find("#write-fault").textContent = text;
    find("#write-fault").hidden = text === "";
  }
}

/** The title and text that were being written on this device; empty ones else. */
function draft() {
  try {
    const { title, text } = JSON.parse(kept(draftName) ?? "{}");
    return { title: String(title ?? ""), text: String(text ?? "") };
  } catch {
    return {};
  }
}
