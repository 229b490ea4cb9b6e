// Some minutes of the server's figures, kept in the page. The server counts since its start; rates and quantiles of the last
// moments are made here.

const keptMs = 11 * 60_000;
/** Rates are those of so long: shorter ones flicker. */
const rateOverMs = 2_000;
/** Quantiles need more. */
const quantileOverMs = 10_000;

export class History {
  /** Oldest first: `atMs` on the server's clock, and by name whatever can be drawn; null for what is not known. */
  samples = [];
  /** The newest figures as they came. */
  latest = null;
  #recent = [];

  /** What a console that was open then would have been told, oldest first; without the shards' parts. */
  begin(overviews) {
    const knownMs = this.newest?.atMs ?? 0;
    for (const overview of overviews) if (overview.atMs > knownMs) this.take(overview);
  }

  take(overview) {
    // A server that began anew counts from zero.
    if (this.latest && overview.uptimeSeconds < this.latest.uptimeSeconds) this.#recent = [];
    this.latest = overview;
    const { atMs } = overview;
    this.#recent.push(overview);
    // The newest of those that are old enough stays, however old.
    while (this.#recent[1]?.atMs <= atMs - quantileOverMs) this.#recent.shift();
    this.samples.push(this.#sample(overview));
    while (this.samples[0].atMs < atMs - keptMs) this.samples.shift();
  }

  get newest() {
    return this.samples.at(-1) ?? null;
  }

  /** By how much a shard's count has grown in a second, over the last moments; of its CPU time, in cores. */
  shardRate(index, name) {
    const [before, after] = [this.#before(rateOverMs), this.latest];
    const [then, now] = [shardOf(before, index), shardOf(after, index)];
    return then && now ? (now[name] - then[name]) / secondsBetween(before, after) : null;
  }

  /** The 99th percentile of how late a shard's ticks were lately. */
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
      received: rate((each) => each.messages.received),
      sent: rate((each) => each.messages.sent),
      bytesReceived: rate((each) => each.messages.bytesReceived),
      bytesSent: rate((each) => each.messages.bytesSent),
      accepted: rate((each) => each.connections.accepted),
      taps: rate((each) => each.taps.counted),
      commits: rate((each) => each.commits.commits),
      cpu: rate((each) => each.process.cpuSeconds),
      memory: process.residentBytes,
      unsent: messages.sendQueueBytes,
      /** How many ticks that is of. */
      ticks: ticks.lateness.count - longBefore.ticks.lateness.count,
      latenessMs: quantile(0.99, longBefore.ticks.lateness, ticks.lateness),
      commitMs: quantile(0.99, longBefore.commits.duration, commits.duration),
    };
  }

  /** The newest figures that are at least so old; of a page that was opened just now, the oldest that there are. */
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

/** A quantile, in milliseconds, of what was counted between two looks; null when nothing was. */
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
