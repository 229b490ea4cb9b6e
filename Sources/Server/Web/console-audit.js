// The audit log: operators' past actions, newest first, by pages.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { brieflyNamed, moment, plain, whole } from "./console-format.js";
import { StoredCard, button, link } from "./console-parts.js";
import { Table } from "./console-table.js";
import { addressText, detailText } from "./console-told.js";

export class AuditView {
  element;
  #app;
  #table;
  #card;
  #older;
  #newest;
  /** The number before which the shown page begins; undefined for the newest page. */
  #before;
  #next = null;

  constructor(app, _, settings) {
    this.#app = app;
    this.#before = whole(settings.get("before")) ?? undefined;
    this.#table = new Table({
      label: say("audit"),
      empty: say("noAudit"),
      keyOf: ({ number: each }) => each,
      columns: [
        { label: "numberOf", className: "number soft", text: ({ number: each }) => number(each) },
        { label: "at", text: ({ atMs }) => moment(atMs) },
        { label: "operator", fill: operatorCell },
        { label: "action", className: "strong", text: ({ action }) => say(`did.${action}`, {}, action) },
        { label: "target", className: "mono", fill: targetCell },
        { label: "detail", className: "long", text: ({ action, detail }) => plain(detailText(action, detail)) },
        { label: "reason", className: "long", text: ({ reason }) => plain(reason ?? "") },
      ],
    });
    this.#newest = button(say("newest"), () => this.#ask(undefined));
    this.#older = button(say("older"), () => this.#ask(this.#next));
    this.#older.disabled = true;
    this.#card = new StoredCard(this.#table.element);
    this.element = make(
      "div",
      "",
      make("div", "view-head", make("h1", "", say("audit")), make("div", "pager", this.#newest, this.#older)),
      this.#card.element,
    );
  }

  enter() {
    this.#ask(this.#before);
  }

  leave() {}

  receive(kind, body) {
    if (kind !== "audit" || !this.#card.take(body)) return;
    this.#next = body.next ?? null;
    this.#older.disabled = this.#next === null;
    this.#table.show(body.rows);
  }

  #ask(before) {
    this.#before = before;
    this.#newest.disabled = before === undefined;
    this.#app.remember(before === undefined ? "#/audit" : `#/audit?before=${before}`);
    this.#app.feed.watch({ watch: "audit", ...(before !== undefined && { before }) });
  }
}

/** Who acted, and from where. Older rows and commands have no name. */
function operatorCell(cell, { operator, address }) {
  const place = addressText(address);
  const from = make("small", "mono soft wide-only", place);
  cell.replaceChildren(...(operator ? [make("b", "", operator === "token" ? say("byToken") : operator), " ", from] : [make("span", "mono", place)]));
}

/** The player of an action, as a link to their sanctions, and the room. */
function targetCell(cell, { player, nickname, room, code }) {
  const parts = [];
  if (player) {
    const name = nickname === undefined ? [] : [make("b", "", plain(nickname)), " "];
    const way = link(brieflyNamed(player), `#/sanctions?player=${player}`);
    parts.push(...name, Object.assign(way, { title: player }));
  }
  if (room) {
    if (player) parts.push(" ");
    parts.push(Object.assign(link(say("roomNamed", { name: code || brieflyNamed(room) }), `#/room/${room}`), { title: room }));
  }
  cell.replaceChildren(...(parts.length > 0 ? parts : ["–"]));
}
