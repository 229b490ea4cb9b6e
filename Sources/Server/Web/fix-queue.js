// The player's fixes of a game. Each is sent at once while the connection answers, and kept until the server has judged
// it for good: over a lost connection, and on the device over the end of the page. PROTOCOL.md specifies it in "What an
// app keeps".
import { forget, keep, kept } from "./device.js";

/** The fixes of one `moves`, far below the limit of a message. */
const batchMax = 60;
const confirmEveryMs = 30_000;
const retryMs = 2_000;

export class FixQueue {
  #connection;
  #gameId = "";
  #lateMs = 0;
  /** The kept fixes, in the order of their times. */
  #fixes = [];
  /** Whether every kept fix was sent over this connection, so that the next one may be sent at once. */
  #isLive = false;
  #isTelling = false;
  /** The time of the game is up: the server waits for a last `moves`. */
  #isOver = false;
  #confirmedAt = 0;

  constructor(connection) {
    this.#connection = connection;
  }

  /** Begins with a game, or continues with the room's whole state: the server has the fixes up to its `throughMs`. */
  begin({ gameId, throughMs, lateMs, boardAtGameMs }) {
    if (gameId !== this.#gameId) {
      this.#gameId = gameId;
      this.#fixes = storedFixes(gameId);
      this.#isOver = false;
    }
    this.#lateMs = lateMs;
    this.#forgetThrough(throughMs);
    if (boardAtGameMs !== undefined) return this.finish();
    this.#isLive = this.#fixes.length === 0;
    if (!this.#isLive) this.#tell();
  }

  /** The newest kept fix, which the server may not have yet; null without one. */
  get newest() {
    return this.#fixes.at(-1) ?? null;
  }

  /** Takes a fix, each later than the one before: `latE7`, `lngE7`, `accuracyM`, `timeMs`. */
  take(fix) {
    if (this.#isOver) return;
    this.#isLive &&= this.#connection.isOpen;
    if (this.#isLive) this.#connection.send("move", { ...fix, timeMs: String(fix.timeMs) });
    // An older fix would be refused.
    this.#forgetThrough(this.#connection.now() - this.#lateMs);
    this.#fixes.push(fix);
    this.#store();
    if (this.#isLive && performance.now() - this.#confirmedAt > confirmEveryMs) this.#confirm();
  }

  /** The time of the game is up. Tells what is left, and that nothing more comes. */
  finish() {
    this.#isOver = true;
    this.#tell();
  }

  /** The game has ended, or the player has left it. */
  clear() {
    this.#gameId = "";
    this.#fixes = [];
    this.#isLive = false;
    forget("fixes");
  }

  /** Tells all kept fixes, the oldest first. After a loss the next state of the room begins anew. */
  async #tell() {
    this.#isLive = false;
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      let isLast = false;
      while (!isLast) {
        isLast = await this.#tellBatch();
      }
      this.#isLive = true;
    } catch (error) {
      const { code, retryAfterMs } = error;
      const isPassing = retryAfterMs !== undefined || code === "STORE_UNAVAILABLE";
      if (isPassing) setTimeout(() => this.#gameId && this.#tell(), retryAfterMs ?? retryMs);
      // The room is gone, or this game is over: nobody waits for these fixes.
      else if (code !== "LOST") this.clear();
    } finally {
      this.#isTelling = false;
    }
  }

  /** Whether the server has been told all, behind the end of the game once more. */
  async #tellBatch() {
    const batch = this.#fixes.slice(0, batchMax);
    const wasOver = this.#isOver;
    const more = this.#fixes.length > batch.length;
    const { throughMs } = await this.#connection.request("moves", { ...columns(batch), more });
    this.#forgetThrough(Math.max(Number(throughMs ?? 0), batch.at(-1)?.timeMs ?? 0));
    this.#confirmedAt = performance.now();
    this.#store();
    return this.#fixes.length === 0 && wasOver === this.#isOver;
  }

  /** Asks through which time the server has the sent fixes. */
  async #confirm() {
    this.#confirmedAt = performance.now();
    try {
      const { throughMs } = await this.#connection.request("moves");
      this.#forgetThrough(Number(throughMs ?? 0));
    } catch {
      // The fixes are kept until a later answer.
    }
  }

  #forgetThrough(timeMs) {
    this.#fixes = this.#fixes.filter((fix) => fix.timeMs > timeMs);
  }

  #store() {
    const rows = this.#fixes.map(({ timeMs, latE7, lngE7, accuracyM }) => [timeMs, latE7, lngE7, accuracyM]);
    keep("fixes", JSON.stringify({ gameId: this.#gameId, rows }));
  }
}

/** The fixes of a game that an earlier page on this device has kept. */
function storedFixes(gameId) {
  try {
    const stored = JSON.parse(kept("fixes"));
    if (stored?.gameId !== gameId) return [];
    return stored.rows.map(([timeMs, latE7, lngE7, accuracyM]) => ({ timeMs, latE7, lngE7, accuracyM }));
  } catch {
    return [];
  }
}

/** The columns of `moves`. */
function columns(fixes) {
  if (fixes.length === 0) return {};
  return {
    timeMs: String(fixes[0].timeMs),
    afterMs: fixes.map(({ timeMs }, index) => timeMs - fixes[Math.max(index - 1, 0)].timeMs),
    latE7: fixes.map(({ latE7 }) => latE7),
    lngE7: fixes.map(({ lngE7 }) => lngE7),
    accuracyM: fixes.map(({ accuracyM }) => accuracyM),
  };
}
