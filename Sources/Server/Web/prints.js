// Footprints, on a sheet: thousands of them are drawn once, and each frame copies the sheet. The newest are drawn by each
// frame above it, and come onto the sheet together: a browser copies a sheet that has changed as a whole. Another view needs
// another sheet. It is drawn beside the shown one, some footprints in each frame, so that no frame is long.
// Decisions: 161 (docs/decisions).
import { Sheet } from "./sheet.js";

const printsMax = 600;
const freshMax = 48;
/** The most footprints that a frame draws onto the next sheet, and the most above the shown one. */
const drawnMax = 150;
/** The most that a frame looks at, for many lie outside the sheet. */
const lookedMax = 4_000;
const alpha = 0.55;
/** The reach of a footprint around its place, in metres. */
const reach = 2;
/** The next sheet is begun before the view leaves the shown one: with this share of the view left. */
const ahead = 0.15;

export class PrintSheet {
  #bySeat = new Map();
  /** Those that are not on the shown sheet yet. */
  #fresh = [];
  /** By seat: the first one, whose direction the second tells. */
  #unturned = new Map();
  #sheet = new Sheet();
  #next = new Sheet();
  /** What the next sheet still needs: groups of one colour; null where no next sheet is drawn. */
  #rest = null;

  clear() {
    this.#bySeat.clear();
    this.#unturned.clear();
    this.#fresh = [];
    this.#rest = null;
    this.#sheet.forget();
  }

  /** Whether another frame goes on with the next sheet. */
  get isWaiting() {
    return this.#rest !== null;
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
      this.#unturned.delete(seat);
      this.#put(colour, last);
    }
    const print = { x, y, heading, isLeft: !last?.isLeft };
    prints.push(print);
    if (heading === null) this.#unturned.set(seat, { colour, print });
    else this.#put(colour, print);
    if (prints.length > printsMax) prints.shift();
  }

  #put(colour, print) {
    this.#fresh.push({ colour, print });
    this.#rest?.push({ colour, prints: [print] });
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
    const isTooMuch = this.#fresh.length > drawnMax;
    if (!this.#rest && (isTooMuch || !this.#sheet.covers(view, ahead))) this.#begin(view);
    if (this.#rest) this.#drawNext();
    else if (this.#fresh.length > freshMax) this.#drawFresh();
    if (this.#sheet.isDrawn) this.#sheet.copy(view, alpha);
    this.#drawAbove(view);
  }

  /** Draws what is not on the sheet. */
  #drawAbove(view) {
    const fresh = this.#fresh;
    if (this.#unturned.size + fresh.length === 0) return;
    const { context, ratio, scale } = view;
    context.save();
    context.setTransform(scale * ratio, 0, 0, -scale * ratio, view.x(0) * ratio, view.y(0) * ratio);
    context.globalAlpha = alpha;
    for (const { colour, print } of this.#unturned.values()) if (isSeen(view, print)) fill(context, scale * ratio, colour, print);
    for (let index = Math.max(0, fresh.length - drawnMax); index < fresh.length; index += 1) {
      const { colour, print } = fresh[index];
      if (isSeen(view, print)) fill(context, scale * ratio, colour, print);
    }
    context.restore();
  }

  #begin(view) {
    this.#next.begin(view);
    this.#fresh = [];
    this.#rest = [...this.#bySeat.values()].map(({ colour, prints }) => ({ colour, prints: prints.slice() }));
  }

  /** Goes on with the next sheet, and shows it when it has everything. */
  #drawNext() {
    const { context, scale } = this.#next;
    let [drawn, looked] = [0, 0];
    while (this.#rest.length > 0 && drawn < drawnMax && looked < lookedMax) {
      const { colour, prints } = this.#rest.at(-1);
      context.fillStyle = colour;
      context.beginPath();
      while (prints.length > 0 && drawn < drawnMax && looked < lookedMax) {
        const print = prints.pop();
        looked += 1;
        if (print.heading === null || !this.#next.has(print, reach)) continue;
        addFoot(context, print, scale);
        drawn += 1;
      }
      context.fill();
      if (prints.length === 0) this.#rest.pop();
    }
    if (this.#rest.length > 0) return;
    [this.#sheet, this.#next] = [this.#next, this.#sheet];
    this.#rest = null;
    this.#fresh = [];
  }

  #drawFresh() {
    const { context, scale } = this.#sheet;
    for (const { colour, print } of this.#fresh) if (this.#sheet.has(print, reach)) fill(context, scale, colour, print);
    this.#fresh = [];
  }
}

function isSeen(view, print) {
  const margin = reach * view.scale;
  const left = view.x(print.x);
  const top = view.y(print.y);
  return left > -margin && top > -margin && left < view.width + margin && top < view.height + margin;
}

function fill(context, scale, colour, print) {
  context.fillStyle = colour;
  context.beginPath();
  addFoot(context, print, scale);
  context.fill();
}

/** Adds a sole and a heel, alternately left and right of the path; from far away a dot. */
function addFoot(path, { x, y, heading, isLeft }, scale) {
  if (scale < 3) return path.rect(x - 0.6, y - 0.6, 1.2, 1.2);
  const side = isLeft ? -0.7 : 0.7;
  const alongX = Math.sin(heading);
  const alongY = Math.cos(heading);
  const footX = x + alongY * side;
  const footY = y - alongX * side;
  addOval(path, footX + alongX * 0.5, footY + alongY * 0.5, 0.5, 0.85, heading);
  addOval(path, footX - alongX * 0.75, footY - alongY * 0.75, 0.38, 0.4, heading);
}

function addOval(path, x, y, across, length, heading) {
  path.moveTo(x + across * Math.cos(heading), y - across * Math.sin(heading));
  path.ellipse(x, y, across, length, -heading, 0, 2 * Math.PI);
}
