// What the server's log has said of late, newest first. A line that was lost and came back tells the last of it once more; here
// each item is once.
const newsMax = 200;

export class News {
  /** Newest first: `atMs`, `level`, `text`, and a `key` of the page's own. */
  items = [];
  #startedAtMs = null;
  /** The number of the last item that this start of the server has told. */
  #last = 0;
  #count = 0;

  /** Which start of the server is told of from now on: it numbers its items from 1. */
  begin(startedAtMs) {
    if (startedAtMs === this.#startedAtMs) return;
    this.#startedAtMs = startedAtMs;
    this.#last = 0;
  }

  /** Takes what was told, oldest first. */
  take(told) {
    const fresh = told.filter((each) => !this.#isKnown(each));
    for (const each of fresh) this.items.unshift({ ...each, key: this.#count++ });
    this.#last = Math.max(this.#last, ...fresh.map(({ number }) => number ?? 0));
    this.items.length = Math.min(this.items.length, newsMax);
  }

  /** Items of a server that doesn't number them are known by when and what they are. */
  #isKnown({ number, atMs, text }) {
    if (number !== undefined && this.#startedAtMs !== undefined) return number <= this.#last;
    return this.items.some((item) => item.atMs === atMs && item.text === text);
  }
}
