// The figures of the overview's charts as a table: what the lines show, for readers of a screen and of numbers. It is
// closed at first, and drawn only while it is open.
import { make } from "./dom.js";
import { say } from "./language.js";
import { nearest } from "./console-charts.js";
import { moment } from "./console-format.js";
import { Table } from "./console-table.js";

const rowsMax = 12;
/** The interval of redrawing. */
const everyMs = 2_000;

export class Figures {
  element = make("details", "card figures-table");
  #table;
  #shown = null;
  #drawnAt = -Infinity;

  /** `charts` are those of the overview: each has a `title` and its `series` with `key`, `label` and `format`. */
  constructor(charts) {
    const columns = charts.flatMap(({ title, series, labels, format }) =>
      series.map(({ key }, at) => ({
        className: "number",
        text: (row) => (row[key] === null || row[key] === undefined ? "–" : format(row[key])),
        heading: headingOf(say(`chart.${title}`), labels && say(labels[at])),
      })),
    );
    this.#table = new Table({
      label: say("figures"),
      empty: say("none"),
      keyOf: ({ atMs }) => atMs,
      columns: [{ label: "at", text: ({ atMs }) => moment(atMs) }, ...columns],
    });
    this.element.append(make("summary", "", say("figuresAsTable")), this.#table.element);
    this.element.addEventListener("toggle", () => {
      this.#drawnAt = -Infinity;
      this.#draw();
    });
  }

  show(samples, nowMs, spanMs) {
    this.#shown = { samples, nowMs, spanMs };
    this.#draw();
  }

  /** Draws a row for each twelfth of the time, the newest first; a time without a sample has a row without figures. */
  #draw() {
    const now = performance.now();
    if (!this.element.open || !this.#shown || now - this.#drawnAt < everyMs) return;
    this.#drawnAt = now;
    const { samples, nowMs, spanMs } = this.#shown;
    const stepMs = spanMs / rowsMax;
    const rows = [];
    for (let number = 0; number < rowsMax; number += 1) {
      const atMs = number === 0 ? nowMs : Math.floor((nowMs - number * stepMs) / 1_000) * 1_000;
      const sample = nearest(samples, atMs);
      rows.push(sample && Math.abs(sample.atMs - atMs) <= stepMs / 4 ? { ...sample, atMs } : { atMs });
    }
    this.#table.show(rows);
  }
}

/** The heading of a line's column: of several lines of a chart each has its own name. */
function headingOf(chart, line) {
  return line && line.toLowerCase() !== chart.toLowerCase() ? `${chart}, ${line}` : chart;
}
