// The bans and mutes in force, with their ends and reasons, and a button to lift each.
import { make } from "./dom.js";
import { say } from "./language.js";
import { duration, moment, plain } from "./console-format.js";
import { StoredCard, button, link, setText, tag } from "./console-parts.js";
import { forAct } from "./console-rights.js";
import { sanctionForm } from "./console-sanction-form.js";
import { Table } from "./console-table.js";

export class SanctionsView {
  element;
  #app;
  #table;
  #card;
  #count = make("span", "count");
  #rows = [];
  #timer = null;

  constructor(app, _, settings) {
    this.#app = app;
    this.#table = new Table({
      label: say("sanctions"),
      empty: say("noSanctions"),
      keyOf: ({ player, kind }) => `${kind} ${player}`,
      columns: [
        { label: "kind", fill: kindCell },
        { label: "nickname", className: "name", fill: (cell, row) => cell.replaceChildren(link(nameOf(row), `#/playerSearch?player=${row.player}`)) },
        { label: "player", className: "mono wide-only", text: ({ player }) => player },
        { label: "since", className: "number", text: ({ startedAtMs }) => moment(startedAtMs) },
        { label: "until", className: "number", text: ({ endsAtMs }) => (endsAtMs ? moment(endsAtMs) : say("untilLifted")) },
        { label: "left", className: "number", text: ({ leftText }) => leftText },
        { label: "reason", className: "long", text: ({ reason }) => plain(reason ?? "") },
        { className: "tools", once: (cell, rowOf) => this.#tools(cell, rowOf) },
      ],
    });
    this.#card = new StoredCard(this.#table.element);
    this.element = make(
      "div",
      "",
      make("div", "view-head", make("h1", "", say("sanctions")), this.#count),
      sanctionForm(app.actions, settings.get("player")),
      this.#card.element,
    );
  }

  enter() {
    this.#app.feed.watch({ watch: "sanctions" });
    this.#timer = setInterval(() => this.#show(), 5_000);
  }

  leave() {
    clearInterval(this.#timer);
  }

  receive(kind, body) {
    if (kind !== "sanctions" || !this.#card.take(body)) return;
    this.#rows = body.rows;
    this.#show();
  }

  #show() {
    const now = Date.now();
    setText(this.#count, `${this.#rows.length}`);
    this.#table.show(
      this.#rows.map((row) => ({ ...row, leftText: row.endsAtMs ? duration(Math.max(0, row.endsAtMs - now)) : "–" })),
    );
  }

  #tools(cell, rowOf) {
    const { actions } = this.#app;
    cell.append(
      forAct("unban", button(say("lift"), () => {
        const row = rowOf();
        if (row.kind === "ban") actions.unban(row);
        else actions.unmute(row);
      })),
    );
  }
}

function nameOf({ nickname }) {
  return nickname === undefined ? say("unknownName") : plain(nickname);
}

function kindCell(cell, { kind, addressBanEndsAtMs }) {
  const kinds = [tag(say(`sanction.${kind}`), kind === "ban" ? "bad" : "warn")];
  if (addressBanEndsAtMs) kinds.push(tag(say("addressBan.tag", { time: moment(addressBanEndsAtMs) }), "warn"));
  cell.replaceChildren(...kinds);
}

