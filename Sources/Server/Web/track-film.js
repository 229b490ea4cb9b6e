// A game that is over, as its track tells it: places, ground, lands and points at any moment of it. It has data only; the
// page of a room and the page of a link share it.

/** A player who is told of after a longer pause has stood still, and comes within the last seconds of it. */
const pauseMs = 15_000;
const comesMs = 4_000;

export class TrackFilm {
  track;
  /** By seat: places with their moments. */
  ways = new Map();
  cells = null;
  /** By seat, at the shown moment. */
  points = new Map();
  /** The seats of practice opponents: they play, and have no result. */
  walkers = [];
  /** The seats that hold the lands, at the shown moment. */
  holders = [];
  atMs = 0;
  #moments = [];
  #starts;
  #ground = 0;
  #scores = 0;
  #captures = 0;

  constructor(track) {
    this.track = track;
    for (const { seat = 0, atMs = [], latE7, lngE7 } of track.ways ?? []) {
      let step = { atMs: 0, latE7: 0, lngE7: 0 };
      const steps = atMs.map((ms, index) => {
        step = { atMs: step.atMs + ms, latE7: (step.latE7 + latE7[index]) | 0, lngE7: (step.lngE7 + lngE7[index]) | 0 };
        return step;
      });
      this.ways.set(seat, steps);
    }
    this.#moments = track.groundMs ?? [];
    let start = 0;
    this.#starts = (track.groundCounts ?? []).map((count) => {
      start += count;
      return start - count;
    });
    this.#starts.push(start);
    if (track.arena) this.cells = new Int16Array(track.arena.cells ** 2);
    const results = new Set(this.board.map(({ seat = 0 }) => seat));
    const seats = new Set([...this.ways.keys(), ...(track.pointsSeats ?? [])]);
    this.walkers = [...seats].filter((seat) => !results.has(seat)).sort((a, b) => a - b);
    this.#restart();
    this.seek(this.endMs);
  }

  get endMs() {
    return this.track.endMs ?? 0;
  }

  get board() {
    return this.track.board ?? [];
  }

  get lands() {
    return (this.track.lands ?? []).map((land, index) => ({ ...land, holder: this.holders[index] }));
  }

  /** All places of all ways. */
  get places() {
    return [...this.ways.values()].flat();
  }

  /** Goes to a moment. True where ground or lands have changed. */
  seek(ms) {
    const { track } = this;
    const to = Math.min(this.endMs, Math.max(0, ms));
    const isBack = to < this.atMs;
    if (isBack) this.#restart();
    const before = [this.#ground, this.#captures];
    this.atMs = to;
    for (; this.#ground < this.#moments.length && this.#moments[this.#ground] <= to; this.#ground += 1) {
      for (let run = this.#starts[this.#ground]; run < this.#starts[this.#ground + 1]; run += 1) {
        const start = track.cellStarts[run];
        this.cells?.fill(track.cellSeats[run], start, start + track.cellCounts[run]);
      }
    }
    const scores = track.pointsMs ?? [];
    for (; this.#scores < scores.length && scores[this.#scores] <= to; this.#scores += 1) {
      this.points.set(track.pointsSeats[this.#scores], track.points[this.#scores]);
    }
    const captures = track.landMs ?? [];
    for (; this.#captures < captures.length && captures[this.#captures] <= to; this.#captures += 1) {
      this.holders[track.landIndices[this.#captures]] = track.landSeats[this.#captures];
    }
    return isBack || before[0] !== this.#ground || before[1] !== this.#captures;
  }

  /** The place of a seat at the shown moment; null before its way begins, and behind its end. */
  placeOf(seat) {
    const steps = this.ways.get(seat) ?? [];
    const next = firstBehind(steps, this.atMs);
    if (next === 0) return null;
    const from = steps[next - 1];
    const to = steps[next];
    if (!to) return this.atMs - from.atMs > pauseMs && this.atMs < this.endMs ? null : from;
    const begins = to.atMs - from.atMs > pauseMs ? to.atMs - comesMs : from.atMs;
    const share = Math.min(1, Math.max(0, (this.atMs - begins) / Math.max(1, to.atMs - begins)));
    return {
      latE7: from.latE7 + (to.latE7 - from.latE7) * share,
      lngE7: from.lngE7 + (to.lngE7 - from.lngE7) * share,
    };
  }

  /** The number of steps of a seat's way up to the shown moment. */
  stepsOf(seat) {
    return firstBehind(this.ways.get(seat) ?? [], this.atMs);
  }

  #restart() {
    this.cells?.fill(-1);
    this.points.clear();
    this.holders = [];
    this.#ground = this.#scores = this.#captures = 0;
    this.atMs = 0;
  }
}

function firstBehind(steps, ms) {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle].atMs <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
