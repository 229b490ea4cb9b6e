// A table whose rows are replaced several times a second, without loss of focus or selection. A row that remains keeps
// its element, as few rows as possible are moved, and a cell is changed only if its text differs. During a press the
// table stands still, so that the press hits its target. One row is in the order of Tab; arrows go on from there.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { whole } from "./console-format.js";
import { iconButton, setText } from "./console-parts.js";
import { Roving } from "./console-roving.js";

export class Table {
  /** The element to insert into the page. */
  element;
  #columns;
  #keyOf;
  #body = make("tbody");
  #empty;
  #rows = new Map();
  #heads = new Map();
  #isPressed = false;
  /** The newest rows that arrived during a press. */
  #later = null;
  #roving;

  /**
   * `keyOf(row)` identifies a row; rows with equal keys are told apart by their order. `columns`: `label` (a key of the
   * words, unless there is a `heading`), `className`, `sort` (the server's name of the order), and one of `text(row)`, `fill(cell, row)`, called
   * when the row differs, and `once(cell, rowOf)`. `onSort(sort)` is called when a heading is pressed.
   */
  constructor({ columns, keyOf, onSort, empty, label }) {
    this.#columns = columns;
    this.#keyOf = keyOf;
    this.#empty = make("p", "empty", empty);
    const heads = columns.map((column) => this.#head(column, onSort));
    const table = make("table", "", make("thead", "", make("tr", "", ...heads)), this.#body);
    table.setAttribute("aria-label", label);
    this.element = make("div", "table", table, this.#empty);
    this.#body.addEventListener("pointerdown", () => this.#press());
    this.#roving = new Roving(this.#body);
  }

  #press() {
    if (this.#isPressed) return;
    this.#isPressed = true;
    const ended = new AbortController();
    const release = () => {
      ended.abort();
      // The click event comes after the release.
      setTimeout(() => {
        this.#isPressed = false;
        if (this.#later) this.show(this.#later);
      });
    };
    for (const name of ["pointerup", "pointercancel", "blur"]) addEventListener(name, release, { signal: ended.signal });
  }

  #head({ label, heading, className, sort }, onSort) {
    const head = make("th", className ?? "");
    head.scope = "col";
    const text = heading ?? (label ? say(label) : "");
    if (!sort) {
      head.append(text);
      return head;
    }
    const press = make("button", "sort", text);
    press.type = "button";
    press.addEventListener("click", () => onSort(sort));
    head.append(press);
    this.#heads.set(sort, head);
    return head;
  }

  markSort(sort, isDescending) {
    for (const [name, head] of this.#heads) {
      if (name === sort) head.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
  }

  show(rows) {
    this.#later = this.#isPressed ? rows : null;
    if (this.#isPressed) return;
    const keys = new Set();
    const elements = rows.map((row) => {
      let key = `${this.#keyOf(row)}`;
      while (keys.has(key)) key += "+";
      keys.add(key);
      return this.#row(key, row).element;
    });
    for (const [key, { element }] of this.#rows) {
      if (keys.has(key)) continue;
      element.remove();
      this.#rows.delete(key);
    }
    this.#arrange(elements);
    this.#roving.refresh();
    this.#empty.hidden = rows.length > 0;
  }

  /** Puts rows into order, with the fewest moves that leave the row with the focus in place. */
  #arrange(elements) {
    const placeOf = new Map([...this.#body.children].map((element, at) => [element, at]));
    const focused = placeOf.get(elements.find((element) => element.contains(document.activeElement)));
    const focusedAt = elements.findIndex((element) => placeOf.get(element) === focused);
    const staying = elements.filter((element, at) => {
      const place = placeOf.get(element);
      return place !== undefined && (focused === undefined || Math.sign(place - focused) === Math.sign(at - focusedAt));
    });
    const kept = new Set(longestRise(staying, (element) => placeOf.get(element)));
    let next = null;
    for (const element of elements.toReversed()) {
      if (!kept.has(element)) this.#body.insertBefore(element, next);
      next = element;
    }
  }

  /** The element of a row; null if there is no such row. */
  elementOf(key) {
    return this.#rows.get(`${key}`)?.element ?? null;
  }

  #row(key, row) {
    const signature = JSON.stringify(row);
    let known = this.#rows.get(key);
    if (known?.signature === signature) return known;
    if (!known) {
      known = { element: make("tr"), cells: [], row };
      for (const { className, once } of this.#columns) {
        const cell = make("td", className ?? "");
        known.cells.push(cell);
        once?.(cell, () => known.row);
      }
      known.element.append(...known.cells);
      this.#rows.set(key, known);
    }
    Object.assign(known, { row, signature });
    this.#columns.forEach(({ text, fill }, at) => {
      if (text) setText(known.cells[at], text(row));
      else fill?.(known.cells[at], row);
    });
    return known;
  }
}

/** The longest subsequence of `items` with rising places. */
function longestRise(items, placeOf) {
  // `ends` has, for each length, the item of the lowest place that ends a rise of that length; `before` each item's
  // predecessor.
  const ends = [];
  const before = new Map();
  for (const item of items) {
    const at = ends.findIndex((end) => placeOf(end) > placeOf(item));
    const length = at < 0 ? ends.length : at;
    before.set(item, ends[length - 1]);
    ends[length] = item;
  }
  const rise = [];
  for (let item = ends.at(-1); item !== undefined; item = before.get(item)) rise.push(item);
  return rise;
}

/** The offset in an address. */
export function offsetIn(settings) {
  return Math.min(1_000_000, whole(settings.get("offset"), 0) ?? 0);
}

/** The shown part of many rows, with buttons to the others. `go(offset)` is called when a button is pressed. */
export class Pager {
  element;
  #text = make("span", "pager-text");
  #previous;
  #next;
  #shown = { offset: 0, limit: 50 };

  constructor(go) {
    this.#previous = iconButton("previous", say("previousPage"), () => {
      go(Math.max(0, this.#shown.offset - this.#shown.limit));
    });
    this.#next = iconButton("next", say("nextPage"), () => go(this.#shown.offset + this.#shown.limit));
    this.element = make("div", "pager", this.#text, this.#previous, this.#next);
  }

  show({ total, matching, offset, limit, count }) {
    this.#shown = { offset, limit };
    const range = count === 0 ? "0" : `${number(offset + 1)}–${number(offset + count)}`;
    const key = matching === total ? "pageOf" : "pageOfMatching";
    setText(this.#text, say(key, { range, matching: number(matching), total: number(total) }));
    this.#previous.disabled = offset === 0;
    this.#next.disabled = offset + count >= matching;
  }
}
