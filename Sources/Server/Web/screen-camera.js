// The camera of a big screen: it has all players and all held ground in sight, and glides there when they leave the view.
// It stays where it is while everything is in sight, so that nothing is drawn while nothing moves.
import { boxAround, prefersStillness } from "./actors.js";

/** The share of the view that the players take, and the share that they may take before the camera moves. */
const share = 0.74;
const shareMax = 0.92;
/** So much closer the camera must come to be worth a glide. */
const closerMin = 1.7;
const scaleMax = 8;
const glideMs = 700;
/** The smallest part of the ground that is shown, in metres. */
const sizeMin = 50;

export class ScreenCamera {
  #map;
  #room = null;
  /** The box of the held cells, in cells; null for none. */
  #held = null;
  #box = null;
  #target = null;
  #isNew = true;
  #size = "";
  #movedAt = 0;

  constructor(map) {
    this.#map = map;
    map.camera = (view) => this.#next(view);
  }

  show(room, isNew) {
    this.#room = room;
    this.#isNew ||= isNew;
    this.#held = null;
    room.cells?.forEach((holder, cell) => holder >= 0 && this.#hold(cell, 1));
    this.#look();
  }

  /** Looks again where a tick has changed positions or ground. */
  update({ seats = [], arena, cellStarts = [], cellCounts = [] }) {
    if (arena) this.#held = null;
    cellStarts.forEach((start, run) => this.#hold(start, cellCounts[run]));
    if (seats.length > 0 || cellStarts.length > 0 || arena) this.#look();
  }

  #hold(start, count) {
    const { cells } = this.#room.arena;
    const [west, south] = [start % cells, Math.floor(start / cells)];
    const north = Math.floor((start + count - 1) / cells) + 1;
    const isWide = north - south > 1;
    const run = { west: isWide ? 0 : west, east: isWide ? cells : west + count, south, north };
    this.#held = this.#held ? around(this.#held, run) : run;
  }

  /** The box of everything that is to be seen, in metres. */
  #look() {
    const { arena, lands } = this.#room;
    const places = lands.flatMap(({ latE7, lngE7 }) => latE7.map((latitude, index) => ({ latE7: latitude, lngE7: lngE7[index] })));
    const boxes = [this.#map.actors.box()];
    if (places.length > 0) boxes.push(boxAround(places.map((place) => this.#map.metresOf(place))));
    if (arena?.latE7 !== undefined) boxes.push(this.#ground(arena, this.#held));
    const seen = boxes.filter(Boolean);
    if (seen.length > 0) this.#box = widened(seen.reduce(around));
    else if (arena?.latE7 !== undefined) this.#box = this.#ground(arena, { west: 0, south: 0, east: arena.cells, north: arena.cells });
  }

  #ground(arena, box) {
    if (!box) return null;
    const { x, y } = this.#map.metresOf(arena);
    const half = arena.cells / 2;
    const at = (cell) => (cell - half) * arena.cellM;
    return { west: x + at(box.west), east: x + at(box.east), south: y + at(box.south), north: y + at(box.north) };
  }

  /** The view of the next frame; null while the present one is good. */
  #next(view) {
    const size = `${view.width} ${view.height}`;
    if (!this.#box || view.width === 0) return null;
    const fits = fit(this.#box, view);
    if (this.#isNew || size !== this.#size) {
      this.#isNew = false;
      this.#size = size;
      this.#target = null;
      return fits;
    }
    const isGood = has(view, this.#box) && fits.scale < view.scale * closerMin;
    if (!this.#target && isGood) return null;
    if (!this.#target || !has({ ...view, ...this.#target }, this.#box)) {
      this.#movedAt = this.#target ? this.#movedAt : performance.now();
      this.#target = fits;
    }
    return this.#glide(view);
  }

  #glide({ centre, scale }) {
    const target = this.#target;
    const now = performance.now();
    const part = prefersStillness() ? 1 : 1 - Math.exp(-Math.min(100, now - this.#movedAt) / (glideMs / 3));
    this.#movedAt = now;
    const dx = target.centre.x - centre.x;
    const dy = target.centre.y - centre.y;
    const zoom = Math.log(target.scale / scale);
    if (part === 1 || (Math.hypot(dx, dy) * scale < 1 && Math.abs(zoom) < 0.003)) {
      this.#target = null;
      return target;
    }
    return { centre: { x: centre.x + dx * part, y: centre.y + dy * part }, scale: scale * Math.exp(zoom * part) };
  }
}

function around(a, b) {
  return {
    west: Math.min(a.west, b.west),
    east: Math.max(a.east, b.east),
    south: Math.min(a.south, b.south),
    north: Math.max(a.north, b.north),
  };
}

function widened({ west, east, south, north }) {
  const sideways = Math.max(0, sizeMin - (east - west)) / 2;
  const upwards = Math.max(0, sizeMin - (north - south)) / 2;
  return { west: west - sideways, east: east + sideways, south: south - upwards, north: north + upwards };
}

function fit({ west, east, south, north }, { width, height }) {
  const scale = Math.min(scaleMax, (width * share) / (east - west), (height * share) / (north - south));
  return { centre: { x: (west + east) / 2, y: (south + north) / 2 }, scale };
}

/** Whether a view has all of a box in it. */
function has({ centre, scale, width, height }, { west, east, south, north }) {
  const halfWidth = (width * shareMax) / 2 / scale;
  const halfHeight = (height * shareMax) / 2 / scale;
  const isInside = west >= centre.x - halfWidth && east <= centre.x + halfWidth;
  return isInside && south >= centre.y - halfHeight && north <= centre.y + halfHeight;
}
