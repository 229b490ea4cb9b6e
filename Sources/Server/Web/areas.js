// The held ground: each holder's cells as one smooth, outlined area in the holder's colour and pattern. Areas lie on a sheet
// that each frame copies. A frame traces and draws a bounded part of what has changed; what is shown stays until the next is
// ready. New ground grows from where its path closed, above the sheet. Decisions: 161 (docs/decisions).
import { prefersStillness } from "./actors.js";
import { Outlines } from "./outlines.js";
import { patternOf } from "./patterns.js";
import { Sheet } from "./sheet.js";

const growMs = 800;
/** The most areas that grow at a time. More come without growth. */
const growingMax = 8;
/** The most areas that a frame draws onto the next sheet, and the most that it draws anew on the shown one. */
const drawnMax = 8;
/** With more changed boxes than this the next sheet has all areas sooner. */
const boxesMax = 12;
/** The most corners of their outlines, unless a single area has more. */
const cornersMax = 1_000;
/** The next sheet is begun before the view leaves the shown one: with this share of the view left. */
const ahead = 0.15;

/** The areas of an arena's cells: the known ones where they are of the same arena, which stay until all is traced anew. */
export function areasOf(known, arena, cells, colourOf) {
  const place = ["west", "south", "cells", "cellM"].map((key) => arena?.[key]).join(" ");
  if (known?.place !== place) return Object.assign(new Areas(Math.sqrt(cells.length), cells, colourOf), { place });
  known.replace(cells);
  return known;
}

export class Areas {
  /** The arena's place and size. */
  place = "";
  #colourOf;
  #outlines;
  /** By seat: the outline in cells from the south-western corner, its bounds, and how it grows. */
  #areas = new Map();
  #growing = [];
  #sheet = new Sheet();
  #next = new Sheet();
  /** The areas that the next sheet still needs; null where no next sheet is drawn. */
  #rest = null;
  /** The boxes, in cells, that the shown sheet has otherwise, and those that changed since the next one was begun. */
  #repaints = [];
  #missed = [];

  constructor(count, holders, colourOf) {
    this.#colourOf = colourOf;
    this.#outlines = new Outlines(count, holders);
  }

  /** Notes that cells have changed. `origins` has the place, in cells, from which each seat's new ground grows. */
  changed(origins = new Map()) {
    this.#outlines.changed(origins);
  }

  /** Takes other cells for the same ground. */
  replace(holders) {
    this.#outlines.replace(holders);
  }

  /** Whether there is work for another frame. */
  get isWaiting() {
    return this.#outlines.isWaiting || this.#rest !== null || this.#repaints.length > 0;
  }

  /** Whether new ground is still growing, or there is work left. */
  get isMoving() {
    return this.#growing.length > 0 || this.isWaiting;
  }

  /** Does a frame's share of the work, and draws what is ready. */
  draw(view, arena) {
    this.#endGrowth();
    const round = this.#outlines.goOn();
    if (round) this.#take(round);
    if (!this.#rest && !this.#sheet.covers(view, ahead)) this.#begin(view);
    if (this.#repaints.length > 0) this.#repaint(view, arena);
    if (this.#rest) this.#drawNext(view, arena);
    if (this.#sheet.isDrawn) this.#sheet.copy(view, 1);
    if (this.#growing.length > 0) this.#drawGrowing(view, arena);
  }

  /** Draws all of it at once: for a picture, not for a frame. */
  drawWhole(view, arena) {
    do {
      this.draw(view, arena);
    } while (this.isWaiting);
  }

  /** Takes what a round has traced. */
  #take({ areas, changes, winners, origins, isFirst }) {
    const now = performance.now();
    for (const [seat, area] of areas) {
      const known = this.#areas.get(seat);
      if (known?.growth) this.#stopGrowing(known);
      if (!area) {
        this.#areas.delete(seat);
        continue;
      }
      const origin = origins.get(seat);
      const grows = origin && winners.has(seat) && !isFirst && !prefersStillness() && this.#mayGrow(area);
      const growth = grows ? { before: known ?? null, origin, box: changes.get(seat), begunAt: now } : null;
      const taken = { ...area, seat, colour: this.#colourOf(seat), pattern: undefined, growth };
      if (growth) this.#growing.push(taken);
      this.#areas.set(seat, taken);
    }
    for (const box of changes.values()) this.#change(box);
  }

  #mayGrow({ corners }) {
    for (const area of this.#growing) corners += area.corners;
    return this.#growing.length < growingMax && corners <= cornersMax;
  }

  #endGrowth() {
    const now = performance.now();
    for (let index = this.#growing.length - 1; index >= 0; index -= 1) {
      const area = this.#growing[index];
      if (now >= area.growth.begunAt + growMs) this.#stopGrowing(area);
    }
  }

  /** Grown ground comes onto the sheet. */
  #stopGrowing(area) {
    this.#growing.splice(this.#growing.indexOf(area), 1);
    this.#change(area.growth.box);
    area.growth = null;
  }

  #change(box) {
    this.#repaints.push(box);
    if (this.#rest) this.#missed.push(box);
  }

  #begin(view) {
    this.#next.begin(view);
    this.#repaints.length = this.#missed.length = 0;
    this.#rest = [];
    // Growing ground is drawn above the sheet.
    for (const area of this.#areas.values()) {
      const still = area.growth ? area.growth.before : area;
      if (still) this.#rest.push(still);
    }
  }

  /** Goes on with the next sheet, and shows it when it has everything. */
  #drawNext({ ratio }, arena) {
    const context = this.#next.context;
    const unit = (this.#next.scale / ratio) * arena.cellM;
    beginCells(context, arena);
    for (let drawn = 0, corners = 0; this.#rest.length > 0; ) {
      const area = this.#rest.at(-1);
      if (this.#next.meets(area.box, arena)) {
        if (drawn === drawnMax || (drawn > 0 && corners + area.corners > cornersMax)) return context.restore();
        fill(context, area, unit);
        drawn += 1;
        corners += area.corners;
      }
      this.#rest.pop();
    }
    context.restore();
    [this.#sheet, this.#next] = [this.#next, this.#sheet];
    this.#rest = null;
    this.#repaints.push(...this.#missed.splice(0));
  }

  /** Draws boxes of the shown sheet anew, as many as a frame may. A box with too many areas needs another sheet. */
  #repaint(view, arena) {
    const isMuch = !this.#sheet.isDrawn || this.#repaints.length > boxesMax;
    for (let drawn = 0, corners = 0; !isMuch && this.#repaints.length > 0; ) {
      const box = this.#repaints[0];
      const need = this.#needOf(box);
      if (need.drawn > drawnMax || need.corners > cornersMax) break;
      drawn += need.drawn;
      corners += need.corners;
      if (drawn > drawnMax || corners > cornersMax) return;
      this.#repaints.shift();
      this.#repaintBox(view, arena, box);
    }
    if (this.#repaints.length === 0) return;
    if (!this.#rest) this.#begin(view);
    else this.#repaints.length = 0;
  }

  /** The areas on a box of the shown sheet, and their corners. */
  #needOf(box) {
    const need = { drawn: 0, corners: 0 };
    for (const area of this.#areas.values()) {
      const still = area.growth ? area.growth.before : area;
      if (!still || !isMet(still.box, box)) continue;
      need.drawn += 1;
      need.corners += still.corners;
    }
    return need;
  }

  /** Draws a box of the shown sheet anew, without what grows just now. */
  #repaintBox({ ratio }, arena, box) {
    const context = this.#sheet.context;
    const [width, height] = [box.east - box.west, box.north - box.south];
    beginCells(context, arena);
    context.beginPath();
    context.rect(box.west, box.south, width, height);
    context.clip();
    context.clearRect(box.west, box.south, width, height);
    const unit = (this.#sheet.scale / ratio) * arena.cellM;
    for (const area of this.#areas.values()) {
      const still = area.growth ? area.growth.before : area;
      if (still && isMet(still.box, box)) fill(context, still, unit);
    }
    context.restore();
  }

  /** New ground within a circle around its origin, above the sheet. */
  #drawGrowing(view, arena) {
    const { context, ratio, scale } = view;
    const now = performance.now();
    const unit = scale * arena.cellM;
    context.save();
    context.setTransform(unit * ratio, 0, 0, -unit * ratio, view.x(arena.west) * ratio, view.y(arena.south) * ratio);
    for (const area of this.#growing) {
      const { origin, begunAt } = area.growth;
      const { west, east, south, north } = area.box;
      const left = 1 - Math.min(1, (now - begunAt) / growMs);
      // Fast at first, so that the ground answers at once.
      const radius = (Math.hypot(east - west, north - south) + 1) * (1 - left ** 3);
      context.save();
      context.beginPath();
      context.arc(origin.x, origin.y, radius, 0, 2 * Math.PI);
      context.clip();
      fill(context, area, unit);
      context.restore();
    }
    context.restore();
  }
}

/** Lets a context count in cells from the arena's south-western corner. */
function beginCells(context, { west, south, cellM }) {
  context.save();
  context.translate(west, south);
  context.scale(cellM, cellM);
}

/** Fills an area. `unit` is the length of a cell's side in pixels of the page. */
function fill(context, area, unit) {
  const { path, colour } = area;
  if (area.pattern === undefined) area.pattern = patternOf(context, area.seat, colour);
  context.globalAlpha = 0.3;
  context.fillStyle = colour;
  context.fill(path, "evenodd");
  if (area.pattern) {
    area.pattern.setTransform(patternMatrix(unit));
    context.globalAlpha = 0.5;
    context.fillStyle = area.pattern;
    context.fill(path, "evenodd");
  }
  context.globalAlpha = 0.95;
  context.strokeStyle = colour;
  context.lineWidth = 2.5 / unit;
  context.lineJoin = "round";
  context.stroke(path);
  context.globalAlpha = 1;
}

let matrix = new DOMMatrix();

/** The pattern keeps its size on the screen, and lies still on the ground. Scales change seldom. */
function patternMatrix(unit) {
  if (matrix.a !== 0.5 / unit) matrix = new DOMMatrix([0.5 / unit, 0, 0, 0.5 / unit, 0, 0]);
  return matrix;
}

function isMet(a, b) {
  return a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north;
}
