// A list that the server filters, sorts and pages, so that thousands of rows cost the page nothing. Rooms and
// connections share it. The page's address has the shown part.
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
   * `view` names the list in the feed, in addresses and in its title. `filterHint` is the key of the filter's
   * placeholder. `sorts` are the possible orders, `sort` is the first one, and `texts` are those that begin ascending.
   * `choices` are further filters, each with `name`, `label` and `values`. `table` has the arguments of a `Table`.
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
    // The shown page is past the end, because rows have gone meanwhile.
    if (rows.length === 0 && offset > 0 && matching > 0) {
      return this.ask({ offset: Math.floor((matching - 1) / limit) * limit });
    }
    // The mark shows the order of these rows, also while another order is requested.
    this.#table.markSort(this.#query.sort, this.#query.descending);
    this.#table.show(rows);
    this.#pager.show({ total, matching, offset, limit, count: rows.length });
  }

  /** Asks for the list with a changed query. */
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
