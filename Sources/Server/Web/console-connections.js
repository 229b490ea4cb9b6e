// Everybody who is connected: whose queue grows, who is slow, from where.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { brieflyNamed, bytes, duration, milliseconds, plain } from "./console-format.js";
import { filterField, iconButton, link, openMenu, setText, tag } from "./console-parts.js";
import { Pager, Table, offsetIn } from "./console-table.js";

const limit = 50;
const sorts = ["nickname", "address", "room", "unsentBytes", "shard"];
/** From here on a connection's round trip, or its queue, is worth a look. */
const slowMs = 400;
const longBytes = 64 * 1_024;

export class ConnectionsView {
  element;
  #app;
  #query;
  #table;
  #pager;

  constructor(app, _, settings) {
    this.#app = app;
    this.#query = {
      filter: settings.get("filter") ?? "",
      sort: sorts.includes(settings.get("sort")) ? settings.get("sort") : "unsentBytes",
      descending: settings.get("descending") !== "false",
      offset: offsetIn(settings),
    };
    this.#table = new Table({
      label: say("connections"),
      empty: say("noConnections"),
      keyOf: ({ player, address }) => `${player ?? ""} ${address}`,
      onSort: (sort) => this.#sort(sort),
      columns: [
        { label: "nickname", sort: "nickname", className: "name", fill: nameCell },
        { label: "address", sort: "address", className: "mono", text: ({ address }) => address },
        { label: "room", sort: "room", className: "code", fill: roomCell },
        { label: "roundTrip", className: "number", fill: roundTripCell },
        { label: "queue", sort: "unsentBytes", className: "number", fill: queueCell },
        { label: "connectedFor", className: "number wide-only", text: (row) => this.#connectedText(row) },
        { label: "subprotocol", className: "wide-only", text: ({ subprotocol }) => subprotocol },
        { label: "shard", sort: "shard", className: "number wide-only", text: ({ shard }) => `${shard}` },
        { className: "tools", once: (cell, rowOf) => this.#tools(cell, rowOf) },
      ],
    });
    this.#pager = new Pager((offset) => this.#ask({ offset }));
    this.element = make(
      "div",
      "",
      make(
        "div",
        "view-head",
        make("h1", "", say("connections")),
        filterField(say("filterConnections"), this.#query.filter, (filter) => this.#ask({ filter, offset: 0 })),
        this.#pager.element,
      ),
      make("section", "card", this.#table.element),
    );
  }

  enter() {
    this.#ask({});
  }

  leave() {}

  receive(kind, body) {
    if (kind !== "connections") return;
    const { total, matching, offset, rows } = body;
    if (rows.length === 0 && offset > 0 && matching > 0) {
      return this.#ask({ offset: Math.floor((matching - 1) / limit) * limit });
    }
    // The mark says by what these rows are sorted, not by what the next will be.
    this.#table.markSort(this.#query.sort, this.#query.descending);
    this.#table.show(rows);
    this.#pager.show({ total, matching, offset, limit, count: rows.length });
  }

  #sort(sort) {
    const isSame = this.#query.sort === sort;
    this.#ask({ sort, descending: isSame ? !this.#query.descending : sort === "unsentBytes", offset: 0 });
  }

  #ask(changes) {
    Object.assign(this.#query, changes);
    const { filter, sort, descending, offset } = this.#query;
    const settings = { ...(filter && { filter }), sort, descending, offset };
    this.#app.remember(`#/connections?${new URLSearchParams(settings)}`);
    this.#app.feed.watch({ watch: "connections", ...settings, limit });
  }

  #connectedText({ connectedMs }) {
    const now = this.#app.history.latest?.serverTimeMs ?? Date.now();
    return connectedMs === undefined ? "–" : duration(now - connectedMs);
  }

  #tools(cell, rowOf) {
    const { actions } = this.#app;
    const more = iconButton("more", say("actions"), () => {
      const row = rowOf();
      openMenu(more, [
        { text: say("kick.go"), act: () => actions.kick(row), isDangerous: true },
        { text: say("mute.go"), act: () => actions.mute(row) },
        { text: say("ban.go"), act: () => actions.ban(row), isDangerous: true },
      ]);
    });
    // Nobody is there to be acted on before the hello.
    if (rowOf()?.player) cell.append(more);
  }
}

function nameCell(cell, { player, nickname }) {
  const name = make("span", nickname ? "" : "soft", nickname === undefined ? say("noHello") : plain(nickname));
  const id = player && make("small", "mono soft wide-only", brieflyNamed(player));
  cell.replaceChildren(name, ...(id ? [" ", id] : []));
}

function roomCell(cell, { room, code }) {
  cell.replaceChildren(room ? link(code || brieflyNamed(room), `#/room/${room}`) : "–");
}

function roundTripCell(cell, { roundTripMs }) {
  setText(cell, roundTripMs === undefined ? "–" : milliseconds(roundTripMs));
  cell.classList.toggle("warn-text", roundTripMs > slowMs);
}

function queueCell(cell, { unsentBytes, isBehind }) {
  cell.replaceChildren(...(isBehind ? [tag(say("behind"), "warn"), " "] : []), bytes(unsentBytes));
  cell.classList.toggle("warn-text", unsentBytes > longBytes);
}

