// Taps on their way to the server, in numbered batches that count exactly once: PROTOCOL.md, "Tapping". A batch is kept as it is,
// over a reload too, until it is answered; what is tapped meanwhile goes into the next.
import { forget, keep, kept } from "./device.js";

const tapsMax = 229;
const windowMs = 5_000;
const sendEveryMs = 500;
/** More than this waits for nobody: hours without a line are not hours of tapping. */
const waitingMax = 5_000;

export class Tapping {
  /** As the server last told. */
  myCount = 0;
  schoolCount = 0;
  #connection;
  #handlers;
  #playerId = null;
  #waiting = 0;
  #batch = null;
  #next = 0;
  #isAsking = false;
  #isHeldUntil = 0;
  #sent = [];

  /** `handlers`: `changed()`, and `trouble(code)` for `ABNORMAL_TAPS`, `SCHOOL_NEEDED` and `SCHOOL_CLOSED`. */
  constructor(connection, handlers) {
    this.#connection = connection;
    this.#handlers = handlers;
    setInterval(() => this.#send(), 100);
    addEventListener("pagehide", () => this.#keep());
  }

  /** Taps that are not yet counted. */
  get waiting() {
    return this.#waiting + (this.#batch?.count ?? 0);
  }

  /** Goes on from what the server says of this player. */
  welcome({ playerId, player }) {
    const last = player?.lastTapBatch ?? 0;
    const saved = read();
    if (saved?.playerId === playerId && !this.#playerId) {
      this.#waiting += saved.waiting;
      this.#batch = saved.batch;
    }
    this.#playerId = playerId;
    // Another device of the player's has used this number.
    if (this.#batch && last > this.#batch.number) this.#batch = null;
    this.#next = last + 1;
    this.myCount = Number(player?.myCount ?? 0);
    this.#isAsking = false;
    this.#handlers.changed();
  }

  tap() {
    this.#waiting = Math.min(this.#waiting + 1, waitingMax);
    this.#handlers.changed();
  }

  /**
   * Resolves when no batch is unanswered: only then it is known for which school all have counted. One that waits for
   * the choice of a school is not waited for.
   */
  async settle() {
    while (this.#batch && this.#isHeldUntil !== Infinity) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  #send() {
    const now = performance.now();
    if (!this.#connection.isOpen || this.#isAsking || this.#next === 0 || now < this.#isHeldUntil) return;
    if (!this.#batch) {
      const isSoon = this.#sent.length > 0 && now - this.#sent.at(-1).at < sendEveryMs;
      if (this.#waiting === 0 || isSoon) return;
      this.#sent = this.#sent.filter(({ at }) => now - at < windowMs + 200);
      const room = tapsMax - this.#sent.reduce((sum, { count }) => sum + count, 0);
      const count = Math.min(this.#waiting, room);
      if (count <= 0) return;
      this.#waiting -= count;
      this.#batch = { number: this.#next, count };
      this.#keep();
    }
    this.#ask(this.#batch);
  }

  async #ask(batch) {
    this.#isAsking = true;
    this.#sent.push({ at: performance.now(), count: batch.count });
    try {
      const answer = await this.#connection.request("tap", { batch: batch.number, count: String(batch.count) });
      this.myCount = Number(answer.myCount ?? 0);
      this.schoolCount = Number(answer.schoolCount ?? 0);
      this.#done(batch);
    } catch (error) {
      this.#refused(batch, error);
    }
    this.#isAsking = false;
    this.#handlers.changed();
  }

  #refused(batch, { code, retryAfterMs, expectedBatch }) {
    if (code === "LOST") return;
    if (code === "BATCH_GAP") {
      this.#batch = { number: expectedBatch, count: batch.count };
      this.#next = expectedBatch;
    } else if (code === "ABNORMAL_TAPS") {
      this.#done(batch);
      this.#handlers.trouble(code);
    } else if (code === "SCHOOL_NEEDED" || code === "SCHOOL_CLOSED") {
      // The number is not used: the same batch counts for the school that is chosen next.
      this.#isHeldUntil = Infinity;
      this.#handlers.trouble(code);
    } else {
      this.#isHeldUntil = performance.now() + (retryAfterMs ?? 1_000);
    }
  }

  /** A school is chosen: whatever was held for want of one may go. */
  chosen() {
    this.#isHeldUntil = 0;
    this.myCount = 0;
    this.schoolCount = 0;
    this.#handlers.changed();
  }

  #done(batch) {
    this.#next = batch.number + 1;
    this.#batch = null;
    this.#keep();
  }

  #keep() {
    if (this.waiting === 0) return forget("taps");
    keep("taps", JSON.stringify({ playerId: this.#playerId, waiting: this.#waiting, batch: this.#batch }));
  }
}

function read() {
  try {
    return JSON.parse(kept("taps"));
  } catch {
    return null;
  }
}
