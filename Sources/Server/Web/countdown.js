// The last seconds of a game, which a view of the running game counts: each has a sound, and a number over the map.
import { play } from "./sounds.js";

export const lastMs = 10_000;

export class Countdown {
  #show;
  #second = null;

  /** `show` shows the number of a second. */
  constructor(show) {
    this.#show = show;
  }

  /** Called some times a second, with the time that is left. */
  count(leftMs) {
    const second = leftMs > 0 && leftMs <= lastMs ? Math.ceil(leftMs / 1_000) : null;
    if (second === this.#second) return;
    this.#second = second;
    if (second === null) return;
    play("tick");
    this.#show(`${second}`);
  }
}
