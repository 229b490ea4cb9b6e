// The lobby on a big screen: a large QR, and everybody who is in.
import { find, make, seatColour } from "./dom.js";
import { say } from "./language.js";
import { showFitting } from "./screen-fit.js";

/** More names than these are read by nobody from afar. */
const namesMax = 40;

export class ScreenLobby {
  #room = null;

  constructor() {
    addEventListener("resize", () => this.update());
  }

  show(room) {
    this.#room = room;
    find("#lobby-title").textContent = say(room.mode);
    find("#lobby-rules").textContent = `${say(`${room.mode}Hint`)} · ${durationText(room.durationS)}`;
    this.update();
  }

  hide() {
    this.#room = null;
  }

  update() {
    const room = this.#room;
    if (!room) return;
    const { seated, capacity } = room;
    find("#lobby-count").textContent = `${seated.length} / ${capacity}`;
    showFitting(find("#lobby-players"), seated.slice(0, namesMax).map((player) => person(player)), seated.length);
    const walkers = Math.min(room.fill, capacity - seated.length);
    const hint = seated.length + walkers < 2 ? "needTwo" : seated.length < capacity ? "waitStart" : "allSeated";
    const beside = walkers > 0 ? say("fillJoins", { n: walkers }) : null;
    find("#lobby-hint").textContent = [say(hint), beside].filter(Boolean).join(" · ");
  }
}

function person({ seat, nickname, held }) {
  const dot = make("i", "dot");
  dot.style.setProperty("--seat", seatColour(seat));
  return make("li", held ? "held" : "", dot, make("span", "", nickname));
}

function durationText(seconds) {
  return seconds % 60 === 0 ? say("minutes", { n: seconds / 60 }) : say("seconds", { n: seconds });
}
