// Footprints, on a sheet: thousands of them are drawn once, and each frame copies the sheet. The newest are drawn by each
// frame above it, and come onto the sheet together: a browser copies a sheet that has changed as a whole.
import { Sheet } from "./sheet.js";

const printsMax = 600;
const freshMax = 48;
const alpha = 0.55;
/** The reach of a footprint around its place, in metres. */
const reach = 2;

export class PrintSheet {
  #bySeat = new Map();
  #fresh = [];
  #sheet = new Sheet();

  clear() {
    this.#bySeat.clear();
    this.#fresh = [];
    this.#sheet.forget();
  }

  /** Adds a footprint, turned into its seat's direction of walking: from `before`, else from the last footprint. */
  add(seat, colour, { x, y }, before) {
    if (!this.#bySeat.has(seat)) this.#bySeat.set(seat, { colour, prints: [] });
    const { prints } = this.#bySeat.get(seat);
    const last = prints.at(-1);
    const from = before ?? last;
    const heading = from ? Math.atan2(x - from.x, y - from.y) : null;
    if (last && last.heading === null) {
      last.heading = heading;
      this.#sheet.forget();
    }
    const print = { x, y, heading, isLeft: !last?.isLeft };
    prints.push(print);
    this.#fresh.push({ colour, print });
    if (prints.length > printsMax) prints.shift();
  }

  /** Adds those footprints of a seat that are not there yet: two of one seat lie 5 m apart or more. */
  merge(seat, colour, places) {
    const known = this.#bySeat.get(seat)?.prints.slice() ?? [];
    for (const place of places) {
      if (!known.some(({ x, y }) => Math.hypot(place.x - x, place.y - y) < 4)) this.add(seat, colour, place);
    }
  }

  draw(view) {
    if (this.#bySeat.size === 0) return;
    if (!this.#sheet.covers(view)) this.#drawAnew(view);
    if (this.#fresh.length > freshMax) this.#fresh = this.#fresh.filter(({ print }) => this.#sheet.has(print, reach));
    if (this.#fresh.length > freshMax) this.#drawFresh();
    this.#sheet.copy(view, alpha);
    if (this.#fresh.length > 0) this.#drawAbove(view);
  }

  /** Draws what is not on the sheet yet. */
  #drawAbove({ context, ratio, scale, x, y }) {
    context.save();
    context.setTransform(scale * ratio, 0, 0, -scale * ratio, x(0) * ratio, y(0) * ratio);
    context.globalAlpha = alpha;
    this.#fillFresh(context, scale * ratio);
    context.restore();
  }

  #drawAnew(view) {
    this.#sheet.begin(view);
    this.#fresh = [];
    const { context, scale } = this.#sheet;
    for (const { colour, prints } of this.#bySeat.values()) {
      context.fillStyle = colour;
      context.beginPath();
      for (const print of prints) if (this.#sheet.has(print, reach)) addFoot(context, print, scale);
      context.fill();
    }
  }

  #drawFresh() {
    const { context, scale } = this.#sheet;
    this.#fillFresh(context, scale);
    this.#fresh = [];
  }

  #fillFresh(context, scale) {
    for (const { colour, print } of this.#fresh) {
      if (!this.#sheet.has(print, reach)) continue;
      context.fillStyle = colour;
      context.beginPath();
      addFoot(context, print, scale);
      context.fill();
    }
  }
}

/** Adds a sole and a heel, alternately left and right of the path; from far away a dot. */
function addFoot(path, { x, y, heading, isLeft }, scale) {
  if (scale < 3) return path.rect(x - 0.6, y - 0.6, 1.2, 1.2);
  const side = isLeft ? -0.7 : 0.7;
  const along = { x: Math.sin(heading), y: Math.cos(heading) };
  const foot = { x: x + along.y * side, y: y - along.x * side };
  const sole = { x: foot.x + along.x * 0.5, y: foot.y + along.y * 0.5 };
  const heel = { x: foot.x - along.x * 0.75, y: foot.y - along.y * 0.75 };
  for (const [{ x: middleX, y: middleY }, across, length] of [[sole, 0.5, 0.85], [heel, 0.38, 0.4]]) {
    path.moveTo(middleX + across * Math.cos(heading), middleY - across * Math.sin(heading));
    path.ellipse(middleX, middleY, across, length, -heading, 0, 2 * Math.PI);
  }
}
