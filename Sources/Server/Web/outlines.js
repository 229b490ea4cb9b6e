// The outlines of the held ground, traced some in each frame: rounds of work, each of which finds the cells that have
// changed, and then traces those who have won or lost some. A round traces a copy of the cells, so they may change meanwhile;
// what changes behind its search is the next round's. It draws nothing. Decisions: 161 (docs/decisions).

/** The most work of a frame, counted in cells that are looked at. */
const effortMax = 40_000;
/** A side of a border that is walked, and a corner that is rounded, take as long as so many cells. */
const sideEffort = 4;
const cornerEffort = 40;

/** East, north, west, south: the directions of the sides of a cell, walked with the cell on the left. */
const eastOf = [1, 0, -1, 0];
const northOf = [0, 1, 0, -1];

export class Outlines {
  #count;
  #holders;
  /** The cells as the present round traces them, and as the last one has. */
  #known;
  #isFirst = true;
  #isStale = true;
  #origins = new Map();
  #round = null;
  #left = 0;
  /** By seat: a box that has all of its cells. */
  #boxes = new Map();
  /** By cell: the last trace that walked its southern side. */
  #walked;
  #trace = 0;
  /** The border that is walked: the middles of its sides, and where it is now. */
  #xs = [];
  #ys = [];
  #length = 0;
  #at = { x: 0, y: 0, side: 0 };

  constructor(count, holders) {
    this.#count = count;
    this.#holders = holders;
    this.#known = new Int16Array(holders.length).fill(-1);
    this.#walked = new Uint32Array(holders.length);
  }

  /** Notes that cells have changed. `origins` has the place, in cells, from which each seat's new ground grows. */
  changed(origins) {
    this.#isStale = true;
    for (const [seat, origin] of origins) this.#origins.set(seat, origin);
  }

  /** Takes other cells for the same ground. */
  replace(holders) {
    this.#holders = holders;
    this.#isStale = true;
  }

  /** Whether there is work for another frame. */
  get isWaiting() {
    return this.#isStale || this.#round !== null;
  }

  /**
   * Does a frame's share. Returns a round that is complete, else null. It has the `areas` by seat, null for a seat without
   * cells; the boxes of the `changes` by the seat that has won the cells, or lost them to nobody; the `origins`.
   */
  goOn() {
    if (!this.isWaiting) return null;
    this.#round ??= this.#work();
    this.#left = effortMax;
    const { value, done } = this.#round.next();
    if (!done) return null;
    this.#round = null;
    return value;
  }

  /** A round; it yields where the share of a frame is used up. */
  *#work() {
    const round = { areas: new Map(), changes: new Map(), winners: new Set(), origins: this.#origins, isFirst: this.#isFirst };
    const stale = new Set();
    this.#isStale = this.#isFirst = false;
    this.#origins = new Map();
    for (let cell = 0; cell < this.#holders.length; cell += effortMax) {
      if (cell > 0) yield;
      this.#compare(cell, Math.min(this.#holders.length, cell + effortMax), round, stale);
    }
    // Cells that changed during the search may be in this round and in the next.
    for (const [seat, origin] of this.#origins) round.origins.set(seat, origin);
    for (const seat of stale) round.areas.set(seat, yield* this.#outline(seat));
    return round;
  }

  /** Takes changed cells over, and notes whose they are and were. */
  #compare(from, to, { changes, winners }, stale) {
    const count = this.#count;
    const holders = this.#holders;
    const known = this.#known;
    this.#left -= to - from;
    // Cells of one seat lie side by side: most are of the same two as the one before.
    let lastHolder = -1;
    let lastBefore = -1;
    let change = null;
    let box = null;
    for (let cell = from; cell < to; cell += 1) {
      const holder = holders[cell];
      const before = known[cell];
      if (holder === before) continue;
      known[cell] = holder;
      if (change === null || holder !== lastHolder || before !== lastBefore) {
        lastHolder = holder;
        lastBefore = before;
        if (holder >= 0) {
          stale.add(holder);
          winners.add(holder);
          box = boxOf(this.#boxes, holder);
        }
        if (before >= 0) stale.add(before);
        change = boxOf(changes, holder >= 0 ? holder : before);
      }
      const x = cell % count;
      const y = (cell - x) / count;
      // As far as a cell changes outlines.
      widen(change, x, y, 2);
      if (holder >= 0) widen(box, x, y, 0);
    }
  }

  /**
   * The smooth outline of a seat's cells: the borders of the cells, walked from middle to middle of their sides, with the
   * corners cut. Two holders' areas meet on the same line.
   */
  *#outline(seat) {
    const around = this.#boxes.get(seat);
    const exact = emptyBox();
    const path = new Path2D();
    let corners = 0;
    this.#trace += 1;
    for (let y = around.south; y < around.north; y += 1) {
      let x = around.west;
      while ((x = this.#findBorder(seat, x, y, around.east, exact)) >= 0) {
        this.#goTo(x, y, 0);
        this.#length = 0;
        while (!this.#walk(seat, x, y)) yield;
        this.#straighten();
        for (let corner = 0; corner < this.#length; corner += 1) {
          this.#drawCorner(path, corner);
          if ((this.#left -= cornerEffort) <= 0) yield;
        }
        path.closePath();
        corners += this.#length;
        x += 1;
      }
      if (this.#left <= 0) yield;
    }
    if (exact.west > exact.east) {
      this.#boxes.delete(seat);
      return null;
    }
    this.#boxes.set(seat, exact);
    return { path, box: exact, corners };
  }

  /** The next cell of a row whose southern side is a border that is not walked yet; -1 where there is none. */
  #findBorder(seat, from, y, east, exact) {
    const count = this.#count;
    const known = this.#known;
    for (let x = from; x < east; x += 1) {
      const cell = y * count + x;
      if (known[cell] !== seat) continue;
      widen(exact, x, y, 0);
      if (this.#walked[cell] === this.#trace || (y > 0 && known[cell - count] === seat)) continue;
      this.#left -= x + 1 - from;
      return x;
    }
    this.#left -= east - from;
    return -1;
  }

  /** Walks on along a border. True when it is around. Where two cells touch by a corner, the border stays with its own cell. */
  #walk(seat, firstX, firstY) {
    const at = this.#at;
    do {
      const { x, y, side } = at;
      if (side === 0) this.#walked[y * this.#count + x] = this.#trace;
      this.#xs[this.#length] = x + 0.5 + northOf[side] / 2;
      this.#ys[this.#length] = y + 0.5 - eastOf[side] / 2;
      this.#length += 1;
      const aheadX = x + eastOf[side];
      const aheadY = y + northOf[side];
      // To the right of the walked direction.
      const rightX = aheadX + northOf[side];
      const rightY = aheadY - eastOf[side];
      if (!this.#isOf(seat, aheadX, aheadY)) at.side = (side + 1) % 4;
      else if (!this.#isOf(seat, rightX, rightY)) this.#goTo(aheadX, aheadY, side);
      else this.#goTo(rightX, rightY, (side + 3) % 4);
      if (at.x === firstX && at.y === firstY && at.side === 0) return true;
    } while ((this.#left -= sideEffort) > 0);
    return false;
  }

  #goTo(x, y, side) {
    this.#at.x = x;
    this.#at.y = y;
    this.#at.side = side;
  }

  #isOf(seat, x, y) {
    const count = this.#count;
    return x >= 0 && y >= 0 && x < count && y < count && this.#known[y * count + x] === seat;
  }

  /** Leaves out the points between two others on one line. */
  #straighten() {
    const xs = this.#xs;
    const ys = this.#ys;
    const length = this.#length;
    const firstX = xs[0];
    const firstY = ys[0];
    let beforeX = xs[length - 1];
    let beforeY = ys[length - 1];
    let kept = 0;
    for (let index = 0; index < length; index += 1) {
      const x = xs[index];
      const y = ys[index];
      const nextX = index + 1 < length ? xs[index + 1] : firstX;
      const nextY = index + 1 < length ? ys[index + 1] : firstY;
      if ((x - beforeX) * (nextY - y) !== (y - beforeY) * (nextX - x)) {
        xs[kept] = x;
        ys[kept] = y;
        kept += 1;
      }
      beforeX = x;
      beforeY = y;
    }
    this.#length = kept;
  }

  /** Draws the side behind a point and the corner at its end: two sides with cut corners, whose corners are cut again. */
  #drawCorner(path, index) {
    const xs = this.#xs;
    const ys = this.#ys;
    const end = (index + 1) % this.#length;
    const behind = (index + 2) % this.#length;
    const acrossX = xs[end] - xs[index];
    const acrossY = ys[end] - ys[index];
    const share = cutOf(acrossX, acrossY);
    const onX = xs[behind] - xs[end];
    const onY = ys[behind] - ys[end];
    const onShare = cutOf(onX, onY);
    const toX = xs[end] - acrossX * share;
    const toY = ys[end] - acrossY * share;
    drawCut(path, xs[index] + acrossX * share, ys[index] + acrossY * share, toX, toY, index === 0);
    drawCut(path, toX, toY, xs[end] + onX * onShare, ys[end] + onY * onShare, false);
  }
}

/** The share of a side at which its corners are cut: at a quarter, and near the corner of a long side. */
function cutOf(x, y) {
  return Math.min(0.25, 0.5 / Math.hypot(x, y));
}

function drawCut(path, x, y, endX, endY, isFirst) {
  const share = cutOf(endX - x, endY - y);
  const acrossX = (endX - x) * share;
  const acrossY = (endY - y) * share;
  if (isFirst) path.moveTo(x + acrossX, y + acrossY);
  else path.lineTo(x + acrossX, y + acrossY);
  path.lineTo(endX - acrossX, endY - acrossY);
}

function emptyBox() {
  return { west: Infinity, east: -Infinity, south: Infinity, north: -Infinity };
}

function boxOf(boxes, seat) {
  if (!boxes.has(seat)) boxes.set(seat, emptyBox());
  return boxes.get(seat);
}

/** Makes a box reach around a cell, and so many cells further. */
function widen(box, x, y, further) {
  if (x - further < box.west) box.west = x - further;
  if (x + 1 + further > box.east) box.east = x + 1 + further;
  if (y - further < box.south) box.south = y - further;
  if (y + 1 + further > box.north) box.north = y + 1 + further;
}
