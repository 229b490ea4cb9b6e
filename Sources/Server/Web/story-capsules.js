// The player's own capsules that are for everyone, one of which a post may name.
import { find, make } from "./dom.js";
import { locale, say } from "./language.js";

const pageLimit = 50;

export class StoryCapsules {
  #app;
  #capsules = [];
  #cursor = "";
  #asked = 0;
  /** The capsule of the post; empty for none. */
  #chosen = "";

  /** `app` has `connection` and `features`. */
  constructor(app) {
    this.#app = app;
    find("#write-capsule").addEventListener("change", () => {
      this.#chosen = find("#write-capsule").value;
      this.#render();
    });
    find("#write-capsules-more").addEventListener("click", () => this.#load());
  }

  /** Loads the newest; there may be others since the last time. */
  load() {
    this.#cursor = "";
    this.#load();
  }

  /** Begins with the capsule that a post has. */
  fill(capsuleId) {
    this.#chosen = capsuleId;
    this.say();
  }

  /** The chosen capsule; empty for none. */
  get capsuleId() {
    return this.#chosen;
  }

  /** The words are in another language now. */
  say() {
    this.#render();
  }

  async #load() {
    if (!this.#app.features.has("places")) return;
    const asked = (this.#asked += 1);
    const cursor = this.#cursor || undefined;
    try {
      const body = { scope: "OWN", sort: "LATEST", limit: pageLimit, cursor };
      const page = await this.#app.connection.request("listCapsules", body);
      if (asked !== this.#asked) return;
      const open = (page.capsules ?? []).filter(({ everyone }) => everyone === true);
      this.#capsules = [...(cursor ? this.#capsules : []), ...open];
      this.#cursor = page.nextCursor ?? "";
      this.#render();
    } catch {
      // The next welcome tries again.
    }
  }

  #render() {
    const chosen = this.#capsules.find(({ capsuleId }) => capsuleId === this.#chosen);
    // Of an edited post: further down in the list, or no longer for everyone.
    const other = this.#chosen && !chosen ? [option(this.#chosen, say("capsuleNow"))] : [];
    const own = this.#capsules.map(({ capsuleId, title, memoryDate }) => {
      const date = new Date(`${memoryDate}T00:00:00Z`);
      const text = date.toLocaleDateString(locale(), { dateStyle: "medium", timeZone: "UTC" });
      return option(capsuleId, `${title} · ${text}`);
    });
    find("#write-capsule").replaceChildren(option("", say("capsuleNone")), ...other, ...own);
    find("#write-capsule").value = this.#chosen;
    find("#write-capsules-more").hidden = this.#cursor === "";
    find("#write-capsules").hidden = own.length === 0 && other.length === 0 && this.#cursor === "";
  }
}

function option(value, text) {
  return Object.assign(make("option", "", text), { value });
}
