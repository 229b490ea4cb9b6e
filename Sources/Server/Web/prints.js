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
  #drawAbove({ context, ratio, scale, width, height, x, y }) {
    const above = [...this.#unturned.values(), ...this.#fresh.slice(-drawnMax)];
    if (above.length === 0) return;
    context.save();
    context.setTransform(scale * ratio, 0, 0, -scale * ratio, x(0) * ratio, y(0) * ratio);
    context.globalAlpha = alpha;
    const margin = reach * scale;
    const isSeen = (print) => {
      const [left, top] = [x(print.x), y(print.y)];
      return left > -margin && top > -margin && left < width + margin && top < height + margin;
    };
    fill(context, scale * ratio, above, isSeen);
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
    const mayGoOn = () => drawn < drawnMax && looked < lookedMax;
    while (this.#rest.length > 0 && mayGoOn()) {
      const { colour, prints } = this.#rest.at(-1);
      context.fillStyle = colour;
      context.beginPath();
      while (prints.length > 0 && mayGoOn()) {
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
    fill(context, scale, this.#fresh, (print) => this.#sheet.has(print, reach));
    this.#fresh = [];
  }
}

function fill(context, scale, prints, isSeen) {
  for (const { colour, print } of prints) {
    if (!isSeen(print)) continue;
    context.fillStyle = colour;
    context.beginPath();
    addFoot(context, print, scale);
    context.fill();
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
