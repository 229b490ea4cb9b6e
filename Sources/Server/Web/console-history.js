// Some minutes of the server's figures, kept in the page. The server's counts begin at its start; this file computes
// recent rates and quantiles from them.

const keptMs = 11 * 60_000;
/** The interval of a rate. A rate over a shorter one flickers. */
const rateOverMs = 2_000;
/** The interval of a quantile, which needs more counts. */
const quantileOverMs = 10_000;

export class History {
  /** Oldest first: `atMs` on the server's clock, and each figure by its name; null for an unknown one. */
  samples = [];
  /** The newest overview, unchanged. */
  latest = null;
  #recent = [];

  /** Takes the overviews before this console was opened, oldest first; without the shards' parts. */
  begin(overviews) {
    const knownMs = this.newest?.atMs ?? 0;
    for (const overview of overviews) if (overview.atMs > knownMs) this.take(overview);
  }

  take(overview) {
    // A restarted server counts from zero.
    if (this.latest && overview.uptimeSeconds < this.latest.uptimeSeconds) this.#recent = [];
    this.latest = overview;
    const { atMs } = overview;
    this.#recent.push(overview);
    // The newest overview of sufficient age stays, at any age.
    while (this.#recent[1]?.atMs <= atMs - quantileOverMs) this.#recent.shift();
    this.samples.push(this.#sample(overview));
    while (this.samples[0].atMs < atMs - keptMs) this.samples.shift();
  }

  get newest() {
    return this.samples.at(-1) ?? null;
  }

  /** The recent growth of a shard's count in a second; for its CPU time, in cores. */
  shardRate(index, name) {
    const [before, after] = [this.#before(rateOverMs), this.latest];
    const [then, now] = [shardOf(before, index), shardOf(after, index)];
    return then && now ? (now[name] - then[name]) / secondsBetween(before, after) : null;
  }

  /** The 99th percentile of the recent lateness of a shard's ticks. */
  shardLatenessMs(index) {
    const [then, now] = [shardOf(this.#recent.find(({ shards }) => shards), index), shardOf(this.latest, index)];
    return then?.lateness && now?.lateness ? quantile(0.99, then.lateness, now.lateness) : null;
  }

  #sample(overview) {
    const { connections, messages, rooms, process, commits, ticks } = overview;
    const before = this.#before(rateOverMs);
    const longBefore = this.#before(quantileOverMs) ?? this.#recent[0];
    const rate = (count) => (before ? (count(overview) - count(before)) / secondsBetween(before, overview) : null);
    return {
      atMs: overview.atMs,
      players: connections.players,
      connections: connections.open,
      rooms: rooms.open,
      games: rooms.byKind.reduce((sum, kind) => (kind.phase === "PLAYING" ? sum + kind.rooms : sum), 0),
      received: rate((each) => each.messages.received),
      sent: rate((each) => each.messages.sent),
      bytesReceived: rate((each) => each.messages.bytesReceived),
      bytesSent: rate((each) => each.messages.bytesSent),
      frames: rate((each) => each.ticks.frames ?? 0),
      errors: rate((each) => each.messages.errors),
      accepted: rate((each) => each.connections.accepted),
      taps: rate((each) => each.taps.counted),
      commits: rate((each) => each.commits.commits),
      cpu: rate((each) => each.process.cpuSeconds),
      /** That of the busiest shard; overviews of before this console was opened have no shards. */
      load: overview.shards ? Math.max(0, ...overview.shards.map((shard) => shard.load ?? 0)) : null,
      memory: process.residentBytes,
      unsent: messages.sendQueueBytes,
      /** The number of ticks behind `latenessMs`. */
      ticks: ticks.lateness.count - longBefore.ticks.lateness.count,
      latenessMs: quantile(0.99, longBefore.ticks.lateness, ticks.lateness),
      commitMs: quantile(0.99, longBefore.commits.duration, commits.duration),
    };
  }

  /** The newest overview of at least this age; on a page that was opened just now, the oldest one. */
  #before(ms) {
    const at = this.latest.atMs;
    const old = this.#recent.findLast(({ atMs }) => atMs <= at - ms);
    return old ?? (this.#recent.length > 1 ? this.#recent[0] : null);
  }
}

function shardOf(overview, index) {
  return overview?.shards?.find(({ shard }) => shard === index);
}

function secondsBetween(before, after) {
  return Math.max(1, after.atMs - before.atMs) / 1_000;
}

/** A quantile, in milliseconds, of the values counted between two overviews; null for none. */
function quantile(share, before, after) {
  const total = after.count - before.count;
  if (total <= 0) return null;
  let below = { bound: 0, count: 0 };
  for (const [text, counted] of Object.entries(after.upToMilliseconds)) {
    const here = { bound: Number(text), count: counted - before.upToMilliseconds[text] };
    if (here.count >= share * total) {
      const part = (share * total - below.count) / Math.max(1, here.count - below.count);
      return below.bound + (here.bound - below.bound) * Math.min(1, Math.max(0, part));
    }
    below = here;
  }
  return below.bound;
}
