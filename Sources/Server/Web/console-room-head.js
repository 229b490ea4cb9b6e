// The head of a room's view: the line above the map with the room's name, state and actions, and the badge and notices
// on the map.
import { clockText, make } from "./dom.js";
import { number, say } from "./language.js";
import { brieflyNamed } from "./console-format.js";
import { button, link, setText, tag } from "./console-parts.js";
import { forAct } from "./console-rights.js";
import { gameText } from "./console-scrubber.js";

const gamesOffered = 5;

export class RoomHead {
  /** The line above the map, and the part on the map. */
  element;
  top;
  notice = make("div", "map-notice");
  #id;
  #game;
  #title = make("h1");
  #tags = make("span", "tags");
  #facts = make("span", "room-facts");
  #badge = make("span", "map-badge");
  #time = make("span", "map-time");
  #tools;
  #noticeShown = "";

  /** `wants`: `announce()`, `close()`, `game(id)`. */
  constructor(id, wants) {
    this.#id = id;
    this.#game = wants.game;
    this.#tools = [
      forAct("announce", button(say("announceHere"), () => wants.announce())),
      forAct("closeRoom", button(say("closeHere"), () => wants.close(), "danger")),
    ];
    const back = link("", "#/rooms", "back");
    back.append("← ", say("rooms"));
    const tools = make("div", "head-tools", ...this.#tools);
    this.element = make("div", "view-head", back, this.#title, this.#tags, this.#facts, tools);
    this.top = make("div", "map-top", this.#badge, this.#time);
    this.notice.setAttribute("role", "status");
    this.notice.hidden = true;
    this.show({ room: null, isGone: false, suspects: 0, shard: null });
  }

  /** `room` is null while it is unknown; `shard` is null for a recording without a live room. */
  show({ room, isGone, suspects, shard }) {
    for (const tool of this.#tools) tool.disabled = isGone || !room;
    // A recording has no code, so only a live room without a code is a solo room.
    const isSolo = room && shard !== null && !room.code;
    const briefly = brieflyNamed(this.#id) || say("room");
    const name = room?.code || (isSolo ? `${say("solo")} ${briefly}` : briefly);
    setText(this.#title, name);
    const shown = [
      room && tag(say(room.mode)),
      room && !isGone && tag(say(room.phase), room.phase === "PLAYING" ? "good" : ""),
      room?.locked && !isGone && tag(say("isLocked")),
      suspects > 0 && tag(say("suspectsCount", { n: suspects }), "warn"),
      isGone && tag(say("isGone"), "bad"),
    ];
    this.#tags.replaceChildren(...shown.filter(Boolean));
    const texts = room && [
      say("seated", { n: number(room.seated.length), capacity: number(room.capacity) }),
      room.watching.length > 0 && say("watchingCount", { n: number(room.watching.length) }),
      shard !== null && say("onShard", { n: shard }),
    ];
    setText(this.#facts, texts ? texts.filter(Boolean).join(" · ") : "");
    if (room) document.title = `${name} · Madang`;
  }

  /**
   * `kind` is `live`, `lost` (no connection), `gone` or `recorded`; `leftMs` the time left of the game, null if
   * unknown.
   */
  showState(kind, leftMs) {
    this.#badge.dataset.kind = kind;
    setText(this.#badge, say(`badge.${kind}`));
    setText(this.#time, leftMs === null ? "" : say("timeLeft", { time: clockText(leftMs) }));
  }

  /** Shows a sentence on the map, with buttons for `games`; null for none. */
  say(text, games = []) {
    const signature = JSON.stringify([text, games]);
    if (signature === this.#noticeShown) return;
    this.#noticeShown = signature;
    this.notice.hidden = text === null;
    const choices = games.slice(0, gamesOffered).map((each) => button(gameText(each), () => this.#game(each.game)));
    this.notice.replaceChildren(make("p", "", text ?? ""), ...choices);
  }
}
