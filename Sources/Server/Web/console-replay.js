// A game as it went: a track of merged ticks is applied up to a moment, by the same copy of a room that the live view has.
import { RoomCopy } from "./room.js";
import { whole } from "./console-format.js";

export class Replay {
  /** As it was told: `game`, `startedAtMs`, `endedAtMs` where it is over. */
  track;
  /** The room at `gameMs`. */
  room;
  gameMs;
  #next = 0;

  constructor(track) {
    this.track = track;
    this.#restart();
  }

  /** Of the room's clock, from where the track begins. */
  get startMs() {
    return this.track.room.gameMs ?? 0;
  }

  get endMs() {
    return this.track.ticks.at(-1)?.gameMs ?? this.startMs;
  }

  /** Where anybody ever was. */
  get places() {
    return [this.track.room, ...this.track.ticks].flatMap(({ latE7 = [], lngE7 = [] }) =>
      latE7.map((each, row) => ({ latE7: each, lngE7: lngE7[row] })),
    );
  }

  get isAtEnd() {
    return this.gameMs >= this.endMs;
  }

  /** Goes to a moment. `began` is called when it must begin anew, `took(tick, events)` for each tick on the way. */
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
    this.room = new RoomCopy(this.track.room, null);
    this.gameMs = this.startMs;
    this.#next = 0;
  }
}

/** Asks for a game's track; throws with the status where there is none. */
export async function fetchTrack(game) {
  const answer = await fetch(`/console/games/${encodeURIComponent(game)}/track`, { cache: "no-store" });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.json();
}

/** The game that an address names; null for none of this room. */
export function gameIn(settings, room) {
  const game = settings.get("game") ?? "";
  return room && game.startsWith(`${room}-`) && whole(game.slice(room.length + 1)) !== null ? game : null;
}
