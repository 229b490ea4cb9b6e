// The board of a game that is over on a big screen: the podium, and everybody's result.
import { find, make, seatColour } from "./dom.js";
import { say } from "./language.js";
import { podiumOf } from "./podium.js";
import { showFitting } from "./screen-fit.js";
import { pointsText } from "./screen-game.js";

/** The time after which a room returns from its board to the lobby by itself. */
const shownForMs = 60_000;
const rowsMax = 12;

export class ScreenBoard {
  #room = null;
  #timer = null;
  #shownAt = 0;

  show(room) {
    if (this.#room === null) {
      this.#shownAt = performance.now();
      import("./feel.js").then(({ celebrate }) => celebrate(room)).catch(() => undefined);
    }
    this.#room = room;
    const { board, mode } = room;
    const winner = board.find(({ won }) => won);
    find("#result-title").textContent = winner ? say("wins", { name: winner.nickname }) : say("over");
    const places = podiumOf(board);
    find("#podium").replaceChildren(...places.map((row) => step(row, mode)));
    find("#podium").hidden = places.length === 0;
    const onPodium = new Set(places.map(({ seat = 0 }) => seat));
    const rest = board.filter(({ seat = 0 }) => !onPodium.has(seat));
    find("#board").hidden = rest.length === 0;
    showFitting(find("#board"), rest.slice(0, rowsMax).map((row) => result(row, mode)), rest.length);
    this.update();
    this.#timer ??= setInterval(() => this.update(), 1_000);
  }

  hide() {
    this.#room = null;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  update() {
    if (!this.#room) return;
    const left = Math.ceil((shownForMs - (performance.now() - this.#shownAt)) / 1_000);
    find("#result-hint").textContent = left > 0 ? say("againSoon", { n: left }) : "";
  }
}

function step({ place, rank, seat, nickname, points }, mode) {
  const medal = make("span", "medal", `${rank ?? "–"}`);
  const element = make("li", `place-${place}`, medal, make("b", "", nickname), make("small", "", pointsText(mode, points ?? 0)));
  element.style.setProperty("--seat", seatColour(seat ?? 0));
  return element;
}

function result({ rank, seat, nickname, points, walker }, mode) {
  const dot = make("i", walker ? "dot walker" : "dot");
  dot.style.setProperty("--seat", seatColour(seat ?? 0));
  const row = make("li", "", make("small", "", points ? `${rank ?? "–"}` : "–"), dot, make("span", "", nickname));
  row.append(make("b", "", pointsText(mode, points ?? 0)));
  return row;
}
