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

  /** Whether it has all that a view shows. */
  covers({ centre, width, height, scale, ratio }) {
    if (!this.#frame) return false;
    const { west, north, scale: drawn } = this.#frame;
    const east = west + this.#picture.width / drawn;
    const south = north - this.#picture.height / drawn;
    const isInside =
      centre.x - width / 2 / scale >= west &&
      centre.x + width / 2 / scale <= east &&
      centre.y + height / 2 / scale <= north &&
      centre.y - height / 2 / scale >= south;
    return drawn === scale * ratio && isInside;
  }

  /** Begins an empty sheet around a view. */
  begin({ centre, width, height, scale, ratio }) {
    this.#picture.width = Math.ceil(width * ratio * (1 + 2 * margin));
    this.#picture.height = Math.ceil(height * ratio * (1 + 2 * margin));
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

  copy({ context, ratio, centre, width, height }, alpha) {
    const { west, north, scale } = this.#frame;
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = alpha;
    const left = (centre.x - west) * scale - (width * ratio) / 2;
    const top = (north - centre.y) * scale - (height * ratio) / 2;
    context.drawImage(this.#picture, -Math.round(left), -Math.round(top));
    context.restore();
  }
}
