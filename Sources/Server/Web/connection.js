// The line to the server: requests and their answers, news, the server's clock, and coming back after a loss, or when nothing
// is heard any more.
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

/** Up to half of it more at random. Long before the 30 s are over that a place is held after a restart. */
const backoffSeconds = [0, 1, 2, 4, 8];
/** After how long without a word the server is asked whether it is there. */
const silenceMs = { lively: 5_000, calm: 20_000 };
/** How long a line that may be dead has to bring a word, and a dial to come to its welcome. */
const probeMs = 2_500;
const dialMs = 10_000;
const lookMs = 4_000;

/** Ends from which nobody comes back without the player's doing. */
const endings = { 4500: "stranger", 4504: "elsewhere" };
const removed = 4503;

export class Connection {
  /** Whether the server is expected to have something to say all the time, as it has in a game. */
  isLively = false;
  #handlers;
  #socket = null;
  #nickname = null;
  #isOpen = false;
  #isWelcome = false;
  #wanted = false;
  #nextId = 1;
  #pending = new Map();
  #attempt = 0;
  #redial = null;
  #returnAt = 0;
  #dialledAt = 0;
  #heardAt = 0;
  /** Runs out when the line is to be given up: a dial that leads nowhere, or a probe without an answer. */
  #patience = null;
  /** What keeps the line, as `status` was told. */
  #trouble = null;
  #isClosing = false;
  /** The last dial's greeting was refused because nothing can be written. */
  #isStoreFailing = false;
  /** Removed, and asking once whether it is a ban. */
  #isAskingWhy = false;
  #offset = Date.now() - performance.now();

  /**
   * `handlers`: `welcome(welcome)`, `news(kind, body)`, `status(trouble)`, `end(reason, error)` with `stranger` (say who you
   * are), `misnamed` (by another name), `elsewhere`, `removed`, `banned` (with what the server said of it) or `outdated`, and
   * `lastEvent()`, the newest event that the page has of its room. A `trouble` is `null` when there is none, `late` while an
   * answer is awaited that should be there, `lost`, `closing` when the server has said that it goes down, `restarting` when it
   * takes nobody in because it does, or `failing` when it can't write.
   */
  constructor(handlers) {
    this.#handlers = handlers;
    setInterval(() => this.#listen(), 1_000);
    setInterval(() => this.#isWelcome && this.#learnClock(1), 180_000);
    // Another network, or a phone that slept: what was open may be dead without a word.
    addEventListener("online", () => this.#hurry());
    addEventListener("pageshow", ({ persisted }) => persisted && this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
    navigator.connection?.addEventListener?.("change", () => this.#hurry());
  }

  /** Connects with the session that is kept, or else as a guest of this name. */
  begin(nickname = null) {
    if (nickname !== null) this.#nickname = nickname;
    this.#wanted = true;
    this.#attempt = 0;
    this.#isAskingWhy = false;
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

  #ask(kind, body = {}) {
    const id = this.#nextId++;
    const answer = new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#socket.send(JSON.stringify({ id, [kind]: body }));
    return answer;
  }

  #dial() {
    clearTimeout(this.#redial);
    this.#redial = null;
    this.#returnAt = 0;
    this.#isStoreFailing = false;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/v1/play`, "madang.v1.json");
    this.#socket = socket;
    this.#dialledAt = performance.now();
    this.#patience = setTimeout(() => this.#closed(1006), dialMs);
    socket.onopen = () => socket === this.#socket && this.#opened();
    socket.onmessage = (message) => socket === this.#socket && this.#receive(JSON.parse(message.data));
    socket.onclose = (event) => socket === this.#socket && this.#closed(event.code);
  }

  #opened() {
    this.#isOpen = true;
    this.#introduce();
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
      this.#isStoreFailing = error.code === "STORE_UNAVAILABLE";
      this.#returnAt = performance.now() + (error.retryAfterMs ?? 2_000);
      this.#socket.close();
    }
  }

  #welcomed(welcome) {
    keep("session", welcome.sessionToken);
    if (this.#isAskingWhy) return this.#end("removed");
    this.#isWelcome = true;
    this.#isClosing = false;
    this.#attempt = 0;
    this.#heard();
    this.#offset = Number(welcome.serverTimeMs) - performance.now();
    this.#handlers.welcome(welcome);
    this.#learnClock(5);
  }

  /** Keeps the offset of the answer that took the shortest. */
  async #learnClock(times) {
    let best = Infinity;
    try {
      for (let time = 0; time < times; time++) {
        const sent = performance.now();
        const { serverTimeMs } = await this.#ask("time");
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
    if (this.#isWelcome) this.#heard();
    const { replyTo, ...rest } = message;
    const [kind, body] = Object.entries(rest)[0] ?? [];
    if (replyTo === undefined) {
      if (kind === "closing") this.#serverCloses(body);
      if (kind && kind !== "error") this.#handlers.news(kind, body);
      return;
    }
    const waiting = this.#pending.get(replyTo);
    this.#pending.delete(replyTo);
    if (kind === "error") waiting?.reject(new RequestError(body.code ?? "UNKNOWN", body));
    else waiting?.resolve(body ?? {});
  }

  #serverCloses({ reconnectAfterMs }) {
    this.#returnAt = performance.now() + (reconnectAfterMs ?? 0);
    this.#isClosing = true;
    this.#tell(null);
  }

  #closed(code) {
    const wasOpen = this.#isOpen;
    this.#drop();
    if (!this.#wanted) return;
    // It is asked once, whatever comes of it.
    if (this.#isAskingWhy) return this.#end("removed");
    if (code === removed) {
      this.#isAskingWhy = true;
      this.#tell("late");
      return this.#dial();
    }
    if (endings[code]) return this.#end(endings[code]);
    const isOurFault = [1002, 1003, 1007, 1008, 1009].includes(code);
    if (isOurFault || code >= 4500) return this.#end("outdated");
    if (wasOpen) this.#tell(this.#isStoreFailing ? "failing" : "lost");
    else this.#look();
    if (code === 4004) this.#attempt = Math.max(this.#attempt, 2);
    const base = 1_000 * backoffSeconds[Math.min(this.#attempt, backoffSeconds.length - 1)];
    this.#attempt += 1;
    const told = this.#returnAt - performance.now();
    this.#redial = setTimeout(() => this.#dial(), told > 0 ? told : base * (1 + Math.random() / 2));
  }

  /** Why a dial has failed no browser tells; whether the server is going down, its readiness does. */
  async #look() {
    if (this.#trouble === null) this.#tell("lost");
    const isRestarting = await fetch("/readyz", { cache: "no-store", signal: AbortSignal.timeout?.(lookMs) }).then(
      ({ status }) => status === 503,
      () => false
    );
    if (this.#wanted && !this.#isOpen) this.#tell(isRestarting ? "restarting" : "lost");
  }

  #end(reason, error = null) {
    this.#wanted = false;
    this.#isAskingWhy = false;
    this.#isClosing = false;
    this.#drop();
    this.#tell(null);
    if (reason === "stranger") forget("session");
    this.#handlers.end(reason, error);
  }

  /** Says what keeps the line, when that has changed. A server that goes down is the reason for all that follows. */
  #tell(trouble) {
    const told = this.#isClosing ? "closing" : trouble;
    if (told === this.#trouble) return;
    this.#trouble = told;
    this.#handlers.status(told);
  }

  /** Lets go of the socket, whatever state it is in. */
  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    this.#isOpen = false;
    this.#isWelcome = false;
    clearTimeout(this.#patience);
    this.#patience = null;
    socket?.close();
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(new RequestError("LOST"));
  }

  #heard() {
    this.#heardAt = performance.now();
    clearTimeout(this.#patience);
    this.#patience = null;
    this.#tell(null);
  }

  #listen() {
    const allowedMs = this.isLively ? silenceMs.lively : silenceMs.calm;
    if (this.#isWelcome && performance.now() - this.#heardAt >= allowedMs) this.#probe();
  }

  /** A browser can't ping: it asks for the time, and without a word from the server it dials anew. */
  #probe() {
    if (this.#patience !== null) return;
    this.#patience = setTimeout(() => this.#closed(1006), probeMs);
    this.#tell("late");
    this.#ask("time").catch(() => {});
  }

  /** The phone is back, or the page in sight: no reason to wait on, but where the server has said how long. */
  #hurry() {
    const now = performance.now();
    if (this.#redial !== null) {
      if (now >= this.#returnAt) this.#dial();
    } else if (this.#isWelcome) {
      this.#probe();
    } else if (this.#socket && now - this.#dialledAt > probeMs) {
      // Begun on a network that may be gone.
      this.#drop();
      this.#dial();
    }
  }
}
