// The ground from above, on a canvas: players' places, holders of ground. It depends on neither rooms nor connections,
// so the operators' console shares it. Inside it counts in metres from a fixed origin, outside in 1e-7 degree.
import { Actors, boxAround, prefersStillness } from "./actors.js";
import { onColours, streets } from "./dom.js";
import { drawGrid, drawLands, drawScale } from "./ground.js";

const metresPerUnit = 0.011119508;
const scaleMax = 30;

export class GroundMap {
  actors = new Actors();
  /** Called with a place, and with its point on the canvas, when somebody taps the ground. */
  onTap = null;
  /** Called when the map begins or ceases to follow a player. */
  onFollow = null;
  /** Draws a layer below the players: called in each frame with its view. */
  layer = null;
  /** Draws the ground itself, and lines on it. */
  grid = drawGrid;
  /** Whether streets are drawn as the ground. */
  hasStreets = false;
  /** The smallest scale, pixels a metre. */
  scaleMin = 0.15;
  /** Chooses the view: called in each frame with the present one, returns the next, or null to stay. */
  camera = null;
  #canvas;
  #context;
  #origin = null;
  #centre = { x: 0, y: 0 };
  /** The middle was chosen, so the first player who comes does not take it. */
  #isAimed = false;
  #scale = 5;
  #followed = null;
  #pointers = new Map();
  #pressed = null;
  #isDirty = true;
  #frame = null;
  #colours = {};
  #stopListening = null;
  #areas = null;
  #cells = null;
  #arena = null;
  #lands = [];
  #goal = null;
  #streetMap = null;
  /** What layers draw with: the same object in each frame. */
  #view = {
    x: (x) => this.#view.width / 2 + (x - this.#centre.x) * this.#scale,
    y: (y) => this.#view.height / 2 - (y - this.#centre.y) * this.#scale,
    metres: (place) => this.#toMetres(place),
    place: (point) => this.#toPlace(this.#toGround(point)),
  };
  #frames = { count: 0, since: 0, perSecond: 0, busyMs: 0 };
  /** The page shows the canvas so many times larger. */
  #magnification = 1;

  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = this.#view.context = canvas.getContext("2d", { alpha: Boolean(streets) });
    new ResizeObserver(() => this.#resize()).observe(canvas);
    this.#readColours();
    this.#takeGestures();
  }

  set magnification(factor) {
    this.#magnification = factor;
    this.#resize();
  }

  /** A place in metres, as `camera` counts. */
  metresOf(place) {
    return this.#toMetres(place);
  }

  /** The recent frames a second, and the time to draw one; for measurements. */
  get figures() {
    return { perSecond: this.#frames.perSecond, busyMs: this.#frames.busyMs };
  }

  start() {
    if (!this.#stopListening) {
      this.#stopListening = onColours(() => this.#readColours());
      this.#readColours();
    }
    this.#frame ??= requestAnimationFrame((time) => this.#draw(time));
    this.#isDirty = true;
    if (this.hasStreets && streets) this.#layStreets();
  }

  async #layStreets() {
    const { StreetMap } = await import("./street-map.js").catch(() => ({}));
    if (StreetMap) this.#streetMap ??= new StreetMap(this, this.#canvas);
  }

  stop() {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
    this.#streetMap?.remove();
    this.#stopListening?.();
    this.#stopListening = null;
  }

  /** Removes everything that belongs to a game. */
  clear() {
    this.actors.clear();
    this.#isAimed = false;
    this.#areas = null;
    this.#cells = null;
    this.#arena = null;
    this.#goal = null;
    this.#isDirty = true;
  }

  /** Moves a seat to a place; with `atOnce` without a glide. */
  place(seat, place, atOnce = false) {
    const isFirst = this.actors.isEmpty;
    const at = this.#toMetres(place);
    if (!this.actors.place(seat, at, atOnce)) return;
    if (isFirst && !this.#isAimed) this.#centre = at;
    this.#isDirty = true;
  }

  /** How a seat is drawn: `name`, `colour`, `isHeld`, `isMe`, `isChosen`, `isSuspect`, `isWalker`. */
  dress(seat, looks) {
    this.actors.dress(seat, looks);
    this.#isDirty = true;
  }

  remove(seat) {
    this.actors.remove(seat);
    this.#isDirty = true;
  }

  /** Draws a footprint that scored. */
  print(seat, place) {
    this.actors.print(seat, this.#toMetres(place));
  }

  /** Draws those of a seat's footprints that are not there yet, in the order in which they scored. */
  prints(seat, places) {
    this.actors.prints(seat, places.map((place) => this.#toMetres(place)));
    this.#isDirty = true;
  }

  /** Draws a line behind a seat from now on, or from these places on; `null` takes it away. */
  line(seat, places) {
    this.actors.line(seat, places && places.map((place) => this.#toMetres(place)));
    this.#isDirty = true;
  }

  setArena(arena, cells, colourOf) {
    this.#arena = null;
    if (arena?.latE7 !== undefined) {
      const middle = this.#toMetres(arena);
      const side = arena.cells * arena.cellM;
      this.#arena = { west: middle.x - side / 2, south: middle.y - side / 2, side, ...arena };
      if (this.actors.isEmpty) this.#centre = middle;
    }
    if (cells) this.#loadAreas(cells, colourOf);
    this.#isDirty = true;
  }

  /** Areas are loaded with the first cells: no other mode has any. */
  async #loadAreas(cells, colourOf) {
    this.#cells = cells;
    const { areasOf } = await import("./areas.js");
    if (this.#cells !== cells) return;
    this.#areas = areasOf(this.#areas, this.#arena, cells, colourOf);
    this.#isDirty = true;
  }

  /** Draws changed cells. `origins` has pairs of a seat and the place from which its new ground grows. */
  cellsChanged(origins = []) {
    const { west, south, cellM } = this.#arena ?? {};
    const inCells = ({ x, y }) => ({ x: (x - west) / cellM, y: (y - south) / cellM });
    this.#areas?.changed(new Map(origins.map(([seat, place]) => [seat, inCells(this.#toMetres(place))])));
    this.#isDirty = true;
  }

  /** Sets the rings: each has `name`, `latE7`, `lngE7` and, if held, `colour`. */
  setLands(lands) {
    this.#lands = lands.map(({ name, colour, latE7, lngE7 }) => ({
      name,
      colour,
      ring: latE7.map((latitude, index) => this.#toMetres({ latE7: latitude, lngE7: lngE7[index] })),
    }));
    if (this.actors.isEmpty && this.#lands[0]) this.#centre = { ...this.#lands[0].ring[0] };
    this.#isDirty = true;
  }

  /** Sets the place that the walker walks to; `null` for none. */
  setGoal(place) {
    if (!place && !this.#goal) return;
    this.#goal = place && this.#toMetres(place);
    this.#isDirty = true;
  }

  follow(seat) {
    this.#followed = seat;
    this.onFollow?.(seat !== null);
    this.#isDirty = true;
  }

  zoom(factor, at = null) {
    const before = at && this.#toGround(at);
    this.#scale = Math.min(scaleMax, Math.max(this.scaleMin, this.#scale * factor));
    if (at && this.#followed === null) {
      const after = this.#toGround(at);
      this.#centre = { x: this.#centre.x + before.x - after.x, y: this.#centre.y + before.y - after.y };
    }
    this.#isDirty = true;
  }

  /** Draws the next frame anew, because the layer has changed. */
  redraw() {
    this.#isDirty = true;
  }

  /** Puts a place in the middle, at a scale if there is one. */
  lookAt(place, scale = this.#scale) {
    this.follow(null);
    this.#isAimed = true;
    this.#centre = this.#toMetres(place);
    this.#scale = Math.min(scaleMax, Math.max(this.scaleMin, scale));
    this.#isDirty = true;
  }

  /** Makes the middle the origin, around which the map is to scale. Only for a map that has nothing but its layer. */
  centreOrigin() {
    const { latE7, lngE7 } = this.#toPlace(this.#centre);
    this.#origin = null;
    this.#centre = this.#toMetres({
      latE7: Math.max(-8.5e8, Math.min(8.5e8, latE7)),
      lngE7: lngE7 - 3.6e9 * Math.round(lngE7 / 3.6e9),
    });
    this.#isDirty = true;
  }

  /** Shows everyone who is on the ground. */
  showAll() {
    const box = this.actors.box();
    if (box) this.#fit(box, 0.7);
  }

  /** Shows all of these places; `margins` are pixels that stay free of them, on each side. */
  showPlaces(places, margins) {
    if (places.length > 0) this.#fit(boxAround(places.map((place) => this.#toMetres(place))), 0.8, margins);
  }

  /** Shows the arena and lands of the game, else all players. */
  showGround() {
    const places = this.#lands.flatMap(({ ring }) => ring);
    if (this.#arena) {
      const { west, south, side } = this.#arena;
      places.push({ x: west, y: south }, { x: west + side, y: south + side });
    }
    if (places.length > 0) this.#fit(boxAround(places), 0.92);
    else this.showAll();
  }

  /** Shows a box: in a share of the map, or between margins. */
  #fit({ west, east, south, north }, share, margins = null) {
    this.follow(null);
    const { clientWidth, clientHeight } = this.#canvas;
    const { top, right, bottom, left } = margins ?? { top: 0, right: 0, bottom: 0, left: 0 };
    const width = Math.max(1, clientWidth - left - right) * (margins ? 1 : share);
    const height = Math.max(1, clientHeight - top - bottom) * (margins ? 1 : share);
    const fit = Math.min(width / (east - west + 20), height / (north - south + 20));
    this.#scale = Math.min(8, Math.max(this.scaleMin, fit));
    this.#centre = {
      x: (west + east) / 2 + (right - left) / 2 / this.#scale,
      y: (south + north) / 2 + (top - bottom) / 2 / this.#scale,
    };
    this.#isDirty = true;
  }

  #toMetres({ latE7, lngE7 }) {
    this.#origin ??= { latE7, lngE7, cosine: Math.cos((latE7 / 1e7) * (Math.PI / 180)) };
    let east = lngE7 - this.#origin.lngE7;
    if (east > 1.8e9) east -= 3.6e9;
    if (east < -1.8e9) east += 3.6e9;
    return {
      x: east * metresPerUnit * this.#origin.cosine,
      y: (latE7 - this.#origin.latE7) * metresPerUnit,
    };
  }

  #toPlace({ x, y }) {
    return {
      latE7: this.#origin.latE7 + y / metresPerUnit,
      lngE7: this.#origin.lngE7 + x / (metresPerUnit * this.#origin.cosine),
    };
  }

  /** From a point of the canvas to metres. */
  #toGround({ x, y }) {
    const { clientWidth, clientHeight } = this.#canvas;
    return {
      x: this.#centre.x + (x - clientWidth / 2) / this.#scale,
      y: this.#centre.y - (y - clientHeight / 2) / this.#scale,
    };
  }

  #draw(time) {
    this.#frame = requestAnimationFrame((next) => this.#draw(next));
    const isMoving = this.actors.move(time);
    const isGliding = this.#glide();
    const isGrowing = Boolean(this.#arena && this.#areas?.isMoving);
    const isSeen = this.#canvas.clientWidth > 0 && this.#canvas.width > 0;
    if (!isSeen || (!isMoving && !isGliding && !isGrowing && !this.#isDirty)) return;
    this.#isDirty = false;
    const began = performance.now();
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const ratio = this.#canvas.width / width;
    const view = Object.assign(this.#view, { width, height, ratio, scale: this.#scale, centre: this.#centre, colours: this.#colours });
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.grid(view, this.#arena);
    if (this.#areas && this.#arena) this.#areas.draw(view, this.#arena);
    drawLands(view, this.#lands);
    if (this.#origin) this.layer?.(view);
    this.actors.draw(view, this.#goal);
    drawScale(view);
    this.#count(time, performance.now() - began);
  }

  /** Moves the view as the camera wants it, else towards the followed player. True while it moves. */
  #glide() {
    if (this.camera) {
      const { clientWidth: width, clientHeight: height } = this.#canvas;
      const next = this.camera({ centre: this.#centre, scale: this.#scale, width, height });
      if (!next) return false;
      this.#centre = next.centre;
      this.#scale = Math.max(this.scaleMin, next.scale);
      return true;
    }
    const target = this.#followed !== null && this.actors.where(this.#followed);
    if (!target) return false;
    const dx = target.x - this.#centre.x;
    const dy = target.y - this.#centre.y;
    const isFar = Math.hypot(dx, dy) * this.#scale > 2_000;
    const share = isFar || prefersStillness() ? 1 : 0.15;
    this.#centre = { x: this.#centre.x + dx * share, y: this.#centre.y + dy * share };
    return Math.hypot(dx, dy) * this.#scale > 0.3;
  }

  #count(time, busyMs) {
    const frames = this.#frames;
    frames.count += 1;
    frames.busyMs += (busyMs - frames.busyMs) / 20;
    if (time - frames.since < 1_000) return;
    frames.perSecond = (frames.count * 1_000) / (time - frames.since);
    frames.count = 0;
    frames.since = time;
  }

  #resize() {
    const ratio = Math.min((devicePixelRatio || 1) * this.#magnification, Math.max(2, this.#magnification));
    this.#canvas.width = Math.round(this.#canvas.clientWidth * ratio);
    this.#canvas.height = Math.round(this.#canvas.clientHeight * ratio);
    this.actors.repaint();
    this.#isDirty = true;
  }

  #readColours() {
    const style = getComputedStyle(document.documentElement);
    const grounds = ["ground", "ground-line", "ground-strong", "ground-out"];
    const names = [...grounds, "ink", "paper", "warn", "soft", "accent", "accent-ink"];
    this.#colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    this.actors.repaint();
    this.#isDirty = true;
  }

  /** One finger pans, two zoom, a wheel zooms, a short press is a tap. */
  #takeGestures() {
    const canvas = this.#canvas;
    const at = (event) => ({ x: event.offsetX, y: event.offsetY });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#pointers.set(event.pointerId, at(event));
      this.#pressed = this.#pointers.size === 1 ? { ...at(event), time: event.timeStamp } : null;
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = this.#pointers.get(event.pointerId);
      if (!before) return;
      const now = at(event);
      const others = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
      this.#pointers.set(event.pointerId, now);
      if (this.#pressed && Math.hypot(now.x - this.#pressed.x, now.y - this.#pressed.y) < 8) return;
      this.#pressed = null;
      if (others.length === 0) return this.pan(now.x - before.x, now.y - before.y);
      const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
      this.zoom(distance(now, others[0]) / Math.max(1, distance(before, others[0])), now);
    });
    const lift = (event) => {
      const pressed = this.#pressed;
      this.#pointers.delete(event.pointerId);
      this.#pressed = null;
      const isTap = event.type === "pointerup" && pressed && event.timeStamp - pressed.time < 500;
      if (isTap && this.#origin) this.onTap?.(this.#toPlace(this.#toGround(at(event))), at(event));
    };
    canvas.addEventListener("pointerup", lift);
    canvas.addEventListener("pointercancel", lift);
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 400), at(event));
    });
  }

  /** Moves the ground by so many pixels. */
  pan(dx, dy) {
    if (this.#followed !== null) this.follow(null);
    this.#centre = { x: this.#centre.x - dx / this.#scale, y: this.#centre.y + dy / this.#scale };
    this.#isDirty = true;
  }
}
