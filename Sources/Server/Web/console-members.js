// The players in a room: the map's legend with points, the state of each connection, and the actions against each
// player.
import { make, seatColour } from "./dom.js";
import { number, say } from "./language.js";
import { bytes, milliseconds, plain } from "./console-format.js";
import { button, iconButton, openMenu, setText, tag } from "./console-parts.js";
import { forAct } from "./console-rights.js";
import { Table } from "./console-table.js";

export class Members {
  element;
  #table;
  #actions;
  #onChoose;
  #chosen = null;

  /** `onChoose(seat)` is called when a player is pressed, for the map to follow. */
  constructor(actions, onChoose) {
    this.#actions = actions;
    this.#onChoose = onChoose;
    this.#table = new Table({
      label: say("members"),
      empty: say("nobody"),
      keyOf: ({ key }) => key,
      columns: [
        { label: "nickname", className: "name", once: (cell, rowOf) => this.#nameCell(cell, rowOf), fill: nameText },
        { label: "points", className: "number strong", text: ({ points }) => (points === null ? "–" : number(points)) },
        { label: "roundTrip", className: "number", text: ({ roundTripMs }) => orUnknown(roundTripMs, milliseconds) },
        { label: "queue", className: "number", text: ({ unsentBytes }) => orUnknown(unsentBytes, bytes) },
        { className: "tools", once: (cell, rowOf) => this.#tools(cell, rowOf), fill: toolsText },
      ],
    });
    this.element = this.#table.element;
  }

  /**
   * Shows the players in the `room` of identifier `id`, with the feed's `members` by their identifiers. A recording's
   * players may be gone or elsewhere, so a recording offers no actions.
   */
  show(room, members, { id, isRecorded }) {
    const rowOf = ({ seat, spectator, playerId, nickname, held, points, walker }) => {
      const { suspect, muted, roundTripMs, unsentBytes, address } = members.get(playerId) ?? {};
      const isHost = seat !== undefined && seat === room.host;
      const key = seat === undefined ? `w${spectator}` : `s${seat}`;
      const line = { suspect, muted, roundTripMs, unsentBytes, address };
      const where = { room: id, code: room.code, isRecorded };
      return { key, seat, player: playerId, nickname, held, points, walker, isHost, ...line, ...where };
    };
    const watching = room.watching.map((player) => ({ ...player, points: null }));
    this.#table.show([...room.standings, ...watching].map(rowOf));
    this.mark(this.#chosen);
  }

  /** Marks the followed player; null for nobody. */
  mark(seat) {
    if (this.#chosen !== seat && this.#chosen !== null) {
      this.#table.elementOf(`s${this.#chosen}`)?.classList.remove("is-chosen");
    }
    this.#chosen = seat;
    if (seat !== null) this.#table.elementOf(`s${seat}`)?.classList.add("is-chosen");
  }

  #nameCell(cell, rowOf) {
    const press = button("", () => {
      const { seat } = rowOf();
      if (seat !== undefined) this.#onChoose(seat === this.#chosen ? null : seat);
    }, "as-link");
    cell.append(make("div", "who", make("i", "dot"), press, make("span", "tags")));
  }

  #tools(cell, rowOf) {
    const actions = this.#actions;
    const more = iconButton("more", say("actions"), () => {
      const row = rowOf();
      openMenu(more, [
        row.muted
          ? { text: say("unmute.go"), act: () => actions.unmute(row) }
          : { text: say("mute.go"), act: () => actions.mute(row) },
        { text: say("kick.go"), act: () => actions.kick(row), isDangerous: true },
        { text: say("ban.go"), act: () => actions.ban(row), isDangerous: true },
      ]);
    });
    cell.append(forAct("kick", more));
  }
}

function orUnknown(value, format) {
  return value === undefined ? "–" : format(value);
}

/** Nothing can be done about a practice opponent, who is no player. */
function toolsText(cell, { isRecorded, walker }) {
  const [more] = cell.children;
  more.disabled = isRecorded || walker === true;
  more.title = say(isRecorded ? "notFromRecording" : "actions");
}

function nameText(cell, { seat, nickname, player, address, held, isHost, suspect, muted, walker }) {
  const [dot, press, tags] = cell.firstChild.children;
  dot.classList.toggle("walker", walker === true);
  dot.style.background = seat === undefined ? "transparent" : seatColour(seat);
  setText(press, plain(nickname));
  press.title = [player, address].filter(Boolean).join("\n");
  press.disabled = seat === undefined;
  const shown = [
    seat === undefined && tag(say("watching")),
    walker && tag(say("walker"), "soft"),
    isHost && tag(say("host")),
    held && tag(say("held"), "soft"),
    suspect && tag(say("suspect"), "warn"),
    muted && tag(say("muted"), "bad"),
  ];
  tags.replaceChildren(...shown.filter(Boolean));
}
