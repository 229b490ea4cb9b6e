// A table whose rows are told anew several times a second: a row that is still there stays the same element and is moved only
// when others can't be moved around it, and a cell is touched only when it says something else, so that focus and selection
// stay where they are. While something in it is pressed the table stands still, so that a press hits what it was meant for.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { whole } from "./console-format.js";
import { iconButton, setText } from "./console-parts.js";

export class Table {
  /** To be put where the table shall be. */
  element;
  #columns;
  #keyOf;
  #body = make("tbody");
  #empty;
  #rows = new Map();
  #heads = new Map();
  #isPressed = false;
  /** What came during a press. */
  #later = null;

  /**
   * `keyOf(row)` tells rows apart; of those that it doesn't, the order does. `columns`: `label` (a key of the words),
   * `className`, `sort` (what the server calls it), and one of `text(row)`, `fill(cell, row)`, done whenever the row is
   * another, and `once(cell, rowOf)`. `onSort(sort)` has a heading pressed.
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
  }

  #press() {
    if (this.#isPressed) return;
    this.#isPressed = true;
    const ended = new AbortController();
    const release = () => {
      ended.abort();
      // The click comes after that.
      setTimeout(() => {
        this.#isPressed = false;
        if (this.#later) this.show(this.#later);
      });
    };
    for (const name of ["pointerup", "pointercancel", "blur"]) addEventListener(name, release, { signal: ended.signal });
  }

  #head({ label, className, sort }, onSort) {
    const head = make("th", className ?? "");
    head.scope = "col";
    const text = label ? say(label) : "";
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
    this.#empty.hidden = rows.length > 0;
  }

  /** Puts rows into order by as few moves as there can be without moving the one that has the focus. */
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

  /** The element of a row; null for one that isn't there. */
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

/** The most of `items` that have ever higher places, in their order. */
function longestRise(items, placeOf) {
  // By how many there are, the one of the lowest place that ends so many; of each, the one before it.
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

/** The offset that an address names. */
export function offsetIn(settings) {
  return Math.min(1_000_000, whole(settings.get("offset"), 0) ?? 0);
}

/** Which part of many rows is seen, and the way to others. `go(offset)` has a button pressed. */
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
