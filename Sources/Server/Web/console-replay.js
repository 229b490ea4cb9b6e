// A recorded game: a track of merged ticks, applied up to a moment to the same copy of a room as in the live view.
import { RoomCopy } from "./room.js";
import { nameOfWalker, whole } from "./console-format.js";

export class Replay {
  /** The server's track: `game`, `startedAtMs`, `endedAtMs` if the game is over. */
  track;
  /** The room at `gameMs`. */
  room;
  gameMs;
  #next = 0;

  constructor(track) {
    this.track = track;
    this.#restart();
  }

  /** The room's clock at the beginning of the track. */
  get startMs() {
    return this.track.room.gameMs ?? 0;
  }

  get endMs() {
    return this.track.ticks.at(-1)?.gameMs ?? this.startMs;
  }

  /** All places of all players. */
  get places() {
    return [this.track.room, ...this.track.ticks].flatMap(({ latE7 = [], lngE7 = [] }) =>
      latE7.map((each, row) => ({ latE7: each, lngE7: lngE7[row] })),
    );
  }

  get isAtEnd() {
    return this.gameMs >= this.endMs;
  }

  /** Goes to a moment. `began` is called after a restart of the track, `took(tick, events)` after each applied tick. */
  seek(gameMs, { began, took }) {
    const target = Math.min(this.endMs, Math.max(this.startMs, gameMs));
    if (target < this.gameMs) {
      this.#restart();
      began();
    }
    this.gameMs = target;
    const { ticks } = this.track;
    for (; this.#next < ticks.length && (ticks[this.#next].gameMs ?? 0) <= target; this.#next++) {
      const tick = ticks[this.#next];
      took(tick, this.room.apply(tick));
    }
  }

  #restart() {
    this.room = new RoomCopy(this.track.room, null, nameOfWalker);
    this.gameMs = this.startMs;
    this.#next = 0;
  }
}

/** Fetches a game's track; throws with the HTTP status if there is none. */
export async function fetchTrack(game) {
  const answer = await fetch(`/console/games/${encodeURIComponent(game)}/track`, { cache: "no-store" });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.json();
}

/** The game in an address; null if it is not a game of this room. */
export function gameIn(settings, room) {
  const game = settings.get("game") ?? "";
  return room && game.startsWith(`${room}-`) && whole(game.slice(room.length + 1)) !== null ? game : null;
}
