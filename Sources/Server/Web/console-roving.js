// Keys in a list of rows: one row is in the order of Tab, Up and Down go to the others, Right and Left to what can be
// pressed in a row, and Enter presses the first of that. In a grid all four arrows go to other tiles. The list may change
// at any time.

const pressable = "a[href], button:not(:disabled)";

export class Roving {
  #list;
  #isGrid;
  /** The row in the order of Tab. */
  #current = null;

  /** `list` is the element whose children are the rows. */
  constructor(list, { isGrid = false } = {}) {
    this.#list = list;
    this.#isGrid = isGrid;
    list.addEventListener("keydown", (event) => this.#take(event));
    list.addEventListener("focusin", (event) => this.#stand(this.#rowOf(event.target)));
  }

  /** Takes the rows as they are now; to be called after each change of them. */
  refresh() {
    if (this.#current?.parentElement !== this.#list) this.#current = null;
    for (const row of this.#list.children) row.tabIndex = -1;
    this.#stand(this.#current ?? this.#list.firstElementChild);
  }

  #stand(row) {
    if (!row) return;
    if (this.#current && this.#current !== row) this.#current.tabIndex = -1;
    this.#current = row;
    row.tabIndex = 0;
  }

  #rowOf(element) {
    return [...this.#list.children].find((row) => row.contains(element)) ?? null;
  }

  #take(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    const row = this.#rowOf(event.target);
    if (!row) return;
    const target = this.#next(event.key, row, event.target);
    if (target === undefined) return;
    event.preventDefault();
    target?.focus();
    target?.scrollIntoView({ block: "nearest" });
  }

  /** The element to which a key leads; null for nothing there, undefined for a key that is none of these. */
  #next(key, row, from) {
    const rows = [...this.#list.children];
    const at = rows.indexOf(row);
    const parts = [row, ...[...row.querySelectorAll(pressable)].filter((part) => part.checkVisibility())];
    const part = parts.indexOf(from);
    if (this.#isGrid) {
      const columns = rows.filter((each) => each.offsetTop === rows[0].offsetTop).length;
      const step = { ArrowDown: columns, ArrowUp: -columns, ArrowRight: 1, ArrowLeft: -1 }[key];
      if (step) return rows[at + step] ?? null;
    }
    switch (key) {
      case "ArrowDown": return rows[at + 1] ?? null;
      case "ArrowUp": return rows[at - 1] ?? null;
      case "PageDown": return rows[Math.min(rows.length - 1, at + 10)];
      case "PageUp": return rows[Math.max(0, at - 10)];
      case "Home": return rows[0];
      case "End": return rows.at(-1);
      case "ArrowRight": return parts[part + 1] ?? null;
      case "ArrowLeft": return parts[part - 1] ?? null;
      case "Enter":
        // A press on a part is the part's own.
        if (from !== row) return undefined;
        parts[1]?.click();
        return null;
      default: return undefined;
    }
  }
}
