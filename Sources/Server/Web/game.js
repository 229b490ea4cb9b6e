// The view of a running game: the map with all players, the time, the points. It sends the own position to the server,
// and shows the server's verdicts in the player's words.
import { clockText, find, make, seatColour, toast } from "./dom.js";
import { FixQueue } from "./fix-queue.js";
import { number, say } from "./language.js";
import { GroundMap } from "./map.js";
import { choosePositions, chosenPositions, practiceStart, rememberPlace, rememberedPlace } from "./position-choice.js";
import { Receiver, Walker, besides, metresBetween } from "./positions.js";
import { RoomScene } from "./scene.js";
import { beginStick } from "./stick.js";
import { Tip } from "./tip.js";

const waitMs = 2_500;
/** The rows of the standings, besides one's own. */
const rowsMax = 5;
/** The time without a position after which practice is offered. */
const offerMs = 4_000;

export class GameView {
  #connection;
  #room = null;
  #map = new GroundMap(find("#ground"));
  #scene = new RoomScene(this.#map);
  #tip = new Tip();
  #fixes;
  #walker;
  #receiver;
  /** My last two places from the server: the beginning of an open path. */
  #mine = [];
  #clock = null;
  #clockShownMs = 0;
  #shownAt = 0;
  #wakeLock = null;
  #areStandingsStale = true;
  #feel = null;

  constructor(connection) {
    this.#connection = connection;
    this.#map.hasStreets = true;
    this.#fixes = new FixQueue(connection);
    const send = (fix) => this.#fixes.take(fix);
    const now = () => connection.now();
    this.#walker = new Walker(send, now, (place) => this.#stepped(place));
    this.#receiver = new Receiver(send, now, (trouble, accuracyM) => this.#hear(trouble, accuracyM));
    // In practice the walker has the own place before the server does.
    this.#scene.isAhead = (seat) => seat === this.#room.mySeat && this.#walker.isWalking;
    this.#map.onTap = (place) => this.#walker.isWalking && this.#walkTo(place);
    this.#map.onFollow = (isFollowing) => find("#follow").classList.toggle("on", isFollowing);
    find("#zoom-in").addEventListener("click", () => this.#map.zoom(1.5));
    find("#zoom-out").addEventListener("click", () => this.#map.zoom(1 / 1.5));
    find("#everyone").addEventListener("click", () => (this.#room?.solo ? this.#map.showGround() : this.#map.showAll()));
    find("#follow").addEventListener("click", () => this.#map.follow(this.#room?.mySeat ?? null));
    beginStick(find("#stick"), (east, north) => this.#walker.steer(east, north));
  }

  /** Shows the room's whole state. */
  show(room) {
    const isNew = this.#room === null || room.clockMs < this.#clockShownMs;
    this.#room = room;
    this.#connection.isLively = true;
    if (room.mySeat !== undefined) this.#fixes.begin(room);
    this.#mine = [];
    this.#scene.show(room, isNew);
    if (isNew) this.#map.follow(room.mySeat ?? null);
    if (isNew) this.#shownAt = performance.now();
    this.#map.start();
    this.#clock ??= setInterval(() => this.#refresh(), 250);
    if (room.suspect) this.#tip.show(say("suspect"));
    if (room.run) this.#showRun(room.run);
    this.#areStandingsStale = true;
    this.#refresh();
    this.#stayAwake();
    this.#enliven(isNew);
  }

  /** Moments, sounds and hints come with the first game; nothing waits for them. */
  async #enliven(isNew) {
    const { Feel } = await import("./feel.js");
    this.#feel ??= new Feel(this.#map);
    if (this.#room) this.#feel.show(this.#room, isNew);
  }

  hide() {
    if (!this.#room) return;
    if (this.#room.phase !== "PLAYING") this.#fixes.clear();
    this.#room = null;
    this.#connection.isLively = false;
    if (this.#walker.place) rememberPlace(this.#walker.place);
    clearInterval(this.#clock);
    this.#clock = null;
    this.#map.stop();
    this.#walker.stop();
    this.#receiver.stop();
    this.#tip.clear();
    this.#feel?.hide();
    this.#wakeLock?.release?.();
    this.#wakeLock = null;
  }

  update(tick, events) {
    const room = this.#room;
    const hasMoved = tick.seats?.includes(room.mySeat);
    if (hasMoved) {
      const place = room.positions.get(room.mySeat);
      this.#mine = [...this.#mine.slice(-1), place];
      if (room.path.length > 0) room.path.push(place);
    }
    this.#scene.update(tick, events);
    this.#feel?.update(events);
    if (hasMoved && this.#mine.length > 1) this.#feel?.moved(metresBetween(...this.#mine));
    if (events.some(({ timeUp }) => timeUp)) this.#fixes.finish();
    this.#areStandingsStale ||= (tick.seats?.length ?? 0) > 0 || events.length > 0;
  }

  /** A notification to this player alone. */
  notified(kind, body) {
    if (kind === "badge") {
      this.#feel?.badge();
      return toast(say("badge"), "good");
    }
    if (!this.#room) return;
    if (kind === "verdict") this.#judge(body);
    if (kind === "path") this.#pathChanged(body);
    if (kind === "run") this.#showRun(body);
  }

  /** Shows the time and the points, and starts the positions when possible. Called four times a second. */
  #refresh() {
    const room = this.#room;
    if (!room) return;
    const left = room.leftMs;
    this.#clockShownMs = room.clockMs;
    find("#time").textContent = clockText(left);
    find("#time").parentElement.classList.toggle("hurry", left < 10_000);
    this.#feel?.count(room.isTimeUp ? 0 : left);
    if (room.isTimeUp) this.#awaitBoard();
    else this.#beginPositions();
    if (this.#areStandingsStale) this.#showStandings();
  }

  #showStandings() {
    const room = this.#room;
    this.#areStandingsStale = false;
    const standings = room.standings;
    const mine = standings.findIndex(({ seat }) => seat === room.mySeat);
    find("#score").hidden = mine < 0;
    if (mine >= 0) {
      find("#score-points").textContent = pointsText(room.mode, standings[mine].points);
      find("#score-rank").textContent = rankText(standings[mine].rank);
    }
    const shown = room.best(rowsMax);
    if (mine >= 0 && !shown.some(({ seat }) => seat === room.mySeat)) shown.push(standings[mine]);
    find("#standings").replaceChildren(...shown.map((row) => this.#standing(row)));
  }

  #standing({ seat, nickname, points, held, rank, walker }) {
    const dot = make("i", walker ? "dot walker" : "dot");
    dot.style.setProperty("--seat", seatColour(seat));
    const score = make("b", "", pointsText(this.#room.mode, points));
    const row = make("li", "", make("small", "", `${rank ?? "–"}`), dot, make("span", "", nickname), score);
    row.classList.toggle("mine", seat === this.#room.mySeat);
    row.classList.toggle("held", held ?? false);
    return row;
  }

  /** Behind the end of the game: others' fixes may still come. */
  #awaitBoard() {
    this.#walker.stop();
    this.#receiver.stop();
    find("#stick").hidden = true;
    const waitMs = Math.max(0, this.#room.boardAtGameMs - this.#room.clockMs);
    this.#tip.show(say("boardWaits", { n: Math.ceil(waitMs / 1_000) }));
  }

  #beginPositions() {
    const room = this.#room;
    const isPractice = chosenPositions() === "practice";
    find("#stick").hidden = !isPractice || room.mySeat === undefined;
    if (room.mySeat === undefined) return this.#tip.show(say(room.me?.watching ? "watchOnly" : "youWatch"));
    if (!isPractice) return this.#receive();
    if (this.#walker.isWalking) return this.#tellOfArena();
    const place = this.#practicePlace();
    if (!place) return this.#tip.show(say("arenaWaits", { name: room.nameAt({ seat: room.host }) }));
    this.#tip.show(say("practiceTip"), { forMs: 6_000 });
    // A new game may be elsewhere. Within a game the walker does not leap.
    if (place === this.#fixes.newest || room.positions.has(room.mySeat) || this.#isFarFromOthers(this.#walker.place)) this.#walker.place = place;
    this.#walker.start(place);
  }

  /** Shows a tip while the position is unknown, and after a while offers practice. */
  #receive() {
    this.#receiver.start();
    const { looksForMs } = this.#receiver;
    if (looksForMs === null) {
      this.#tip.withdraw(say("missing"));
      return this.#tellOfArena();
    }
    const offer = { text: say("practise"), act: () => this.#practise() };
    this.#tip.show(say("missing"), { offer: looksForMs > offerMs ? offer : null });
  }

  /** Says why no way takes ground now, where no other tip stands: the arena has no place yet, or I am outside of it. */
  #tellOfArena() {
    const { arena, host, mySeat, positions } = this.#room;
    const place = this.#fixes.newest ?? positions.get(mySeat);
    const isPlaced = arena?.latE7 !== undefined;
    this.#tell(say("arenaWaits", { name: this.#room.nameAt({ seat: host }) }), arena && !isPlaced && host !== mySeat);
    this.#tell(say("arenaOutside"), isPlaced && place && this.#room.cellAt(place) < 0);
  }

  #tell(text, isTrue) {
    if (!isTrue) this.#tip.withdraw(text);
    else if (this.#tip.isFree) this.#tip.show(text);
  }

  #practise() {
    choosePositions("practice");
    this.#receiver.stop();
    this.#tip.clear();
  }

  /**
   * The start of practice: my newest place, else a land, the arena, near others, or the host's own choice; null while
   * unknown.
   */
  #practicePlace() {
    const room = this.#room;
    const mine = this.#fixes.newest ?? room.positions.get(room.mySeat);
    if (mine) return mine;
    const angle = room.mySeat * 2.4;
    const radius = 5 + 2.5 * Math.sqrt(room.mySeat);
    const beside = (place) => besides(place, radius * Math.cos(angle), radius * Math.sin(angle));
    if (room.lands.length > 0) {
      const [{ latE7, lngE7 }] = room.lands;
      return { latE7: latE7[0], lngE7: lngE7[0] };
    }
    if (room.arena?.latE7 !== undefined) return beside(room.arena);
    const [other] = room.positions.values();
    if (other) return beside(other);
    const leads = room.host === room.mySeat || (!room.arena && performance.now() - this.#shownAt > waitMs);
    return leads ? beside(this.#walker.place ?? rememberedPlace() ?? practiceStart) : null;
  }

  #isFarFromOthers(place) {
    const room = this.#room;
    const anchor = room.arena?.latE7 !== undefined ? room.arena : room.positions.values().next().value;
    if (!place || !anchor) return false;
    return Math.hypot(place.latE7 - anchor.latE7, place.lngE7 - anchor.lngE7) > 40_000;
  }

  #walkTo(place) {
    this.#walker.walkTo(place);
    this.#map.setGoal(place);
  }

  #stepped(place) {
    const seat = this.#room?.mySeat;
    if (seat === undefined) return;
    this.#map.place(seat, place, true);
    if (!this.#walker.goal) this.#map.setGoal(null);
  }

  #hear(trouble, accuracyM) {
    if (trouble === "weak") return this.#tip.show(say("weak", { n: accuracyM }), { forMs: 4_000 });
    toast(say("denied"), "warn");
    this.#practise();
  }

  #judge({ fix, suspect }) {
    if (suspect) return this.#tip.show(say("suspect"));
    if (!fix) {
      this.#tip.clear();
      return toast(say("trusted"), "good");
    }
    toast(say(fix, {}, say("fixOther")), "warn");
  }

  #pathChanged(path) {
    const room = this.#room;
    if (path.state !== "LOOPED") {
      room.path = path.state === "OPEN" ? [...this.#mine] : [];
      this.#map.line(room.mySeat, path.state === "OPEN" ? room.path : null);
    }
    this.#feel?.pathChanged(path, this.#mine.at(-1));
    if (path.state === "OPEN" && this.#feel) this.#tip.show(say("OPEN"), { forMs: 4_000 });
  }

  #showRun({ state, visited, needed }) {
    if (state === "RUNNING" && !visited) this.#map.line(this.#room.mySeat, this.#mine.slice(-1));
    if (state === "CAPTURED" || state === "GIVEN_UP") this.#map.line(this.#room.mySeat, null);
    const progress = say("runOn", { visited: visited ?? 0, needed: needed ?? 0 });
    const texts = { TOO_FAR: say("runFar"), RUNNING: progress, WARNED: say("runWarned"), GIVEN_UP: say("runGivenUp") };
    this.#tip.show(texts[state] ?? "");
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

/** A rank for its player; without points there is none. */
function rankText(rank) {
  return rank ? say("rank", { n: rank }) : say("unranked");
}

export function pointsText(mode, points) {
  const key = { TERRITORY: "area", LAND: "lands" }[mode] ?? "points";
  return say(key, { n: number(points) });
}
