// The connection to the server: requests and their answers, notifications, the server's clock, and a new connection
// after a loss or a silence. PROTOCOL.md specifies it in "Sessions" and "The end of a connection". Independent of rooms
// and pages.
import { deviceSecret, forget, keep, kept } from "./device.js";

/** A refused request, with the server's code; `LOST` if the connection was lost before the answer. */
export class RequestError extends Error {
  constructor(code, details = {}) {
    super(code);
    this.code = code;
    this.retryAfterMs = details.retryAfterMs;
    this.expectedBatch = details.expectedBatch;
    this.plan = details.plan;
  }

  /** Whether the request may be done all the same: the server could not write it in time. */
  get mayBeDone() {
    return this.code === "STORE_UNAVAILABLE" && this.retryAfterMs === undefined;
  }
}

/** Each delay gets up to half of it added at random. Several attempts fit into the 30 s for which a place is held. */
const backoffSeconds = [0, 1, 2, 4, 8];
/** The silence after which the server is probed. */
const silenceMs = { lively: 5_000, calm: 20_000 };
/** The time limits of a probe's answer, and of a dial until its welcome. */
const probeMs = 2_500;
const dialMs = 10_000;
const lookMs = 4_000;

/** Close codes after which only the player may reconnect. */
const endings = { 4500: "stranger", 4504: "elsewhere" };
const removed = 4503;

export class Connection {
  /** Whether the server is expected to send messages all the time, as in a game while the page is shown. */
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
  /** The timer that gives the connection up: a dial without a welcome, or a probe without an answer. */
  #patience = null;
  /** The present trouble, as it was last passed to `status`. */
  #trouble = null;
  #isClosing = false;
  /** The last dial's first request was refused with `STORE_UNAVAILABLE`. */
  #isStoreFailing = false;
  /** The player was removed, and one dial asks whether by a ban. */
  #isAskingWhy = false;
  #offset = Date.now() - performance.now();

  /**
   * `handlers`: `welcome(welcome)`, `notified(kind, body)`, `status(trouble)`, `end(reason, error)` and `lastEvent()`, the
   * number of the room's newest event on the page. A `reason` is `stranger` (a nickname is needed), `misnamed` (another
   * nickname is needed), `elsewhere`, `removed`, `banned` (these with the server's error) or `outdated`. A `trouble` is
   * `null` for none, `late` while an answer is overdue, `lost`, `closing` after the server's announcement that it goes
   * down, `restarting` while it refuses connections for that reason, or `failing` while it can't write.
   */
  constructor(handlers) {
    this.#handlers = handlers;
    setInterval(() => this.#listen(), 1_000);
    setInterval(() => this.#isWelcome && this.#learnClock(1), 180_000);
    // After a change of networks or a phone's sleep, an open connection may be dead without a notice.
    addEventListener("online", () => this.#hurry());
    addEventListener("pageshow", ({ persisted }) => persisted && this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
    navigator.connection?.addEventListener?.("change", () => this.#hurry());
  }

  /** Connects with the stored session, or else as a guest with this nickname. */
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

  /** Sends without waiting for an answer. A message that can't be sent now is dropped. */
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

  /** Sends the first request: `resume` with the stored session, else `hello` with the nickname. */
  async #introduce() {
    const token = kept("session");
    if (!token && this.#nickname === null) return this.#end("stranger");
    try {
      const afterEvent = this.#handlers.lastEvent() ?? undefined;
      const answer = token
        ? await this.#ask("resume", { sessionToken: token, afterEvent })
        : await this.#ask("hello", { nickname: this.#nickname, deviceSecret: deviceSecret() });
      // A nickname is stored after the server has accepted it.
      if (!token) keep("nickname", answer.player?.nickname ?? this.#nickname);
      this.#welcomed(answer);
    } catch (error) {
      if (error.code === "LOST") return;
      if (token && ["BAD_TOKEN", "SESSION_EXPIRED", "SESSION_ENDED"].includes(error.code)) {
        forget("session");
        // A session that another device has ended is replaced only on the player's request.
        if (error.code === "SESSION_ENDED") return this.#end("stranger");
        return this.#introduce();
      }
      if (["OUT_OF_RANGE", "WORD_REFUSED"].includes(error.code)) return this.#end("misnamed", error);
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
      // The connection is lost; the next welcome learns the clock again.
    }
  }

  #receive(message) {
    if (this.#isWelcome) this.#heard();
    const { replyTo, ...rest } = message;
    const [kind, body] = Object.entries(rest)[0] ?? [];
    if (replyTo === undefined) {
      if (kind === "closing") this.#serverCloses(body);
      if (kind && kind !== "error") this.#handlers.notified(kind, body);
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
    // The dial that asks for a ban is not repeated.
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

  /** A browser hides why a dial has failed. The server's readiness tells whether it is going down. */
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

  /** Notifies `status` of a changed trouble. After a `closing` announcement the trouble stays `closing`. */
  #tell(trouble) {
    const told = this.#isClosing ? "closing" : trouble;
    if (told === this.#trouble) return;
    this.#trouble = told;
    this.#handlers.status(told);
  }

  /** Closes the socket in any state, and rejects all pending requests. */
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
    const allowedMs = this.isLively && !document.hidden ? silenceMs.lively : silenceMs.calm;
    if (this.#isWelcome && performance.now() - this.#heardAt >= allowedMs) this.#probe();
  }

  /** Asks for the time, because a browser can't ping. Without any message from the server it reconnects. */
  #probe() {
    if (this.#patience !== null) return;
    this.#patience = setTimeout(() => this.#closed(1006), probeMs);
    this.#tell("late");
    this.#ask("time").catch(() => {});
  }

  /** The phone is online, or the page visible: ends the wait, unless the server has set its length. */
  #hurry() {
    const now = performance.now();
    if (this.#redial !== null) {
      if (now >= this.#returnAt) this.#dial();
    } else if (this.#isWelcome) {
      this.#probe();
    } else if (this.#socket && now - this.#dialledAt > probeMs) {
      // The dial began on a network that may be gone.
      this.#drop();
      this.#dial();
    }
  }
}
