// The connection to the server's feed: it brings the watched view and sends operators' actions. After a loss it
// reconnects by itself and watches the same view. Independent of views.

const backoffMs = [300, 1_000, 2_000, 4_000, 8_000];
/** The silence after which the connection counts as lost: an overview comes twice a second. */
const silenceMs = 8_000;
const steadyMs = 3_000;
const answerMs = 20_000;
/** The server takes twenty messages a second. */
const sendEveryMs = 150;
/** The lists of each kind of message: the server leaves out those that are empty. */
const lists = {
  overview: ["news"],
  rooms: ["rows"],
  room: ["members"],
  schools: ["rows"],
  suspects: ["players", "tappers"],
  connections: ["rows"],
  sanctions: ["rows"],
  proposals: ["rows"],
  places: ["fences", "lands", "capsules", "clusters"],
  audit: ["rows"],
  operators: ["operators", "sessions"],
  webhooks: ["rows"],
  reply: ["games", "players", "minutes", "preview"],
};

/** The messages that belong to no view. */
const untiedKinds = new Set(["hello", "history", "overview", "minute"]);

/** A failed action or query; the message is for the operator. */
export class FeedError extends Error {
  /** The request was sent, and its outcome is unknown. */
  isUncertain;
  /** The server's name of the fault, empty where it has none; undefined for a fault of the feed's own. */
  code;

  constructor(message, { isUncertain = false, code = undefined } = {}) {
    super(message);
    this.isUncertain = isUncertain;
    this.code = code;
  }
}

export class Feed {
  #handlers;
  #socket = null;
  #isOpen = false;
  #view = { watch: "overview" };
  #isUnsent = false;
  #sentAt = -Infinity;
  #sending = null;
  #pending = new Map();
  #nextId = 1;
  #attempt = 0;
  #redial = null;
  #heardAt = 0;
  #openedAt = 0;
  #ended = new AbortController();

  /**
   * `handlers`: `message(kind, body)`, `status(state, inMs)` with `open`, `connecting`, `lost` or `full` (the next
   * attempt is in `inMs`) or `expired`, and `words()`, the texts of the errors: `unsent`, `lost`, `late`.
   */
  constructor(handlers) {
    this.#handlers = handlers;
    const listening = setInterval(() => this.#listen(), 2_000);
    const { signal } = this.#ended;
    signal.addEventListener("abort", () => clearInterval(listening));
    addEventListener("online", () => this.retry(), { signal });
    document.addEventListener("visibilitychange", () => document.hidden || this.retry(), { signal });
  }

  get isOpen() {
    return this.#isOpen;
  }

  begin() {
    if (!this.#socket) this.#dial();
  }

  /** Dials at once if there is no connection. */
  retry() {
    if (!this.#socket && !this.#ended.signal.aborted) this.#dial();
  }

  /** Ends the connection for good. */
  end() {
    this.#ended.abort();
    clearTimeout(this.#redial);
    clearTimeout(this.#sending);
    const socket = this.#socket;
    this.#socket = null;
    this.#isOpen = false;
    for (const id of [...this.#pending.keys()]) this.#giveUp(id, this.#handlers.words().lost);
    socket?.close();
  }

  /** Replaces the watched view, also for later connections. Of views in quick succession only the last is sent. */
  watch(view) {
    this.#view = view;
    this.#isUnsent = true;
    this.#sendView();
  }

  /** Resolves with the reply's members when the server has done it; throws `FeedError`. */
  act(name, fields = {}) {
    return this.#ask({ act: name, ...fields });
  }

  query(name, fields = {}) {
    return this.#ask({ query: name, ...fields });
  }

  #ask(request) {
    const isThere = this.#isOpen && this.#socket.readyState === WebSocket.OPEN;
    if (!isThere) return Promise.reject(new FeedError(this.#handlers.words().unsent));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#giveUp(id, this.#handlers.words().late), answerMs);
      this.#pending.set(id, { resolve, reject, timer });
      this.#socket.send(JSON.stringify({ id, ...request }));
    });
  }

  #resolve(id, reply) {
    const waiting = this.#forget(id);
    if (reply.ok) waiting?.resolve(reply);
    else waiting?.reject(new FeedError(reply.error ?? "", { code: reply.code ?? "" }));
  }

  /** Rejects a sent request whose answer is no longer awaited. */
  #giveUp(id, why) {
    this.#forget(id)?.reject(new FeedError(why, { isUncertain: true }));
  }

  #forget(id) {
    const waiting = this.#pending.get(id);
    clearTimeout(waiting?.timer);
    this.#pending.delete(id);
    return waiting;
  }

  #sendView() {
    if (!this.#isOpen || !this.#isUnsent || this.#sending !== null) return;
    const wait = this.#sentAt + sendEveryMs - performance.now();
    if (wait > 0) {
      this.#sending = setTimeout(() => {
        this.#sending = null;
        this.#sendView();
      }, wait);
      return;
    }
    this.#isUnsent = false;
    this.#sentAt = performance.now();
    this.#socket.send(JSON.stringify(this.#view));
  }

  #dial() {
    clearTimeout(this.#redial);
    this.#redial = null;
    this.#handlers.status("connecting");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/console/feed`);
    this.#socket = socket;
    this.#heardAt = performance.now();
    socket.onopen = () => socket === this.#socket && this.#opened();
    socket.onmessage = (message) => socket === this.#socket && this.#receive(JSON.parse(message.data));
    socket.onclose = () => socket === this.#socket && this.#closed();
  }

  #opened() {
    this.#openedAt = performance.now();
    this.#isOpen = true;
    this.#isUnsent = true;
    this.#handlers.status("open");
    this.#sendView();
  }

  #receive(message) {
    this.#heardAt = performance.now();
    // The delay is reset only by a steady connection, so one that breaks at once is not redialled without a delay.
    if (this.#heardAt - this.#openedAt > steadyMs) this.#attempt = 0;
    if (message.reply !== undefined) return this.#resolve(message.reply, withLists("reply", message));
    for (const [kind, body] of Object.entries(message)) {
      // Until the new view is sent, the server sends the one before.
      if (this.#isUnsent && !untiedKinds.has(kind)) continue;
      this.#handlers.message(kind, withLists(kind, body));
    }
  }

  async #closed() {
    const wasOpen = this.#isOpen;
    this.#socket = null;
    this.#isOpen = false;
    for (const id of [...this.#pending.keys()]) this.#giveUp(id, this.#handlers.words().lost);
    const inMs = backoffMs[Math.min(this.#attempt, backoffMs.length - 1)];
    this.#attempt += 1;
    this.#redial = setTimeout(() => this.#dial(), inMs);
    if (wasOpen) this.#handlers.status("lost", inMs);
    const answer = await pageStatus();
    if (this.#isOpen || this.#ended.signal.aborted) return;
    if (answer === 401) {
      clearTimeout(this.#redial);
      this.#redial = null;
      this.#handlers.status("expired");
    } else if (!wasOpen) {
      // A server that answers 200 and refuses the feed has no free place.
      this.#handlers.status(answer === 200 ? "full" : "lost", inMs);
    }
  }

  #listen() {
    if (!this.#isOpen || performance.now() - this.#heardAt < silenceMs) return;
    const socket = this.#socket;
    socket.onclose = null;
    socket.close();
    this.#closed();
  }
}

/** The body of a message with its empty lists. */
function withLists(kind, body) {
  for (const name of lists[kind] ?? []) body[name] ??= [];
  return body;
}

/** The status of the page's own address, because a browser hides why a socket was refused. Null without an answer. */
async function pageStatus() {
  try {
    return (await fetch("/", { cache: "no-store" })).status;
  } catch {
    return null;
  }
}
