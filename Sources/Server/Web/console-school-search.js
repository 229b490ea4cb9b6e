// The search through the whole list of schools, with or without taps: its field, and a card with the schools found.
// The corrections of a school are the same as in the race.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { plain } from "./console-format.js";
import { button, filterField, iconButton, openMenu, setText, tag } from "./console-parts.js";
import { forAct } from "./console-rights.js";
import { Table } from "./console-table.js";
import { faultText } from "./console-told.js";

const pageLength = 50;

export class SchoolSearch {
  field;
  element = make("section", "card school-search");
  #app;
  #text;
  #changed;
  /** Whether the question is still to be asked, because the feed was not open. */
  #isDue = true;
  #asked = 0;
  #rows = [];
  #next = null;
  #count = make("span", "count");
  #fault = make("p", "fault");
  #found;
  #more = button(say("moreSchools"), () => this.#ask(this.#next));

  /** `changed(text)` is called when the operator searches for something else. */
  constructor(app, text, changed) {
    this.#app = app;
    this.#text = text;
    this.#changed = changed;
    this.field = filterField(say("findSchools"), text, (typed) => this.#search(typed));
    this.#found = new Table({
      label: say("schoolsFound"),
      empty: say("noSchoolFound"),
      keyOf: ({ school }) => school,
      columns: [
        { label: "schoolName", className: "name", fill: nameCell },
        { label: "schoolLevel", className: "wide-only", text: ({ level }) => say(`level.${level}`) },
        { label: "schoolRegion", className: "wide-only", text: ({ region }) => plain(region ?? "") },
        { label: "schoolAddress", className: "long wide-only", text: ({ address }) => plain(address ?? "") },
        { label: "taps", className: "number", text: ({ count }) => number(count) },
        { className: "tools", once: (cell, rowOf) => cell.append(this.#acts(rowOf)) },
      ],
    });
    this.#fault.setAttribute("role", "alert");
    this.#fault.hidden = true;
    this.#count.setAttribute("role", "status");
    const head = make("header", "card-head", make("h2", "", say("schoolsFound")), this.#count);
    this.element.append(head, this.#fault, this.#found.element, make("div", "school-more", this.#more));
    this.element.hidden = true;
  }

  /** Asks what was to be asked; to be called when the feed may be open. */
  begin() {
    if (this.#isDue) this.#ask();
  }

  /** Leaves the view: answers that come later are dropped. */
  end() {
    this.#asked += 1;
  }

  #search(text) {
    this.#text = text;
    this.#changed(text);
    this.#ask();
  }

  /** Asks for the first page, or for the one behind `after`, which is added. */
  async #ask(after = null) {
    const asked = (this.#asked += 1);
    const text = this.#text;
    this.element.hidden = text === "";
    this.#isDue = text !== "" && !this.#app.feed.isOpen;
    if (text === "") return this.#show([], null);
    if (this.#isDue) return;
    this.#more.disabled = true;
    try {
      const { schools } = await this.#app.feed.query("schools", { text, limit: pageLength, ...(after && { after }) });
      if (asked !== this.#asked) return;
      const rows = (schools.rows ?? []).map((row, at) => ({ ...row, school: row.id, count: schools.counts[at] }));
      this.#show(after ? [...this.#rows, ...rows] : rows, schools.next ?? null);
    } catch (error) {
      if (asked !== this.#asked) return;
      this.#show([], null);
      this.#count.textContent = "";
      this.#fault.hidden = false;
      setText(this.#fault, faultText(error));
    }
  }

  #show(rows, next) {
    this.#rows = rows;
    this.#next = next;
    this.#fault.hidden = true;
    this.#found.show(rows);
    this.#more.hidden = next === null;
    this.#more.disabled = false;
    setText(this.#count, next === null ? number(rows.length) : say("moreThan", { n: number(rows.length) }));
  }

  /** The button with what may be corrected of a school; what it is afterwards is asked for. */
  #acts(rowOf) {
    const more = iconButton("more", say("actions"), () => {
      openMenu(more, schoolItems(this.#app.actions, rowOf(), () => this.#ask()));
    });
    return forAct("editSchool", more);
  }
}

/** The corrections of a school, for a menu. `done()` is called after an act. */
export function schoolItems(actions, row, done = () => {}) {
  const run = (act) => async () => (await act()) && done();
  return [
    { text: say("renameSchool.item"), act: run(() => actions.renameSchool(row)) },
    row.closed
      ? { text: say("openSchool.item"), act: run(() => actions.closeSchool(row, false)) }
      : { text: say("closeSchool.item"), act: run(() => actions.closeSchool(row, true)), isDangerous: true },
  ];
}

function nameCell(cell, { name, closed, level, region }) {
  const parts = [make("b", "", plain(name))];
  if (closed) parts.push(" ", tag(say("schoolClosed"), "warn"));
  cell.replaceChildren(...parts, make("small", "soft narrow-only", [say(`level.${level}`), plain(region ?? "")].filter(Boolean).join(" · ")));
}
