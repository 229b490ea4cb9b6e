// The newest items of the server's log, newest first. After a reconnect the feed repeats the last items; this list has
// each item once.
const entriesMax = 200;

export class LogEntries {
  /** Newest first: `atMs`, `level`, `text`, and a `key` of the page's own. */
  items = [];
  #startedAtMs = null;
  /** The number of the last item since the server's start. */
  #last = 0;
  #count = 0;

  /** Sets the server's start to which the next items belong. Their numbers begin at 1 with each start. */
  begin(startedAtMs) {
    if (startedAtMs === this.#startedAtMs) return;
    this.#startedAtMs = startedAtMs;
    this.#last = 0;
  }

  /** Takes items of an overview, oldest first. */
  take(told) {
    const fresh = told.filter((each) => !this.#isKnown(each));
    for (const each of fresh) this.items.unshift({ ...each, key: this.#count++ });
    this.#last = Math.max(this.#last, ...fresh.map(({ number }) => number ?? 0));
    this.items.length = Math.min(this.items.length, entriesMax);
  }

  /** Whether the list has an item. An item without a number is identified by its time and text. */
  #isKnown({ number, atMs, text }) {
    if (number !== undefined && this.#startedAtMs !== undefined) return number <= this.#last;
    return this.items.some((item) => item.atMs === atMs && item.text === text);
  }
}
