// Footprints, on a sheet that is larger than the canvas. Thousands of them are drawn once on the sheet, and each frame
// copies the sheet. It is drawn again when the view leaves it or the scale changes.

const printsMax = 600;
const margin = 0.3;

export class PrintSheet {
  #bySeat = new Map();
  #fresh = [];
  #sheet = document.createElement("canvas");
  #frame = null;

  clear() {
    this.#bySeat.clear();
    this.#fresh = [];
    this.#frame = null;
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
      this.#frame = null;
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
    if (!this.#frame || !this.#covers(view)) this.#drawAnew(view);
    else this.#drawFresh();
    const { context, ratio } = view;
    const { west, north, scale } = this.#frame;
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 0.55;
    const left = (view.centre.x - west) * scale - (view.width * ratio) / 2;
    const top = (north - view.centre.y) * scale - (view.height * ratio) / 2;
    context.drawImage(this.#sheet, -Math.round(left), -Math.round(top));
    context.restore();
  }

  #covers({ centre, width, height, scale, ratio }) {
    const { west, north, scale: drawn } = this.#frame;
    const east = west + this.#sheet.width / drawn;
    const south = north - this.#sheet.height / drawn;
    const isInside =
      centre.x - width / 2 / scale >= west &&
      centre.x + width / 2 / scale <= east &&
      centre.y + height / 2 / scale <= north &&
      centre.y - height / 2 / scale >= south;
    return drawn === scale * ratio && isInside;
  }

  #drawAnew({ centre, width, height, scale, ratio }) {
    this.#sheet.width = Math.ceil(width * ratio * (1 + 2 * margin));
    this.#sheet.height = Math.ceil(height * ratio * (1 + 2 * margin));
    this.#frame = {
      west: centre.x - (width / scale) * (0.5 + margin),
      north: centre.y + (height / scale) * (0.5 + margin),
      scale: scale * ratio,
    };
    this.#fresh = [];
    for (const { colour, prints } of this.#bySeat.values()) this.#fill(colour, prints);
  }

  #drawFresh() {
    for (const { colour, print } of this.#fresh) this.#fill(colour, [print]);
    this.#fresh = [];
  }

  #fill(colour, prints) {
    const context = this.#sheet.getContext("2d");
    const { west, north, scale } = this.#frame;
    context.setTransform(scale, 0, 0, -scale, -west * scale, north * scale);
    context.fillStyle = colour;
    const path = new Path2D();
    for (const print of prints) addFoot(path, print, scale);
    context.fill(path);
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
