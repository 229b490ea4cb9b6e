// A picture of a layer of the ground, larger than the canvas. What seldom changes is drawn on it once, and each frame
// copies it. It is drawn again when the view leaves it or the scale changes.

const margin = 0.3;

export class Sheet {
  #picture = document.createElement("canvas");
  #frame = null;

  /** The next frame needs it anew. */
  forget() {
    this.#frame = null;
  }

  get isDrawn() {
    return this.#frame !== null;
  }

  /** Whether it has all that a view shows, and a share of the view beyond each edge. */
  covers({ centre, width, height, scale, ratio }, ahead = 0) {
    if (!this.#frame) return false;
    const { west, north, scale: drawn } = this.#frame;
    const east = west + this.#picture.width / drawn;
    const south = north - this.#picture.height / drawn;
    const [across, along] = [(width / scale) * (0.5 + ahead), (height / scale) * (0.5 + ahead)];
    const isInside =
      centre.x - across >= west && centre.x + across <= east && centre.y + along <= north && centre.y - along >= south;
    return drawn === scale * ratio && isInside;
  }

  /** Begins an empty sheet around a view. */
  begin({ centre, width, height, scale, ratio }) {
    const across = Math.ceil(width * ratio * (1 + 2 * margin));
    const along = Math.ceil(height * ratio * (1 + 2 * margin));
    const context = this.#picture.getContext("2d");
    if (this.#picture.width !== across || this.#picture.height !== along) {
      this.#picture.width = across;
      this.#picture.height = along;
    } else {
      // Another size needs other memory, which is collected some time; the same size is only emptied.
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, across, along);
    }
    this.#frame = {
      west: centre.x - (width / scale) * (0.5 + margin),
      north: centre.y + (height / scale) * (0.5 + margin),
      scale: scale * ratio,
    };
  }

  /** Its context, in metres, and its pixels a metre. */
  get context() {
    const context = this.#picture.getContext("2d");
    const { west, north, scale } = this.#frame;
    context.setTransform(scale, 0, 0, -scale, -west * scale, north * scale);
    return context;
  }

  get scale() {
    return this.#frame.scale;
  }

  /** Whether something of a size in metres around a point is on it. */
  has({ x, y }, size) {
    const { west, north, scale } = this.#frame;
    const right = (x - west) * scale;
    const down = (north - y) * scale;
    const reach = size * scale;
    return right > -reach && down > -reach && right < this.#picture.width + reach && down < this.#picture.height + reach;
  }

  /** Whether a box in cells of an arena is on it, or beside it by no more than a line's width. */
  meets(box, { west: left, south: bottom, cellM }) {
    const { west, north, scale } = this.#frame;
    const [east, south] = [west + this.#picture.width / scale, north - this.#picture.height / scale];
    const isBeside = left + (box.east + 1) * cellM < west || left + (box.west - 1) * cellM > east;
    return !isBeside && bottom + (box.north + 1) * cellM >= south && bottom + (box.south - 1) * cellM <= north;
  }

  /** Draws it where it lies in a view, at the view's scale. */
  copy({ context, ratio, centre, width, height, scale: shown }, alpha) {
    const { west, north, scale: drawn } = this.#frame;
    const scale = shown * ratio;
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = alpha;
    const left = (centre.x - west) * scale - (width * ratio) / 2;
    const top = (north - centre.y) * scale - (height * ratio) / 2;
    const [x, y] = [-Math.round(left), -Math.round(top)];
    // On whole pixels it is copied; at another scale it would be resampled.
    if (drawn === scale) context.drawImage(this.#picture, x, y);
    else context.drawImage(this.#picture, x, y, (this.#picture.width * scale) / drawn, (this.#picture.height * scale) / drawn);
    context.restore();
  }
}
