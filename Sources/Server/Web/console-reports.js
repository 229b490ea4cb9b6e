// What players have reported: its words and pictures, the reasons, and buttons to decide on it.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { brieflyNamed, moment, plain } from "./console-format.js";
import { StoredCard, button, link, select, setText, tag } from "./console-parts.js";
import { forAct } from "./console-rights.js";
import { Table } from "./console-table.js";

const filters = ["waiting", "hiddenByReports", "hiddenByOperator", "restored", "shown"];
/** A page's `next`; the server refuses anything else. */
const place = /^-?\d{1,16}\.\d{1,2}\.[0-9a-f]{32}$/;
/** The side of a thumbnail on the page. */
const pictureSize = 72;

export class ReportsView {
  element;
  #app;
  #table;
  #card;
  #count = make("span", "count");
  #newest;
  #older;
  #filter;
  /** The place behind which the shown page begins; undefined for the newest page. */
  #after;
  #next = null;

  constructor(app, _, settings) {
    this.#app = app;
    const asked = settings.get("filter");
    this.#filter = filters.includes(asked) ? asked : filters[0];
    const after = settings.get("after") ?? "";
    this.#after = place.test(after) ? after : undefined;
    this.#table = new Table({
      label: say("reports"),
      empty: say("noReports"),
      keyOf: ({ kind, id }) => `${kind} ${id}`,
      columns: [
        { label: "reported", className: "report-what", fill: whatCell },
        { label: "content", className: "report-content", fill: contentCell },
        { label: "author", fill: authorCell },
        { label: "reasons", className: "report-reasons", fill: reasonsCell },
        { label: "at", className: "number wide-only", text: ({ reportedAtMs }) => moment(reportedAtMs) },
        { className: "tools report-tools", fill: (cell, row) => this.#tools(cell, row) },
      ],
    });
    const options = filters.map((name) => [name, say(`reports.${name}`)]);
    const choice = select(say("reports.filter"), options, this.#filter, (filter) => {
      this.#filter = filter;
      this.#ask(undefined);
    });
    this.#newest = button(say("newest"), () => this.#ask(undefined));
    this.#older = button(say("older"), () => this.#ask(this.#next));
    this.#older.disabled = true;
    this.#card = new StoredCard(this.#table.element);
    const head = make("div", "view-head", make("h1", "", say("reports")), this.#count, choice);
    head.append(make("div", "pager", this.#newest, this.#older));
    this.element = make("div", "", head, this.#card.element);
  }

  enter() {
    this.#ask(this.#after);
  }

  leave() {}

  receive(kind, body) {
    if (kind !== "reports" || !this.#card.take(body)) return;
    this.#next = body.next ?? null;
    this.#older.disabled = this.#next === null;
    const rows = body.rows ?? [];
    setText(this.#count, this.#next === null ? number(rows.length) : say("moreThan", { n: number(rows.length) }));
    this.#table.show(rows);
  }

  #ask(after) {
    this.#after = after;
    this.#newest.disabled = after === undefined;
    const settings = new URLSearchParams({ filter: this.#filter, ...(after !== undefined && { after }) });
    this.#app.remember(`#/reports?${settings}`);
    this.#app.feed.watch({ watch: "reports", filter: this.#filter, ...(after !== undefined && { after }) });
  }

  #tools(cell, row) {
    const { actions } = this.#app;
    const isHidden = row.state.startsWith("hidden");
    const hide = forAct("hide", button(say("hideIt"), () => actions.hide(row), "danger"));
    const restore = forAct("restore", button(say("restoreIt"), () => actions.restore(row)));
    // What waits may be hidden for good or restored, whatever reports have made of it.
    hide.disabled = !row.waiting && isHidden;
    restore.disabled = !row.waiting && !isHidden && row.state === "restored";
    const hadFocus = [...cell.children].indexOf(document.activeElement);
    cell.replaceChildren(
      hide,
      restore,
      forAct("warn", button(say("warnThem"), () => actions.warn(row))),
      forAct("ban", button(say("banThem"), () => actions.ban(row), "danger")),
    );
    if (hadFocus >= 0) cell.children[hadFocus].focus();
  }
}

function whatCell(cell, { kind, state, waiting }) {
  cell.replaceChildren(
    tag(say(`reported.${kind}`)),
    " ",
    tag(say(`state.${state}`), state.startsWith("hidden") ? "bad" : ""),
    waiting ? make("p", "soft", say("waiting")) : "",
  );
}

/** Words and pictures, as they were typed and uploaded. */
function contentCell(cell, { title, text, media = [] }) {
  const pictures = media.map((id) => {
    const picture = make("img", "report-picture");
    Object.assign(picture, { src: `/media/${id}/thumbnail`, alt: say("picture"), loading: "lazy", width: pictureSize, height: pictureSize });
    return picture;
  });
  cell.replaceChildren(
    title === undefined ? "" : make("b", "", plain(title)),
    text === undefined ? "" : make("p", "report-text", plain(text)),
    pictures.length > 0 ? make("div", "report-pictures", ...pictures) : "",
  );
}

function authorCell(cell, { player, nickname }) {
  const way = Object.assign(link(brieflyNamed(player), `#/sanctions?player=${player}`, "mono"), { title: player });
  cell.replaceChildren(make("b", "", plain(nickname ?? "")), " ", way);
}

/** The number of reports, the reasons with theirs, and the newest words of reporters. */
function reasonsCell(cell, { reports, reasons = [], texts = [] }) {
  const words = texts.filter(({ text }) => text !== undefined).map(({ text, atMs }) => {
    return Object.assign(make("li", "", plain(text)), { title: moment(atMs) });
  });
  cell.replaceChildren(
    make("p", "", say("reportsCount", { n: number(reports) })),
    make("p", "", ...reasons.flatMap(({ reason, count }) => [tag(`${reasonNamed(reason)} ${number(count)}`), " "])),
    words.length > 0 ? make("ul", "report-words", ...words) : "",
  );
}

/** A newer server may have reasons that this page has no word for. */
function reasonNamed(reason) {
  const key = `reason.${reason}`;
  const word = say(key);
  return word === key ? reason : word;
}
