// The table of rooms.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { PagedList } from "./console-list.js";
import { link, setText } from "./console-parts.js";

const modes = ["FOOTPRINT", "TERRITORY", "LAND"];
const phases = ["LOBBY", "PLAYING", "ENDED"];
const sorts = ["code", "mode", "phase", "players", "connected", "game", "suspects", "shard"];

export class RoomsView {
  element;
  #list;

  constructor(app, _, settings) {
    this.#list = new PagedList(app, settings, {
      view: "rooms",
      filterHint: "filterRooms",
      sorts,
      sort: "players",
      texts: ["code", "mode", "phase"],
      choices: [
        { name: "mode", label: "game", values: modes },
        { name: "phase", label: "phase", values: phases },
      ],
      table: {
        empty: say("noRooms"),
        keyOf: ({ id }) => id,
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
      },
    });
    this.element = this.#list.element;
  }

  enter() {
    this.#list.ask();
  }

  leave() {}

  receive(kind, body) {
    if (kind === "rooms") this.#list.show(body);
  }
}

/** The link to a room; a solo room has no code. */
function codeCell(cell, { id, code }) {
  if (cell.childElementCount > 0) return;
  cell.append(link(code || `${say("solo")} ${id.slice(0, 8)}`, `#/room/${id}`));
}

function phaseCell(cell, { phase, locked, consent }) {
  const doors = [locked && say("isLocked"), consent && say("asksConsent")];
  setText(cell, [say(phase), ...doors.filter(Boolean)].join(" · "));
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
