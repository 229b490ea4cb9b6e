// The player's way between capsules: from the device's receiver, or in practice from the walker. Each place goes to the
// server at most once a second, and less often while the server needs none. Places without a connection are dropped,
// because only who is there now opens a capsule.
import { find, seatColour, toast } from "./dom.js";
import { say } from "./language.js";
import { choosePositions, chosenPositions, practiceStart, rememberPlace, rememberedPlace } from "./position-choice.js";
import { Receiver, Walker, metresBetween } from "./positions.js";
import { beginStick } from "./stick.js";
import { Tip } from "./tip.js";

const me = 0;
/** The time without a position after which practice is offered. */
const offerMs = 4_000;
/** The longest silence: what others bury here is noticed, and the position never too old to open a capsule. */
const silenceMaxS = 10;
/** A receiver that is silent for longer is asked anew. */
const receiverSilentMs = 15_000;

export class CapsuleWalk {
  #connection;
  #map;
  #book;
  #onJudged;
  #tip = new Tip();
  #walker;
  #receiver;
  #clock = null;
  #wakeLock = null;
  /** What the server has said of the next fix that it needs: `m` metres, `s` seconds; null without a word. */
  #next = null;
  #lastSent = null;
  #heardAt = 0;
  #isSuspect = false;

  /** `onJudged` is called when the server has judged a place. */
  constructor(connection, map, book, onJudged) {
    this.#connection = connection;
    this.#map = map;
    this.#book = book;
    this.#onJudged = onJudged;
    const now = () => connection.now();
    this.#walker = new Walker((fix) => this.#offer(fix), now, (place) => this.#stepped(place));
    this.#receiver = new Receiver((fix) => this.#received(fix), now, (trouble, m) => this.#hear(trouble, m));
    beginStick(find("#stick"), (east, north) => this.#walker.steer(east, north));
  }

  get isPractice() {
    return this.#walker.isWalking;
  }

  /** Begins, or goes on over a new connection. */
  start() {
    this.#next = null;
    // Nobody else is on this map who could be taken for the player.
    this.#map.dress(me, { name: "", colour: seatColour(1), isMe: true });
    if (this.#clock === null) {
      this.#map.follow(me);
      this.#map.start();
      this.#clock = setInterval(() => this.#refresh(), 250);
      this.#stayAwake();
    }
    this.#refresh();
  }

  stop() {
    clearInterval(this.#clock);
    this.#clock = null;
    this.#walker.stop();
    this.#receiver.stop();
    this.#map.stop();
    this.#tip.clear();
    this.#wakeLock?.release?.();
    this.#wakeLock = null;
  }

  follow() {
    this.#map.follow(me);
  }

  /** Walks to a place, in practice. */
  walkTo(place) {
    if (!this.isPractice) return;
    this.#walker.walkTo(place);
    this.#map.setGoal(place);
  }

  /** The words of the tip are in another language now. */
  say() {
    this.#tip.clear();
  }

  /** A verdict of the server on a place. */
  judge({ fix, suspect }) {
    this.#isSuspect = suspect ?? false;
    if (this.#isSuspect) return this.#tip.show(say("suspect"));
    if (fix) return toast(say(fix, {}, say("fixOther")), "warn");
    this.#tip.clear();
    toast(say("trusted"), "good");
  }

  #refresh() {
    const isPractice = chosenPositions() === "practice";
    find("#stick").hidden = !isPractice;
    if (!isPractice) return this.#receive();
    this.#receiver.stop();
    if (this.#walker.isWalking) return;
    this.#tip.show(say("practiceTip"), { forMs: 6_000 });
    this.#walker.place = this.#book.here ?? rememberedPlace() ?? practiceStart;
    this.#walker.start(this.#walker.place);
  }

  #receive() {
    if (this.#walker.isWalking) {
      this.#walker.stop();
      this.#map.setGoal(null);
    }
    this.#receiver.start();
    const { looksForMs } = this.#receiver;
    if (looksForMs === null) {
      this.#tip.withdraw(say("missing"));
      // A receiver that lies still may say nothing, and the server opens nothing by an old position.
      if (performance.now() - this.#heardAt > receiverSilentMs) this.#receiver.stop();
      return;
    }
    const offer = { text: say("practise"), act: () => this.#practise() };
    const isLong = looksForMs > offerMs;
    if (isLong || this.#book.here === null) this.#tip.show(say("missing"), { offer: isLong ? offer : null });
  }

  #practise() {
    choosePositions("practice");
    this.#receiver.stop();
    this.#tip.clear();
  }

  #hear(trouble, accuracyM) {
    if (trouble === "weak") return this.#tip.show(say("weak", { n: accuracyM }), { forMs: 4_000 });
    toast(say("denied"), "warn");
    this.#practise();
  }

  #stepped(place) {
    this.#book.here = place;
    this.#map.place(me, place, true);
    if (!this.#walker.goal) this.#map.setGoal(null);
  }

  #received(fix) {
    this.#heardAt = performance.now();
    const isFirst = this.#book.here === null;
    this.#book.here = { latE7: fix.latE7, lngE7: fix.lngE7 };
    this.#map.place(me, fix, isFirst);
    this.#offer(fix);
  }

  async #offer(fix) {
    if (!this.#connection.isOpen || !this.#isDue(fix)) return;
    this.#lastSent = fix;
    if (this.isPractice) rememberPlace(fix);
    try {
      const moved = await this.#connection.request("move", { ...fix, timeMs: String(fix.timeMs) });
      // In a running game the room answers, and says nothing of the next fix.
      this.#next = moved.nextCheckM === undefined ? null : { m: moved.nextCheckM, s: moved.nextCheckS ?? 1 };
      this.#onJudged();
    } catch {
      this.#next = null;
    }
  }

  #isDue(fix) {
    if (this.#next === null || this.#isSuspect || this.#lastSent === null) return true;
    const seconds = (fix.timeMs - this.#lastSent.timeMs) / 1_000;
    return seconds >= Math.min(this.#next.s, silenceMaxS) || metresBetween(this.#lastSent, fix) >= this.#next.m;
  }

  /** Keeps the screen on, because a dark screen ends the walk. */
  async #stayAwake() {
    try {
      this.#wakeLock ??= await navigator.wakeLock?.request("screen");
    } catch {
      // The browser may refuse it, for example on low power.
    }
  }
}
