// Loads the capsules of the part of the ground that the map shows: one's own, those shared with the player, and
// everyone's. It asks for a wider part than is seen, so that a walk does not ask at each step.

const scopes = ["OWN", "SHARED", "EVERYONE"];
const settleMs = 400;
/** Three requests each time, of the 120 a minute that the server takes. */
const everyMs = 4_000;
/** Others bury too. */
const staleMs = 30_000;
const latE7Max = 850_000_000;

export class CapsuleLoader {
  #connection;
  #book;
  #loaded = null;
  #loadedAt = -Infinity;
  #seen = null;
  #timer = null;

  constructor(connection, book) {
    this.#connection = connection;
    this.#book = book;
    setInterval(() => this.#isStale && this.#schedule(), 5_000);
  }

  /** Takes the part that the map shows now: `south`, `west`, `north` and `east`. */
  see(box) {
    this.#seen = box;
    if (!this.#suffices()) this.#schedule();
  }

  /** Loads anew as soon as it may: the connection is new. */
  renew() {
    this.#loaded = null;
    if (this.#seen) this.#schedule();
  }

  get #isStale() {
    return this.#seen !== null && !document.hidden && performance.now() - this.#loadedAt > staleMs;
  }

  #suffices() {
    const [loaded, seen] = [this.#loaded, this.#seen];
    if (!loaded) return false;
    const isInside = seen.south >= loaded.south && seen.north <= loaded.north;
    const isBeside = seen.west >= loaded.west && seen.east <= loaded.east;
    // Nearer by, clusters come apart.
    const isNearer = loaded.hasClusters && (seen.east - seen.west) * 3 < loaded.east - loaded.west;
    return isInside && isBeside && !isNearer;
  }

  #schedule(waitMs = 0) {
    const sinceMs = performance.now() - this.#loadedAt;
    this.#timer ??= setTimeout(() => this.#load(), Math.max(settleMs, everyMs - sinceMs, waitMs));
  }

  async #load() {
    this.#timer = null;
    if (!this.#connection.isOpen) return;
    this.#loadedAt = performance.now();
    const box = widened(this.#seen);
    try {
      const asked = scopes.map((scope) => this.#connection.request("capsuleMap", { scope, ...sides(box) }));
      const maps = await Promise.all(asked);
      const clusters = maps.flatMap((map) => map.clusters ?? []);
      this.#loaded = { ...box, hasClusters: clusters.length > 0 };
      this.#book.setMap(maps.flatMap((map) => map.capsules ?? []), clusters);
    } catch (error) {
      // After a lost connection the next welcome loads.
      if (error.code !== "LOST") return this.#schedule(error.retryAfterMs ?? staleMs);
    }
    if (this.#connection.isOpen && !this.#suffices()) this.#schedule();
  }
}

function widened({ south, west, north, east }) {
  const [tall, wide] = [(north - south) / 2, (east - west) / 2];
  return { south: south - tall, west: west - wide, north: north + tall, east: east + wide };
}

function sides({ south, west, north, east }) {
  const onMap = (latE7) => Math.round(Math.max(-latE7Max, Math.min(latE7Max, latE7)));
  const around = (lngE7) => Math.round(lngE7 - 3.6e9 * Math.round(lngE7 / 3.6e9));
  return { southE7: onMap(south), westE7: around(west), northE7: onMap(north), eastE7: around(east) };
}
