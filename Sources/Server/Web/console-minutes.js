// The server's figures of the last 24 hours, one sample for each minute: asked for when a chart first needs them, then
// streamed. Samples have the names of those of `History`.

const keptMs = 24 * 3_600_000;
/** The time after which a failed question is asked again. */
const retryMs = 5_000;

export class Minutes {
  /** Oldest first. A minute in which the server was not there has none. */
  samples = [];
  #feed;
  #isWanted = false;
  #isAsking = false;
  #askedAt = -Infinity;
  #isWhole = false;

  constructor(feed) {
    this.#feed = feed;
  }

  /** Has the samples be there: asks for those that are missing, at most once in a while. */
  want() {
    this.#isWanted = true;
    if (this.#isWhole || this.#isAsking || performance.now() - this.#askedAt < retryMs) return;
    this.#ask();
  }

  /** Begins a new line to the server: minutes may have passed without one. */
  begin() {
    this.#isWhole = false;
    this.#askedAt = -Infinity;
    if (this.#isWanted) this.want();
  }

  /** Takes the minute that has just ended. */
  take(minute) {
    // Those before it come by a question.
    if (this.#isWhole) this.#add([minute]);
  }

  async #ask() {
    this.#isAsking = true;
    this.#askedAt = performance.now();
    const newestMs = this.samples.at(-1)?.atMs;
    try {
      const { minutes } = await this.#feed.query("minutes", newestMs === undefined ? {} : { afterMs: newestMs });
      this.#add(minutes);
      this.#isWhole = true;
    } catch {
      // A lost line asks again when it is back, and a busy server a moment later.
    } finally {
      this.#isAsking = false;
    }
  }

  #add(minutes) {
    const newestMs = this.samples.at(-1)?.atMs ?? 0;
    this.samples.push(...minutes.filter(({ atMs }) => atMs > newestMs).map(sample));
    const oldestMs = (this.samples.at(-1)?.atMs ?? 0) - keptMs;
    const first = this.samples.findIndex(({ atMs }) => atMs > oldestMs);
    if (first > 0) this.samples.splice(0, first);
  }
}

/** A minute as a sample: its counts as rates in a second. */
function sample(minute) {
  const rate = (name) => minute[name] / (Math.max(1, minute.spanMs) / 1_000);
  return {
    atMs: minute.atMs,
    players: minute.players,
    connections: minute.connections,
    rooms: minute.rooms,
    games: minute.games,
    received: rate("received"),
    sent: rate("sent"),
    bytesReceived: rate("bytesReceived"),
    bytesSent: rate("bytesSent"),
    frames: rate("frames"),
    errors: rate("errors"),
    taps: rate("taps"),
    commits: rate("commits"),
    failures: minute.commitFailures,
    cpu: rate("cpuSeconds"),
    memory: minute.residentBytes,
    unsent: minute.sendQueueBytes,
    load: minute.load,
    latenessMs: minute.latenessMs ?? null,
    commitMs: minute.commitMs ?? null,
  };
}
