// A running game on a big screen: the map with everybody, the ranking, the clock and the game's moments. Nothing is drawn
// while nothing moves.
import { Countdown, lastMs } from "./countdown.js";
import { clockText, find, make, seatColour } from "./dom.js";
import { number, say } from "./language.js";
import { GroundMap } from "./map.js";
import { RoomScene } from "./scene.js";
import { ScreenCamera } from "./screen-camera.js";
import { showFitting } from "./screen-fit.js";
import { play } from "./sounds.js";

const rowsMax = 10;
const refreshMs = 250;
/** A lead that changes every second is no moment. */
const leadPauseMs = 6_000;
/** A hall reads names from afar: the map is enlarged as if the screen had this height. */
const readableHeight = 640;

export class ScreenGame {
  #connection;
  #room = null;
  #map = new GroundMap(find("#ground"));
  #scene = new RoomScene(this.#map);
  #camera = new ScreenCamera(this.#map);
  #clock = null;
  #clockShownMs = 0;
  #countdown = new Countdown((second) => this.#moment("count", second));
  #leader = null;
  #leadAt = 0;
  #points = new Map();
  #areStandingsStale = true;

  constructor(connection) {
    this.#connection = connection;
    this.#map.hasStreets = true;
    // The words of moments have their looks with the players' own.
    document.head.append(Object.assign(make("link"), { rel: "stylesheet", href: new URL("feel.css", import.meta.url).href }));
    new ResizeObserver(() => this.#enlarge()).observe(find(".screen-ground"));
    this.#enlarge();
  }

  show(room) {
    const isNew = this.#room === null || room.clockMs < this.#clockShownMs;
    this.#room = room;
    this.#connection.isLively = true;
    this.#scene.show(room, isNew);
    this.#camera.show(room, isNew);
    this.#points = new Map(room.points);
    this.#map.start();
    this.#clock ??= setInterval(() => this.#refresh(), refreshMs);
    this.#areStandingsStale = true;
    if (isNew) this.#leader = this.#first;
    this.#refresh();
    if (!isNew || room.clockMs > 3_000) return;
    play("begin");
    this.#moment("capture", say("begin"));
  }

  hide() {
    if (!this.#room) return;
    this.#room = null;
    this.#connection.isLively = false;
    clearInterval(this.#clock);
    this.#clock = null;
    this.#map.stop();
  }

  update(tick, events) {
    const room = this.#room;
    if (!room) return;
    this.#scene.update(tick, events);
    this.#camera.update(tick);
    for (const { captured, timeUp } of events) {
      if (captured) this.#captured(captured, events);
      if (timeUp) this.#moment("capture", say("timeUp"));
    }
    this.#tellLead(events);
    for (const seat of tick.seats ?? []) this.#points.set(seat, room.points.get(seat));
    this.#areStandingsStale ||= (tick.seats?.length ?? 0) > 0 || events.length > 0;
  }

  #captured({ seat = 0, areaM2, land }, events) {
    const room = this.#room;
    const name = room.nameAt({ seat });
    if (land) {
      play("capture");
      const known = room.lands.find(({ landId }) => landId === land.landId);
      return this.#moment("capture", say("capturedLand", { name, land: known?.name ?? "" }));
    }
    const [victim, loss] = this.#greatestLoss(events);
    play(loss > 0 ? "theft" : "capture");
    if (loss > 0) return this.#moment("theft", say("stolenFrom", { name, victim: room.nameAt({ seat: victim }) }));
    this.#moment("capture", say("captured", { name, n: number(areaM2 ?? 0) }));
  }

  /** The seat that has lost most ground in this tick, and how much; no loss where several may have taken it. */
  #greatestLoss(events) {
    const room = this.#room;
    const gains = new Map();
    for (const { captured } of events) {
      if (captured) gains.set(captured.seat ?? 0, (gains.get(captured.seat ?? 0) ?? 0) + (captured.areaM2 ?? 0));
    }
    let most = [null, 0];
    for (const [seat, points] of this.#points) {
      const loss = points + (gains.get(seat) ?? 0) - (room.points.get(seat) ?? 0);
      if (loss > most[1]) most = [seat, loss];
    }
    const takers = [...gains.keys()].filter((seat) => seat !== most[0]);
    return takers.length === 1 ? most : [null, 0];
  }

  /** The seat of the best person; null for none. */
  get #first() {
    return this.#room.order.find((seat) => !this.#room.walkerSeats.has(seat)) ?? null;
  }

  /** Tells of a new first one, unless a capture is told just now. */
  #tellLead(events) {
    const leader = this.#first;
    if (leader === this.#leader || leader === null) return;
    const now = performance.now();
    const isFirst = this.#leader === null;
    this.#leader = leader;
    if (isFirst || now - this.#leadAt < leadPauseMs || events.some(({ captured }) => captured)) return;
    this.#leadAt = now;
    this.#moment("badge", say("leads", { name: this.#room.nameAt({ seat: leader }) }));
  }

  #refresh() {
    const room = this.#room;
    if (!room) return;
    const left = room.isTimeUp ? 0 : room.leftMs;
    this.#clockShownMs = room.clockMs;
    const clock = find("#time");
    const text = room.isTimeUp ? say("boardWaits") : clockText(left);
    if (clock.textContent !== text) clock.textContent = text;
    clock.parentElement.classList.toggle("hurry", left < lastMs);
    clock.parentElement.classList.toggle("waits", room.isTimeUp);
    this.#countdown.count(left);
    if (this.#areStandingsStale) this.#showStandings();
  }

  #showStandings() {
    this.#areStandingsStale = false;
    const { seated, mode } = this.#room;
    showFitting(find("#standings"), this.#room.best(rowsMax).map((row) => standing(row, mode)), seated.length);
  }

  /** A word over the ground for a moment; the newest alone. */
  #moment(kind, text) {
    const ground = find(".screen-ground");
    find(".moment", ground)?.remove();
    const moment = make("p", `moment ${kind}`, text);
    moment.addEventListener("animationend", () => moment.remove());
    ground.append(moment);
  }

  /** Draws the map larger on a larger screen, so that names are read from afar. */
  #enlarge() {
    const { clientWidth, clientHeight } = find(".screen-ground");
    const factor = Math.max(1, Math.min(4, Math.min(clientWidth, clientHeight) / readableHeight));
    this.#map.magnification = factor;
    find(".screen-map").style.setProperty("--factor", `${factor}`);
  }
}

function standing({ seat, nickname, points, held, rank, walker }, mode) {
  const dot = make("i", walker ? "dot walker" : "dot");
  dot.style.setProperty("--seat", seatColour(seat));
  const row = make("li", held ? "held" : "", make("small", "", `${rank ?? "–"}`), dot, make("span", "", nickname));
  row.append(make("b", "", pointsText(mode, points)));
  return row;
}

export function pointsText(mode, points) {
  const key = { TERRITORY: "area", LAND: "lands" }[mode] ?? "points";
  return say(key, { n: number(points) });
}
