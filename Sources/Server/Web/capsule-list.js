// The panel beside the map: capsules page by page in four orders, and the few that stand out.
import { CapsuleRows } from "./capsule-rows.js";
import { errorText, find } from "./dom.js";
import { say } from "./language.js";

const pageLimit = 10;
const highlights = [
  "nearest", "furthest", "closedShortest", "closedLongest", "newest", "oldest", "leastOpened", "mostOpened",
];

export class CapsuleList {
  #connection;
  #book;
  #rows;
  #standouts;
  /** Identifiers, in the order of the list. */
  #ids = [];
  #cursor = "";
  /** The capsules that stand out, by their field; null while they are unknown. */
  #highlights = null;
  /** The list waits for the player's first place. */
  #isWaiting = false;
  /** No page has come yet. */
  #isLoading = true;
  /** The number of the newest question, because an older answer is worth nothing. */
  #asked = 0;

  /** `choose` is called with a capsule of the list. */
  constructor(connection, book, choose) {
    this.#connection = connection;
    this.#book = book;
    this.#rows = new CapsuleRows(find("#list"), book, choose);
    this.#standouts = new CapsuleRows(find("#standouts"), book, choose);
    for (const select of ["#scope", "#sort"]) find(select).addEventListener("change", () => this.load());
    find("#again").addEventListener("click", () => this.load());
    find("#more").addEventListener("click", () => this.#loadPage());
    find("#highlights").addEventListener("toggle", () => this.#loadHighlights());
  }

  /** Loads the first page, and what stands out if that is shown. */
  load() {
    this.#cursor = "";
    this.#highlights = null;
    this.#loadPage();
    this.#loadHighlights();
  }

  /** Shows the distances and states of now. */
  show() {
    if (this.#isWaiting && this.#place) this.load();
    const rows = this.#ids.map((id) => this.#book.get(id)).filter(Boolean);
    this.#rows.show(rows);
    find("#list-none").hidden = rows.length > 0 || this.#isLoading || !find("#list-fault").hidden;
    const standout = (name) => this.#book.get(this.#highlights?.[name]?.capsuleId);
    const names = highlights.filter(standout);
    this.#standouts.show(names.map(standout), names.map((name) => say(`highlight.${name}`)));
  }

  async #loadPage() {
    const sort = find("#sort").value;
    const here = this.#place;
    if (!this.#connection.isOpen) return;
    this.#isWaiting = !here && ["NEAREST", "FURTHEST"].includes(sort);
    if (this.#isWaiting) return this.#fail(say("missing"));
    const asked = (this.#asked += 1);
    try {
      const body = { scope: this.#scope, sort, limit: pageLimit, cursor: this.#cursor || undefined, ...here };
      const page = await this.#connection.request("listCapsules", body);
      if (asked !== this.#asked) return;
      const capsules = page.capsules ?? [];
      const before = body.cursor ? this.#ids : [];
      this.#ids = [...new Set([...before, ...capsules.map(({ capsuleId }) => capsuleId)])];
      this.#cursor = page.nextCursor ?? "";
      this.#isLoading = false;
      this.#fail("");
      find("#more").hidden = this.#cursor === "";
      this.#book.learn(capsules);
      this.show();
    } catch (error) {
      if (error.code !== "LOST") this.#fail(errorText(error));
    }
  }

  async #loadHighlights() {
    const here = this.#place;
    if (!find("#highlights").open || !here || this.#highlights || !this.#connection.isOpen) return;
    const scope = this.#scope;
    try {
      const found = await this.#connection.request("capsuleHighlights", { scope, ...here });
      if (scope !== this.#scope) return;
      this.#highlights = found;
      this.#book.learn(Object.values(found));
      this.show();
    } catch (error) {
      if (error.code !== "LOST") this.#fail(errorText(error));
    }
  }

  get #scope() {
    return find("#scope").value;
  }

  get #place() {
    const { here } = this.#book;
    return here && { latE7: Math.round(here.latE7), lngE7: Math.round(here.lngE7) };
  }

  #fail(text) {
    find("#list-fault").textContent = text;
    find("#list-fault").hidden = text === "";
    if (text) find("#list-none").hidden = true;
  }
}
