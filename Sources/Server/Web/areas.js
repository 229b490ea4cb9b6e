// The held ground: each holder's cells as one smooth, outlined area in the holder's colour and pattern. An area is traced
// again only when its cells have changed, and drawn on a sheet that each frame copies. New ground grows from where its path
// closed, above the sheet.
import { prefersStillness } from "./actors.js";
import { patternOf } from "./patterns.js";
import { Sheet } from "./sheet.js";

const growMs = 800;
const cornerCuts = 2;

export class Areas {
  #count = 0;
  #holders;
  #colourOf;
  #known = null;
  /** By seat: the outline in cells from the south-western corner, and its bounds. */
  #areas = new Map();
  #origins = new Map();
  #isStale = true;
  #sheet = new Sheet();
  /** The boxes, in cells, that the sheet has otherwise. */
  #repaints = [];

  constructor(count, holders, colourOf) {
    this.#count = count;
    this.#holders = holders;
    this.#colourOf = colourOf;
  }

  /** Notes that cells have changed. `origins` has the place, in cells, from which each seat's new ground grows. */
  changed(origins = new Map()) {
    this.#isStale = true;
    for (const [seat, origin] of origins) this.#origins.set(seat, origin);
  }

  /** Whether new ground is still growing. What has grown comes onto the sheet. */
  get isMoving() {
    const now = performance.now();
    let isMoving = false;
    for (const area of this.#areas.values()) {
      if (!area.growth) continue;
      isMoving = true;
      if (now < area.growth.begunAt + growMs) continue;
      this.#repaints.push(area.growth.box);
      area.growth = null;
    }
    return isMoving;
  }

  draw(view, arena) {
    if (this.#isStale) this.#trace();
    if (!this.#sheet.covers(view)) {
      this.#sheet.begin(view);
      this.#repaints = [{ west: 0, east: this.#count, south: 0, north: this.#count }];
    }
    for (const box of this.#repaints.splice(0)) this.#repaint(view, arena, box);
    this.#sheet.copy(view, 1);
    const growing = [...this.#areas].filter(([, { growth }]) => growth);
    if (growing.length === 0) return;
    const { context, ratio, scale } = view;
    const unit = scale * arena.cellM * ratio;
    context.save();
    context.setTransform(unit, 0, 0, -unit, view.x(arena.west) * ratio, view.y(arena.south) * ratio);
    for (const [seat, area] of growing) this.#drawGrowing(context, seat, area, unit / ratio);
    context.restore();
  }

  /** Draws a box of the sheet anew, without what grows just now. */
  #repaint(view, arena, box) {
    const { context } = this.#sheet;
    context.save();
    context.translate(arena.west, arena.south);
    context.scale(arena.cellM, arena.cellM);
    context.beginPath();
    context.rect(box.west, box.south, box.east - box.west, box.north - box.south);
    context.clip();
    context.clearRect(box.west, box.south, box.east - box.west, box.north - box.south);
    const unit = view.scale * arena.cellM;
    for (const [seat, area] of this.#areas) {
      const still = area.growth ? area.growth.before : area.path;
      if (still && meets(area.box, box)) this.#fill(context, seat, still, unit);
    }
    context.restore();
  }

  #drawGrowing(context, seat, { path, growth, box }, unit) {
    const share = Math.min(1, (performance.now() - growth.begunAt) / growMs);
    const reach = Math.hypot(box.east - box.west, box.north - box.south) + 1;
    // Fast at first, so that the ground answers at once.
    const radius = reach * (1 - (1 - share) ** 3);
    context.save();
    context.beginPath();
    context.arc(growth.origin.x, growth.origin.y, radius, 0, 2 * Math.PI);
    context.clip();
    this.#fill(context, seat, path, unit);
    context.restore();
  }

  #fill(context, seat, path, unit) {
    const colour = this.#colourOf(seat);
    context.globalAlpha = 0.3;
    context.fillStyle = colour;
    context.fill(path, "evenodd");
    const pattern = patternOf(context, seat, colour);
    if (pattern) {
      // The pattern keeps its size on the screen, and lies still on the ground.
      pattern.setTransform(new DOMMatrix([0.5 / unit, 0, 0, 0.5 / unit, 0, 0]));
      context.globalAlpha = 0.5;
      context.fillStyle = pattern;
      context.fill(path, "evenodd");
    }
    context.globalAlpha = 0.95;
    context.strokeStyle = colour;
    context.lineWidth = 2.5 / unit;
    context.lineJoin = "round";
    context.stroke(path);
    context.globalAlpha = 1;
  }

  /** Traces the areas of those who have won or lost cells. */
  #trace() {
    this.#isStale = false;
    const changes = { west: Infinity, east: -Infinity, south: Infinity, north: -Infinity };
    const boxes = new Map();
    const gained = new Set();
    const isFirst = this.#known === null;
    this.#known ??= new Int16Array(this.#holders.length).fill(-1);
    const stale = new Set();
    for (let cell = 0; cell < this.#holders.length; cell += 1) {
      const holder = this.#holders[cell];
      const before = this.#known[cell];
      if (holder !== before) {
        stale.add(holder).add(before);
        gained.add(holder);
        this.#known[cell] = holder;
        widen(changes, cell % this.#count, Math.floor(cell / this.#count));
      }
      if (holder >= 0) extend(boxes, holder, cell % this.#count, Math.floor(cell / this.#count));
    }
    if (stale.size === 0) return this.#origins.clear();
    this.#repaints.push(changes);
    for (const seat of stale) {
      if (seat < 0) continue;
      const box = boxes.get(seat);
      const before = this.#areas.get(seat)?.path ?? null;
      const origin = this.#origins.get(seat);
      if (!box) this.#areas.delete(seat);
      else {
        const path = outline(this.#holders, this.#count, seat, box);
        const grows = gained.has(seat) && origin && !isFirst && !prefersStillness();
        this.#areas.set(seat, { path, box, growth: grows ? { before, origin, box: changes, begunAt: performance.now() } : null });
      }
    }
    this.#origins.clear();
  }
}

/** Makes a box reach around a cell, as far as the cell changes outlines. */
function widen(box, x, y) {
  box.west = Math.min(box.west, x - 2);
  box.east = Math.max(box.east, x + 3);
  box.south = Math.min(box.south, y - 2);
  box.north = Math.max(box.north, y + 3);
}

function meets(a, b) {
  return a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north;
}

function extend(boxes, seat, x, y) {
  const box = boxes.get(seat);
  if (!box) return boxes.set(seat, { west: x, east: x + 1, south: y, north: y + 1 });
  box.west = Math.min(box.west, x);
  box.east = Math.max(box.east, x + 1);
  box.north = y + 1;
}

/**
 * The smooth outline of a seat's cells: the borders of the cells, walked from middle to middle of their sides, with the
 * corners cut. Two holders' areas meet on the same line.
 */
function outline(holders, count, seat, { west, east, south, north }) {
  const isOwn = (x, y) => x >= 0 && y >= 0 && x < count && y < count && holders[y * count + x] === seat;
  // Sides with the ground on their left, by the corner where they begin: at most two begin at one corner.
  const width = count + 1;
  const sides = new Map();
  const add = (fromX, fromY, toX, toY) => {
    const key = fromY * width + fromX;
    const side = { fromX, fromY, toX, toY };
    if (sides.has(key)) sides.get(key).push(side);
    else sides.set(key, [side]);
  };
  for (let y = south; y < north; y += 1) {
    for (let x = west; x < east; x += 1) {
      if (!isOwn(x, y)) continue;
      if (!isOwn(x, y - 1)) add(x, y, x + 1, y);
      if (!isOwn(x + 1, y)) add(x + 1, y, x + 1, y + 1);
      if (!isOwn(x, y + 1)) add(x + 1, y + 1, x, y + 1);
      if (!isOwn(x - 1, y)) add(x, y + 1, x, y);
    }
  }
  const path = new Path2D();
  for (const [key, begun] of sides) {
    while (begun.length > 0) {
      const ring = walk(sides, begun.pop(), width, key);
      draw(path, cut(straighten(ring), cornerCuts));
    }
  }
  return path;
}

/** The middles of the sides of one border. Where two cells touch by a corner, the border stays with its own cell. */
function walk(sides, first, width, beginning) {
  const ring = [];
  let side = first;
  for (;;) {
    ring.push({ x: (side.fromX + side.toX) / 2, y: (side.fromY + side.toY) / 2 });
    const corner = side.toY * width + side.toX;
    if (corner === beginning) return ring;
    const next = sides.get(corner);
    // To the left of the walked direction.
    const [leftX, leftY] = [side.toX - (side.toY - side.fromY), side.toY + (side.toX - side.fromX)];
    const left = next.findIndex(({ toX, toY }) => toX === leftX && toY === leftY);
    side = next.splice(Math.max(0, left), 1)[0];
  }
}

/** Leaves out the points between two others on one line. */
function straighten(ring) {
  return ring.filter((point, index) => {
    const before = ring.at(index - 1);
    const behind = ring[(index + 1) % ring.length];
    return (point.x - before.x) * (behind.y - point.y) !== (point.y - before.y) * (behind.x - point.x);
  });
}

/** Cuts the corners of a ring, each time at a quarter of its sides. Long sides are cut near the corner. */
function cut(ring, times) {
  if (times === 0) return ring;
  const rounded = ring.flatMap((point, index) => {
    const next = ring[(index + 1) % ring.length];
    const share = Math.min(0.25, 0.5 / Math.hypot(next.x - point.x, next.y - point.y));
    const between = (at) => ({ x: point.x + (next.x - point.x) * at, y: point.y + (next.y - point.y) * at });
    return [between(share), between(1 - share)];
  });
  return cut(rounded, times - 1);
}

function draw(path, ring) {
  ring.forEach(({ x, y }, index) => (index === 0 ? path.moveTo(x, y) : path.lineTo(x, y)));
  path.closePath();
}
