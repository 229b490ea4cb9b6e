// The table of connections: players, addresses, round trips, queues.
import { make } from "./dom.js";
import { say } from "./language.js";
import { brieflyNamed, bytes, duration, milliseconds, plain } from "./console-format.js";
import { PagedList } from "./console-list.js";
import { iconButton, link, openMenu, setText, tag } from "./console-parts.js";
import { forAct } from "./console-rights.js";

const sorts = ["nickname", "address", "room", "unsentBytes", "shard"];
/** From these values on a connection's round trip or queue is highlighted. */
const slowMs = 400;
const longBytes = 64 * 1_024;

export class ConnectionsView {
  element;
  #app;
  #list;

  constructor(app, _, settings) {
    this.#app = app;
    this.#list = new PagedList(app, settings, {
      view: "connections",
      filterHint: "filterConnections",
      sorts,
      sort: "unsentBytes",
      texts: ["nickname", "address", "room", "shard"],
      table: {
        empty: say("noConnections"),
        keyOf: ({ player, address }) => `${player ?? ""} ${address}`,
        columns: [
          { label: "nickname", sort: "nickname", className: "name", fill: nameCell },
          { label: "address", sort: "address", className: "mono wide-only", text: ({ address }) => address },
          { label: "room", sort: "room", className: "code", fill: roomCell },
          { label: "roundTrip", className: "number", fill: roundTripCell },
          { label: "queue", sort: "unsentBytes", className: "number", fill: queueCell },
          { label: "connectedFor", className: "number wide-only", text: (row) => this.#connectedText(row) },
          { label: "subprotocol", className: "wide-only", text: ({ subprotocol }) => subprotocol },
          { label: "shard", sort: "shard", className: "number wide-only", text: ({ shard }) => `${shard}` },
          { className: "tools", once: (cell, rowOf) => this.#tools(cell, rowOf) },
        ],
      },
    });
    this.element = this.#list.element;
  }

  enter() {
    this.#list.ask();
  }

  leave() {}

  receive(kind, body) {
    if (kind === "connections") this.#list.show(body);
  }

  #connectedText({ openedAtMs }) {
    const now = this.#app.history.latest?.atMs ?? Date.now();
    return openedAtMs === undefined ? "–" : duration(now - openedAtMs);
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
    // Before the hello a connection has no player, so there is no action.
    if (rowOf()?.player) cell.append(forAct("kick", more));
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

function queueCell(cell, { unsentBytes, behind }) {
  cell.replaceChildren(...(behind ? [tag(say("behind"), "warn"), " "] : []), bytes(unsentBytes));
  cell.classList.toggle("warn-text", unsentBytes > longBytes);
}

