// The schools' race: a bar for each school's count, and its rate; the search through the whole list; and the correction of
// a school's name or state.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { brief, whole } from "./console-format.js";
import { iconButton, openMenu, select, setText, tag } from "./console-parts.js";
import { forAct } from "./console-rights.js";
import { Roving } from "./console-roving.js";
import { SchoolSearch, schoolItems } from "./console-school-search.js";

const limits = [20, 50, 100, 200];
/** The interval of a rate. */
const rateOverMs = 10_000;
const rowHeight = matchMedia("(pointer: coarse)").matches ? 48 : 34;

export class SchoolsView {
  element;
  #app;
  #limit = 50;
  #facts = make("dl", "facts");
  #list = make("ol", "race");
  #rows = new Map();
  #roving = new Roving(this.#list);
  #counts = [];
  #season = null;
  #search;
  #searched;

  constructor(app, _, settings) {
    this.#app = app;
    this.#list.dataset.rows = "";
    const limit = whole(settings.get("limit"));
    if (limits.includes(limit)) this.#limit = limit;
    this.#searched = settings.get("text") ?? "";
    this.#search = new SchoolSearch(app, this.#searched, (text) => {
      this.#searched = text;
      this.#remember();
    });
    const options = limits.map((n) => [`${n}`, say("first", { n })]);
    this.element = make(
      "div",
      "",
      make(
        "div",
        "view-head",
        make("h1", "", say("schools")),
        this.#facts,
        this.#search.field,
        select(say("howMany"), options, `${this.#limit}`, (value) => this.#ask(Number(value))),
      ),
      this.#search.element,
      make("section", "card", this.#list),
    );
  }

  enter() {
    this.#ask(this.#limit);
    this.#search.begin();
  }

  leave() {
    this.#search.end();
  }

  receive(kind, body) {
    if (kind === "schools") this.#show(body);
    this.#search.begin();
  }

  #ask(limit) {
    this.#limit = limit;
    this.#remember();
    this.#app.feed.watch({ watch: "schools", limit });
  }

  #remember() {
    const text = this.#searched && { text: this.#searched };
    this.#app.remember(`#/schools?${new URLSearchParams({ limit: this.#limit, ...text })}`);
  }

  #show({ season, taps, rows }) {
    // All counts begin at zero in each season.
    if (season !== this.#season) this.#counts = [];
    this.#season = season;
    const now = performance.now();
    this.#counts.push({ at: now, taps, bySchool: new Map(rows.map(({ school, count }) => [school, Number(count)])) });
    while (this.#counts.length > 2 && this.#counts[1].at < now - rateOverMs) this.#counts.shift();
    const before = this.#counts[0];
    const seconds = (now - before.at) / 1_000;
    const rateOf = (after, earlier) => (seconds < 0.4 || earlier === undefined ? null : (after - earlier) / seconds);
    this.#showFacts(season, taps, rateOf(taps, before.taps), rows.length);
    const best = Number(rows[0]?.count ?? 1);
    const seen = new Set(rows.map(({ school }) => school));
    rows.forEach((row, at) => this.#showRow(row, at, best, rateOf(Number(row.count), before.bySchool.get(row.school))));
    for (const [school, { element }] of this.#rows) {
      if (seen.has(school)) continue;
      element.remove();
      this.#rows.delete(school);
    }
    // The order of the elements is that of the ranks, for keys.
    rows.forEach(({ school }, at) => {
      const { element } = this.#rows.get(school);
      if (this.#list.children[at] !== element && !element.contains(document.activeElement)) {
        this.#list.insertBefore(element, this.#list.children[at] ?? null);
      }
    });
    this.#roving.refresh();
    this.#list.style.height = `${rows.length * rowHeight}px`;
    this.#list.classList.toggle("is-empty", rows.length === 0);
    this.#list.dataset.empty = say("noTaps");
  }

  #showFacts(season, taps, rate, count) {
    const facts = [
      ["season#", number(season)],
      ["taps", number(taps)],
      ["tapRate", rate === null ? "–" : `${brief(rate)}/s`],
      ["shownSchools", number(count)],
    ];
    if (this.#facts.children.length === 0) {
      this.#facts.append(...facts.map(([key]) => make("div", "", make("dt", "", say(key)), make("dd"))));
    }
    facts.forEach(([, value], at) => setText(this.#facts.children[at].lastChild, value));
  }

  #showRow(row, at, best, rate) {
    let known = this.#rows.get(row.school);
    if (!known) {
      const parts = ["rank", "race-name", "soft wide-only", "rate", "race-count"].map((name) => make("span", name));
      known = { element: make("li", "", make("i", "bar"), ...parts), parts, row };
      const closed = tag(say("schoolClosed"), "warn");
      parts[1].append(make("span"), closed);
      known.texts = [parts[0], parts[1].firstChild, ...parts.slice(2)];
      known.closed = closed;
      known.element.append(this.#more(known));
      this.#rows.set(row.school, known);
      this.#list.append(known.element);
    }
    known.row = row;
    known.closed.hidden = !row.closed;
    const { element } = known;
    // Rows are placed by rank, so an overtaking row visibly moves. `aria-posinset` gives screen readers the rank.
    element.style.transform = `translateY(${at * rowHeight}px)`;
    element.setAttribute("aria-posinset", row.rank);
    element.firstChild.style.transform = `scaleX(${Number(row.count) / best})`;
    const texts = [number(row.rank), row.name, row.region ?? "", rate ? `+${brief(rate)}/s` : "", number(row.count)];
    texts.forEach((text, each) => setText(known.texts[each], text));
    element.classList.toggle("is-counting", rate > 0);
  }

  /** The button with what may be corrected of a school. */
  #more(known) {
    const more = iconButton("more", say("actions"), () => openMenu(more, schoolItems(this.#app.actions, known.row)));
    return forAct("editSchool", more);
  }
}
