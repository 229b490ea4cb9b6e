// The moments of a game: a capture, a theft, a badge, the last ten seconds, the winner. Sounds, pulses of the phone and
// short pictures over the ground. Loaded when a game is shown. Who wants no motion gets words that stand still.
import { Countdown } from "./countdown.js";
import { find, make, toast } from "./dom.js";
import { feelWords } from "./feel-words.js";
import { addWords, number, say } from "./language.js";
import { PathHint } from "./path-hint.js";
import { isSoundOn, play, setSound } from "./sounds.js";

const icons = {
  on: "M4 9v6h4l5 4V5L8 9zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
  off: "M4 9v6h4l5 4V5L8 9zM17 9l5 6M22 9l-5 6",
};

/** So long a way on own ground looks like a loop. */
const homeToldM = 60;

export class Feel {
  #room = null;
  #points = 0;
  #countdown = new Countdown((second) => this.#moment("count", second));
  #button = make("button", "round");
  #hint;
  /** The way on own ground, in metres; Infinity once the player has been told. */
  #homeM = 0;

  constructor(map) {
    this.#hint = new PathHint(map);
    this.#button.type = "button";
    this.#button.id = "sound";
    this.#button.addEventListener("click", () => {
      setSound(!isSoundOn());
      this.#showSwitch();
      play("tick");
    });
    find(".tools").append(this.#button);
    this.#showSwitch();
  }

  /** Shows a room whose game is on. */
  show(room, isNew) {
    this.#room = room;
    this.#points = this.#own;
    this.#hint.begin(room.mySeat ?? null, room.path);
    if (isNew && room.clockMs < 3_000) play("begin");
  }

  /** After a tick with new events: what others took, and what they took from me. */
  update(events) {
    const room = this.#room;
    const isMine = ({ seat = 0 }) => seat === room.mySeat;
    // Growth by an own capture of the same tick hides no theft by others.
    const gained = events.reduce((sum, { captured }) => sum + (captured && isMine(captured) ? captured.areaM2 ?? 0 : 0), 0);
    const lost = this.#points + gained - this.#own;
    this.#points = this.#own;
    for (const { captured } of events) {
      if (!captured) continue;
      if (isMine(captured)) this.#captured(captured);
      else if (lost <= 0) play("other");
    }
    if (room.mode === "TERRITORY" && lost > 0) {
      play("theft");
      this.#moment("theft", say("stolen", { n: number(lost) }));
    }
  }

  /** The game is shown no longer: a hidden moment would begin anew with the next one. */
  hide() {
    for (const moment of document.querySelectorAll("#play > .moment")) moment.remove();
  }

  badge() {
    play("badge");
    this.#moment("badge", say("badgeMoment"));
  }

  /** The own player has moved by so much. On own ground no path opens, so a loop takes nothing: told once for each stay. */
  moved(metres) {
    const { mode, suspect } = this.#room;
    const isHome = mode === "TERRITORY" && !suspect && !this.#hint.isOn && this.#own > 0;
    this.#homeM = isHome ? this.#homeM + metres : 0;
    if (this.#homeM < homeToldM || this.#homeM === Infinity) return;
    this.#homeM = Infinity;
    toast(say("OWN_GROUND"));
  }

  /** A notification of the own path, which has opened at a place. */
  pathChanged({ state, reason, areaM2 }, place) {
    const { mySeat, arena } = this.#room;
    if (state === "OPEN") return this.#hint.begin(mySeat, [place]);
    if (state === "LOOPED") {
      play("small");
      return toast(say(reason ?? "LOOPED", { n: number(areaM2 ?? 0), min: number(Math.max(100, (arena?.cellM ?? 0) ** 2)) }), "warn");
    }
    this.#hint.begin(mySeat);
    if (state === "TAKEN" && reason === undefined) return;
    play("small");
    toast(say(reason ?? "SUSPECTED"), "warn");
  }

  /** Called some times a second: counts the last ten seconds. */
  count(leftMs) {
    this.#countdown.count(leftMs);
  }

  get #own() {
    return this.#room.points.get(this.#room.mySeat) ?? 0;
  }

  #captured({ areaM2, land }) {
    play("capture");
    this.#moment("capture", land ? say("landMoment") : `+${number(areaM2 ?? 0)} m²`);
  }

  /** A word over the ground for a moment; the newest alone. */
  #moment(kind, text) {
    for (const earlier of document.querySelectorAll(".moment")) earlier.remove();
    const moment = make("p", `moment ${kind}`, text);
    // The count is on the clock, and the others are told by toasts.
    moment.setAttribute("aria-hidden", "true");
    moment.addEventListener("animationend", () => moment.remove());
    // A badge comes with the board, and stays while the result takes the ground's place.
    (kind === "badge" ? document.body : find("#play")).append(moment);
  }

  #showSwitch() {
    const isOn = isSoundOn();
    this.#button.dataset.sayLabel = "sound";
    this.#button.setAttribute("aria-label", say("sound"));
    this.#button.setAttribute("aria-pressed", `${isOn}`);
    this.#button.classList.toggle("on", isOn);
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", icons[isOn ? "on" : "off"]);
    svg.append(path);
    this.#button.replaceChildren(svg);
  }
}

addWords(feelWords);
const style = make("link");
style.rel = "stylesheet";
style.href = new URL("feel.css", import.meta.url);
document.head.append(style);

/** The board stands: a sound for its player, and paper that falls for a winner. */
export function celebrate(room) {
  const mine = room.board.find(({ playerId }) => playerId === room.playerId);
  play(mine?.won ? "won" : "over");
  if (!room.board.some(({ won }) => won)) return;
  const papers = Array.from({ length: 36 }, (_, index) => {
    const paper = make("i");
    paper.style.setProperty("--x", `${(index * 61) % 100}%`);
    paper.style.setProperty("--late", `${((index * 37) % 90) / 100}s`);
    paper.style.setProperty("--turn", `${(index % 2 === 0 ? 1 : -1) * (240 + ((index * 53) % 300))}deg`);
    return paper;
  });
  const shower = make("div", "shower", ...papers);
  shower.setAttribute("aria-hidden", "true");
  find("#result").append(shower);
  setTimeout(() => shower.remove(), 4_000);
}
