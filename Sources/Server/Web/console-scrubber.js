// The bar under a room's map: live or recorded, the game, the moment in it, the speed. It is independent of rooms, and
// calls `wants` with each choice.
import { clockText, make } from "./dom.js";
import { say } from "./language.js";
import { moment } from "./console-format.js";
import { button, icon, iconButton, select, setText } from "./console-parts.js";

const speeds = [1, 2, 4, 8, 16];

export class Scrubber {
  element;
  speed = 4;
  #live;
  #games;
  #play;
  #range = make("input");
  #time = make("span", "scrub-time");
  #gamesShown = "";

  /** `wants`: `live()`, `game(id)`, `seek(ms)`, `play(isOn)`, `speed(factor)`. */
  constructor(wants) {
    this.#live = button(say("live"), () => wants.live(), "live-button");
    this.#games = select(say("whichGame"), [], "", (game) => (game ? wants.game(game) : wants.live()));
    this.#games.className = "games";
    this.#play = iconButton("play", say("play"), () => wants.play(this.#play.dataset.on !== "true"));
    this.#range.type = "range";
    this.#range.min = 0;
    this.#range.step = 100;
    this.#range.setAttribute("aria-label", say("timeInGame"));
    this.#range.addEventListener("input", () => wants.seek(Number(this.#range.value)));
    const speedOptions = speeds.map((factor) => [`${factor}`, `${factor}×`]);
    const speed = select(say("speed"), speedOptions, `${this.speed}`, (factor) => {
      this.speed = Number(factor);
      wants.speed(this.speed);
    });
    this.element = make("div", "scrubber", this.#live, this.#games, this.#play, this.#range, this.#time, speed);
  }

  /** Shows the games, newest first; `chosen` is the shown one, or null for the live room. */
  showGames(games, chosen) {
    const options = [["", say("liveRoom")], ...games.map((each) => [each.game, gameText(each)])];
    const signature = JSON.stringify(options);
    if (signature !== this.#gamesShown) {
      this.#gamesShown = signature;
      this.#games.replaceChildren(...options.map(([value, text]) => Object.assign(make("option", "", text), { value })));
    }
    this.#games.value = chosen ?? "";
  }

  /** Shows the moment `atMs` between `startMs` and `endMs`, and the state of the buttons. */
  show({ isLive, isPlaying, startMs, endMs, atMs, canGoLive, canSeek }) {
    this.#live.disabled = !canGoLive;
    this.#live.setAttribute("aria-pressed", isLive);
    this.#play.disabled = isLive;
    if (this.#play.dataset.on !== `${isPlaying}`) {
      this.#play.dataset.on = isPlaying;
      this.#play.replaceChildren(icon(isPlaying ? "pause" : "play"));
      this.#play.setAttribute("aria-label", say(isPlaying ? "pause" : "play"));
    }
    this.#range.disabled = !canSeek;
    this.#range.min = startMs;
    this.#range.max = Math.max(startMs + 1, endMs);
    this.#range.value = atMs;
    this.#range.style.setProperty("--share", endMs > startMs ? (atMs - startMs) / (endMs - startMs) : 1);
    this.#range.setAttribute("aria-valuetext", clockText(atMs));
    setText(this.#time, `${clockText(atMs)} / ${clockText(endMs)}`);
  }
}

/** A game's number, time and duration. */
export function gameText({ game, startedAtMs, endedAtMs }) {
  const number = game.slice(game.lastIndexOf("-") + 1);
  const length = endedAtMs ? clockText(endedAtMs - startedAtMs) : say("running");
  return `${say("gameNamed", { n: number })} · ${moment(startedAtMs)} · ${length}`;
}
