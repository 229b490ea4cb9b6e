// Sends taps to the server, in numbered batches that count exactly once: PROTOCOL.md, "Tapping". A batch is stored
// unchanged, over a reload too, until it is answered; taps meanwhile go into the next batch. Taps for a school count
// for that school or for none.
import { RequestError } from "./connection.js";
import { forget, keep, kept } from "./device.js";

const tapsMax = 229;
const windowMs = 5_000;
const sendEveryMs = 500;
/** The bound of waiting taps, because hours without a connection are not hours of tapping. */
const waitingMax = 5_000;

export class Tapping {
  /** The counts in the server's last answer. */
  myCount = 0;
  schoolCount = 0;
  #connection;
  #handlers;
  #playerId = null;
  #schoolId = "";
  #isChanging = false;
  #waiting = 0;
  #batch = null;
  #next = 0;
  #isAsking = false;
  #isHeldUntil = 0;
  #sent = [];

  /**
   * `handlers`: `changed()`, and `trouble(code, lost)` when `lost` taps are dropped for `ABNORMAL_TAPS`,
   * `SCHOOL_NEEDED` or `SCHOOL_CLOSED`.
   */
  constructor(connection, handlers) {
    this.#connection = connection;
    this.#handlers = handlers;
    setInterval(() => this.#send(), 100);
    addEventListener("pagehide", () => this.#keep());
  }

  /** The number of taps that are not yet counted. */
  get waiting() {
    return this.#waiting + (this.#batch?.count ?? 0);
  }

  /** Continues from the player's state in the server's welcome. */
  welcome({ playerId, player }) {
    const last = player?.lastTapBatch ?? 0;
    const schoolId = player?.schoolId ?? "";
    const saved = read();
    if (!this.#playerId && saved?.playerId === playerId && saved.schoolId === schoolId) {
      this.#waiting += saved.waiting;
      this.#batch = saved.batch;
    }
    // Another device of the player has chosen another school.
    if (this.#playerId && schoolId !== this.#schoolId) this.#drop();
    this.#playerId = playerId;
    this.#schoolId = schoolId;
    // Another device of the player has used this number.
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
   * Changes the school by the request `choose`. It first waits until no batch is unanswered, so that each batch counts
   * for a known school. Resolves with the number of unsent taps, which are dropped.
   */
  async change(schoolId, choose) {
    this.#isChanging = true;
    try {
      while (this.#batch && this.#connection.isOpen) await new Promise((resolve) => setTimeout(resolve, 50));
      if (this.#batch) throw new RequestError("LOST");
      await choose();
      if (schoolId === this.#schoolId) return 0;
      this.#schoolId = schoolId;
      const lost = this.#drop();
      this.beginAtZero();
      return lost;
    } finally {
      this.#isChanging = false;
    }
  }

  /** Sets the counts to zero, for another school or season. */
  beginAtZero() {
    this.myCount = 0;
    this.schoolCount = 0;
    this.#handlers.changed();
  }

  #send() {
    const now = performance.now();
    if (!this.#connection.isOpen || this.#isAsking || this.#next === 0 || now < this.#isHeldUntil) return;
    if (!this.#batch) {
      if (this.#isChanging) return;
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
      this.#handlers.trouble(code, batch.count);
    } else if (code === "SCHOOL_NEEDED" || code === "SCHOOL_CLOSED") {
      // The number stays unused. Waiting taps would be refused too.
      this.#handlers.trouble(code, this.#drop());
    } else {
      this.#isHeldUntil = performance.now() + (retryAfterMs ?? 1_000);
    }
  }

  #done(batch) {
    this.#next = batch.number + 1;
    this.#batch = null;
    this.#keep();
  }

  /** Drops the taps that are not yet counted, and returns their number. */
  #drop() {
    const { waiting } = this;
    this.#waiting = 0;
    this.#batch = null;
    this.#keep();
    return waiting;
  }

  #keep() {
    if (this.waiting === 0) return forget("taps");
    const saved = { playerId: this.#playerId, schoolId: this.#schoolId, waiting: this.#waiting, batch: this.#batch };
    keep("taps", JSON.stringify(saved));
  }
}

function read() {
  try {
    return JSON.parse(kept("taps"));
  } catch {
    return null;
  }
}
