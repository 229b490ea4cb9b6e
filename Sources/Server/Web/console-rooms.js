// The table of rooms: filtered, sorted and paged by the server, so that thousands cost the page nothing.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { filterField, link, select, setText } from "./console-parts.js";
import { Pager, Table, offsetIn } from "./console-table.js";

const limit = 50;
const modes = ["FOOTPRINT", "TERRITORY", "LAND"];
const phases = ["LOBBY", "PLAYING", "ENDED"];
const sorts = ["code", "mode", "phase", "players", "connected", "game", "suspects", "shard"];

export class RoomsView {
  element;
  #app;
  #query;
  #table;
  #pager;

  constructor(app, _, settings) {
    this.#app = app;
    this.#query = {
      filter: settings.get("filter") ?? "",
      mode: modes.includes(settings.get("mode")) ? settings.get("mode") : "",
      phase: phases.includes(settings.get("phase")) ? settings.get("phase") : "",
      sort: sorts.includes(settings.get("sort")) ? settings.get("sort") : "players",
      descending: settings.get("descending") !== "false",
      offset: offsetIn(settings),
    };
    this.#table = new Table({
      label: say("rooms"),
      empty: say("noRooms"),
      keyOf: ({ id }) => id,
      onSort: (sort) => this.#sort(sort),
      columns: [
        { label: "code", sort: "code", className: "code", fill: codeCell },
        { label: "game", sort: "mode", text: ({ mode }) => say(mode) },
        { label: "phase", sort: "phase", fill: phaseCell },
        { label: "playersHead", sort: "players", className: "meter-cell", fill: playersCell },
        { label: "connected", sort: "connected", className: "number", text: ({ connected }) => number(connected) },
        { label: "gameNumber", sort: "game", className: "number wide-only", text: ({ game }) => (game ? number(game) : "–") },
        { label: "suspects", sort: "suspects", className: "number", fill: suspectsCell },
        { label: "shard", sort: "shard", className: "number wide-only", text: ({ shard }) => `${shard}` },
      ],
    });
    this.#pager = new Pager((offset) => this.#ask({ offset }));
    const all = [["", say("all")]];
    this.element = make(
      "div",
      "",
      make(
        "div",
        "view-head",
        make("h1", "", say("rooms")),
        filterField(say("filterRooms"), this.#query.filter, (filter) => this.#ask({ filter, offset: 0 })),
        this.#choice("game", "mode", [...all, ...modes.map((mode) => [mode, say(mode)])]),
        this.#choice("phase", "phase", [...all, ...phases.map((phase) => [phase, say(phase)])]),
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
    if (kind !== "rooms") return;
    const { total, matching, offset, rows } = body;
    // Rooms have ended meanwhile: the page that was seen is no more.
    if (rows.length === 0 && offset > 0 && matching > 0) {
      return this.#ask({ offset: Math.floor((matching - 1) / limit) * limit });
    }
    // The mark says by what these rows are sorted, not by what the next will be.
    this.#table.markSort(this.#query.sort, this.#query.descending);
    this.#table.show(rows);
    this.#pager.show({ total, matching, offset, limit, count: rows.length });
  }

  #choice(label, name, options) {
    const element = select(say(label), options, this.#query[name], (value) => this.#ask({ [name]: value, offset: 0 }));
    element.options[0].textContent = `${say(label)}: ${say("all")}`;
    return element;
  }

  #sort(sort) {
    const isSame = this.#query.sort === sort;
    const isText = sort === "code" || sort === "mode" || sort === "phase";
    this.#ask({ sort, descending: isSame ? !this.#query.descending : !isText, offset: 0 });
  }

  #ask(changes) {
    Object.assign(this.#query, changes);
    const { filter, mode, phase, sort, descending, offset } = this.#query;
    const settings = { ...(filter && { filter }), ...(mode && { mode }), ...(phase && { phase }), sort, descending, offset };
    this.#app.remember(`#/rooms?${new URLSearchParams(settings)}`);
    this.#app.feed.watch({ watch: "rooms", ...settings, limit });
  }
}

/** The way to a room; a solo room has no code. */
function codeCell(cell, { id, code }) {
  if (cell.childElementCount > 0) return;
  cell.append(link(code || `${say("solo")} ${id.slice(0, 8)}`, `#/room/${id}`));
}

function phaseCell(cell, { phase }) {
  setText(cell, say(phase));
  cell.dataset.phase = phase;
}

function playersCell(cell, { players, capacity }) {
  if (cell.childElementCount === 0) cell.append(make("i", "meter"), make("span"));
  cell.firstChild.style.setProperty("--share", capacity > 0 ? players / capacity : 0);
  setText(cell.lastChild, `${number(players)} / ${number(capacity)}`);
}

function suspectsCell(cell, { suspects }) {
  setText(cell, suspects ? number(suspects) : "–");
  cell.classList.toggle("warn-text", suspects > 0);
}
