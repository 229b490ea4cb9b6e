// A room's chats and events, in order, with the room's clock beside each.
import { clockText, make, seatColour } from "./dom.js";
import { number, say } from "./language.js";
import { plain } from "./console-format.js";
import { button } from "./console-parts.js";

const linesMax = 400;

/**
 * An event as a line of the log; null for an event without a line. `room` has already applied the event, and gives the
 * present names. `authors` names the authors of chats.
 */
export function lineOf(event, room, authors) {
  const { atMs, number: each, joined, left, held, back, host, phase, chat, captured, hostAct } = event;
  const line = (kind, text, place) => ({ key: each, atMs: atMs ?? 0, kind, text, name: "", seat: place?.seat });
  const named = (place) => ({ name: plain(room.nameAt(place)) });
  if (chat) return { ...line("chat", plain(chat.text ?? "")), ...authors.of(event, room) };
  const joinedKey = joined?.seat === undefined ? "log.watches" : "log.joined";
  if (joined) return line("event", say(joinedKey, { name: plain(joined.nickname) }), joined);
  if (left) return line("event", say("log.left", named(left)), left);
  if (held) return line("event", say("log.held", named(held)), held);
  if (back) return line("event", say("log.back", named(back)), back);
  if (host && host.seat === undefined) return line("event", say("log.noHost"));
  if (host) return line("event", say("log.host", named(host)), host);
  if (hostAct?.kicked) return line("event", say("log.kicked", named(hostAct.kicked)), hostAct.kicked);
  if (hostAct) return line("event", say(hostAct.locked ? "log.locked" : "log.opened"));
  if (captured) return line("event", captureText(captured, room), captured);
  if (phase?.phase === "PLAYING") return line("phase", say("log.began"));
  if (phase?.phase === "LOBBY") return line("phase", say("log.lobby"));
  if (!phase) return null;
  const winner = phase.board?.find(({ won }) => won);
  return line("phase", winner ? say("log.won", { name: plain(winner.nickname) }) : say("log.ended"));
}

function captureText({ seat, areaM2, land }, room) {
  const name = plain(room.nameAt({ seat: seat ?? 0 }));
  if (!land) return say("log.took", { name, n: number(areaM2 ?? 0) });
  const known = room.lands.find(({ landId }) => landId === land.landId);
  return say("log.tookLand", { name, land: known?.name ?? land.landId, time: clockText(land.timeMs) });
}

export class RoomLog {
  element = make("ol", "log");
  #isAtEnd = true;
  #onAuthor;

  /** `onAuthor(button, line)` is called when the name of a chat's author is pressed. */
  constructor(onAuthor) {
    this.#onAuthor = onAuthor;
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "log");
    this.element.setAttribute("aria-label", say("log"));
    this.element.addEventListener("scroll", () => {
      const { scrollTop, scrollHeight, clientHeight } = this.element;
      this.#isAtEnd = scrollHeight - scrollTop - clientHeight < 24;
    });
  }

  /** Replaces all lines. */
  replace(lines) {
    this.element.replaceChildren(...lines.slice(-linesMax).map((line) => this.#elementOf(line)));
    this.#isAtEnd = true;
    this.#keepAtEnd();
  }

  add(lines) {
    if (lines.length === 0) return;
    this.element.append(...lines.map((line) => this.#elementOf(line)));
    while (this.element.children.length > linesMax) this.element.firstChild.remove();
    this.#keepAtEnd();
  }

  #elementOf(line) {
    const { atMs, kind, name, player, text, seat } = line;
    const author = name ? button(name, () => this.#onAuthor(author, line), "as-link author") : null;
    if (author) {
      author.title = player ?? "";
      author.disabled = player === undefined;
      if (seat !== undefined) author.prepend(dot(seat));
    }
    return make("li", kind, make("time", "", clockText(atMs)), make("span", "", author, author ? " " : null, text));
  }

  /** Scrolls to the newest line, unless the reader has scrolled back. */
  #keepAtEnd() {
    if (this.#isAtEnd) this.element.scrollTop = this.element.scrollHeight;
  }
}

/** The seat's colour beside a name: as the colour of a text it would be too light. */
function dot(seat) {
  const mark = make("i", "dot");
  mark.style.background = seatColour(seat);
  return mark;
}
