// The line to the server: requests and their answers, news, the server's clock, and coming back after a loss.
// PROTOCOL.md, "Sessions" and "The end of a connection", says what is done here. Knows nothing of rooms or pages.
import { deviceSecret, forget, keep, kept } from "./device.js";

/** A request that was refused, by the server's code; `LOST` when the line broke before the answer. */
export class RequestError extends Error {
  constructor(code, details = {}) {
    super(code);
    this.code = code;
    this.retryAfterMs = details.retryAfterMs;
    this.expectedBatch = details.expectedBatch;
  }
}

const backoffSeconds = [0, 1, 2, 4, 8, 16, 30];
const silenceMs = 20_000;
const answerMs = 8_000;

/** Ends from which nobody comes back without the player's doing. */
const endings = { 4500: "stranger", 4503: "removed", 4504: "elsewhere" };

export class Connection {
  #handlers;
  #socket = null;
  #nickname = null;
  #isWelcome = false;
  #wanted = false;
  #nextId = 1;
  #pending = new Map();
  #attempt = 0;
  #redial = null;
  #returnAt = 0;
  #heardAt = 0;
  #offset = Date.now() - performance.now();

  /**
   * `handlers`: `welcome(welcome)`, `news(kind, body)`, `status(isOpen)`, `end(reason, error)` with `stranger` (say who you
   * are), `misnamed` (by another name), `elsewhere`, `removed`, `banned` (with what the server said of it) or `outdated`, and
   * `lastEvent()`, the newest event that the page has of its room.
   */
  constructor(handlers) {
    this.#handlers = handlers;
    setInterval(() => this.#listen(), 5_000);
    setInterval(() => this.#isWelcome && this.#learnClock(1), 180_000);
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
  }

  /** Connects with the session that is kept, or else as a guest of this name. */
  begin(nickname = null) {
    if (nickname !== null) this.#nickname = nickname;
    this.#wanted = true;
    this.#attempt = 0;
    if (!this.#socket) this.#dial();
  }

  get isOpen() {
    return this.#isWelcome;
  }

  /** The server's clock, milliseconds since 1970. */
  now() {
    return performance.now() + this.#offset;
  }

  /** Sends without waiting for an answer; what can't be sent now is not sent. */
  send(kind, body = {}) {
    if (this.#isWelcome) this.#socket.send(JSON.stringify({ [kind]: body }));
  }

  /** The answer's body; throws `RequestError`. */
  request(kind, body = {}) {
    if (!this.#isWelcome) return Promise.reject(new RequestError("LOST"));
    return this.#ask(kind, body);
  }

  #ask(kind, body) {
    const id = this.#nextId++;
    const answer = new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#socket.send(JSON.stringify({ id, [kind]: body }));
    return answer;
  }

  #dial() {
    clearTimeout(this.#redial);
    this.#redial = null;
    this.#returnAt = 0;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/v1/play`, "madang.v1.json");
    this.#socket = socket;
    this.#heardAt = performance.now();
    socket.onopen = () => this.#introduce();
    socket.onmessage = (message) => socket === this.#socket && this.#receive(JSON.parse(message.data));
    socket.onclose = (event) => socket === this.#socket && this.#closed(event.code);
  }

  /** Says who this is: by the session that there is, else by name. */
  async #introduce() {
    const token = kept("session");
    if (!token && this.#nickname === null) return this.#end("stranger");
    try {
      const afterEvent = this.#handlers.lastEvent() ?? undefined;
      const answer = token
        ? await this.#ask("resume", { sessionToken: token, afterEvent })
        : await this.#ask("hello", { nickname: this.#nickname, deviceSecret: deviceSecret() });
      // A name is worth keeping when the server has taken it.
      if (!token) keep("nickname", this.#nickname);
      this.#welcomed(answer);
    } catch (error) {
      if (error.code === "LOST") return;
      if (token && ["BAD_TOKEN", "SESSION_EXPIRED", "SESSION_ENDED"].includes(error.code)) {
        forget("session");
        // What another device has ended is begun again only when the player wants it.
        if (error.code === "SESSION_ENDED") return this.#end("stranger");
        return this.#introduce();
      }
      if (error.code === "OUT_OF_RANGE") return this.#end("misnamed");
      if (error.code === "BANNED") return this.#end("banned", error);
      this.#returnAt = performance.now() + (error.retryAfterMs ?? 2_000);
      this.#socket.close();
    }
  }

  #welcomed(welcome) {
    keep("session", welcome.sessionToken);
    this.#isWelcome = true;
    this.#attempt = 0;
    this.#offset = Number(welcome.serverTimeMs) - performance.now();
    this.#handlers.welcome(welcome);
    this.#handlers.status(true);
    this.#learnClock(5);
  }

  /** Keeps the offset of the answer that took the shortest. */
  async #learnClock(times) {
    let best = Infinity;
    try {
      for (let time = 0; time < times; time++) {
        const sent = performance.now();
        const { serverTimeMs } = await this.#ask("time", {});
        const received = performance.now();
        if (received - sent >= best) continue;
        best = received - sent;
        this.#offset = Number(serverTimeMs) - (sent + received) / 2;
      }
    } catch {
      // The line is lost; the next welcome learns it anew.
    }
  }

  #receive(message) {
    this.#heardAt = performance.now();
    const { replyTo, ...rest } = message;
    const [kind, body] = Object.entries(rest)[0] ?? [];
    if (replyTo === undefined) {
      if (kind === "closing") this.#returnAt = performance.now() + (body.reconnectAfterMs ?? 0);
      if (kind && kind !== "error") this.#handlers.news(kind, body);
      return;
    }
    const waiting = this.#pending.get(replyTo);
    this.#pending.delete(replyTo);
    if (kind === "error") waiting?.reject(new RequestError(body.code ?? "UNKNOWN", body));
    else waiting?.resolve(body ?? {});
  }

  #closed(code) {
    this.#drop();
    if (!this.#wanted) return;
    if (endings[code]) return this.#end(endings[code]);
    const isOurFault = [1002, 1003, 1007, 1008, 1009].includes(code);
    if (isOurFault || code >= 4500) return this.#end("outdated");
    this.#handlers.status(false);
    if (code === 4004) this.#attempt = Math.max(this.#attempt, 2);
    const base = 1_000 * backoffSeconds[Math.min(this.#attempt, backoffSeconds.length - 1)];
    this.#attempt += 1;
    const told = this.#returnAt - performance.now();
    this.#redial = setTimeout(() => this.#dial(), told > 0 ? told : base * (1 + Math.random() / 2));
  }

  #end(reason, error = null) {
    this.#wanted = false;
    this.#drop();
    if (reason === "stranger") forget("session");
    this.#handlers.end(reason, error);
  }

  /** Lets go of the socket, whatever state it is in. */
  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    this.#isWelcome = false;
    socket?.close();
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(new RequestError("LOST"));
  }

  /** A browser can't ping: who hears nothing for a while asks for the time, and dials anew without an answer. */
  #listen() {
    if (!this.#isWelcome || performance.now() - this.#heardAt < silenceMs) return;
    const socket = this.#socket;
    const askedAt = performance.now();
    this.#learnClock(1);
    setTimeout(() => socket === this.#socket && this.#heardAt < askedAt && this.#closed(1006), answerMs);
  }

  /** The phone is back, or the page in sight: no reason to wait on, but where the server has said how long. */
  #hurry() {
    if (this.#redial !== null && performance.now() >= this.#returnAt) this.#dial();
  }
}
