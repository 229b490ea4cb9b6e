// A list that the server filters, sorts and pages, so that thousands of rows cost the page nothing: what rooms and connections
// have in common. Which part of it is seen stands in the page's address.
import { make } from "./dom.js";
import { say } from "./language.js";
import { filterField, select } from "./console-parts.js";
import { Pager, Table, offsetIn } from "./console-table.js";

const limit = 50;

export class PagedList {
  element;
  #app;
  #view;
  #query;
  #texts;
  #table;
  #pager;

  /**
   * `view` names it to the feed, in addresses and as a title, `filterHint` what its filter looks for. It can be sorted by
   * `sorts`, first by `sort`; `texts` of them begin ascending. `choices` are what it can be narrowed to: `name`, `label` and
   * `values` of each. `table` is what a `Table` takes.
   */
  constructor(app, settings, { view, filterHint, sorts, sort, texts, choices = [], table }) {
    this.#app = app;
    this.#view = view;
    this.#texts = texts;
    const known = (name, values, otherwise) => (values.includes(settings.get(name)) ? settings.get(name) : otherwise);
    this.#query = {
      filter: settings.get("filter") ?? "",
      ...Object.fromEntries(choices.map(({ name, values }) => [name, known(name, values, "")])),
      sort: known("sort", sorts, sort),
      descending: settings.get("descending") !== "false",
      offset: offsetIn(settings),
    };
    this.#table = new Table({ ...table, label: say(view), onSort: (by) => this.#sort(by) });
    this.#pager = new Pager((offset) => this.ask({ offset }));
    const head = make(
      "div",
      "view-head",
      make("h1", "", say(view)),
      filterField(say(filterHint), this.#query.filter, (filter) => this.ask({ filter, offset: 0 })),
      ...choices.map((choice) => this.#choice(choice)),
      this.#pager.element,
    );
    this.element = make("div", "", head, make("section", "card", this.#table.element));
  }

  show({ total, matching, offset, rows }) {
    // Rows have gone meanwhile: the page that was seen is no more.
    if (rows.length === 0 && offset > 0 && matching > 0) {
      return this.ask({ offset: Math.floor((matching - 1) / limit) * limit });
    }
    // The mark says by what these rows are sorted, not by what the next will be.
    this.#table.markSort(this.#query.sort, this.#query.descending);
    this.#table.show(rows);
    this.#pager.show({ total, matching, offset, limit, count: rows.length });
  }

  /** Asks for the list, with what is changed of it. */
  ask(changes = {}) {
    Object.assign(this.#query, changes);
    const settings = Object.fromEntries(Object.entries(this.#query).filter(([, value]) => value !== ""));
    this.#app.remember(`#/${this.#view}?${new URLSearchParams(settings)}`);
    this.#app.feed.watch({ watch: this.#view, ...settings, limit });
  }

  #choice({ name, label, values }) {
    const options = [["", say("all")], ...values.map((value) => [value, say(value)])];
    const element = select(say(label), options, this.#query[name], (value) => this.ask({ [name]: value, offset: 0 }));
    element.options[0].textContent = `${say(label)}: ${say("all")}`;
    return element;
  }

  #sort(sort) {
    const isSame = this.#query.sort === sort;
    this.ask({ sort, descending: isSame ? !this.#query.descending : !this.#texts.includes(sort), offset: 0 });
  }
}
