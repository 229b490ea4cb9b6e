// The drawing of a draft on the console's map, and its pointer and keys: a press adds a corner or chooses one, a drag
// moves it, arrows move the chosen one. The map itself goes on with every other press and key.

const handleRadius = 7;
/** A press so near to a handle is on it, pixels. */
const reach = matchMedia("(pointer: coarse)").matches ? 24 : 14;
const middleRadius = 4;
/** The pixels of an arrow, and with Shift. */
const [step, longStep] = [4, 40];

export class DraftLayer {
  #map;
  #frame;
  #changed;
  #draft = null;
  #view = null;
  #drag = null;

  /** `changed()` is called when the operator has changed or chosen something. */
  constructor(map, frame, canvas, changed) {
    this.#map = map;
    this.#frame = frame;
    this.#changed = changed;
    // Before the map's own listeners, which would pan.
    frame.addEventListener("pointerdown", (event) => this.#press(event, canvas), { capture: true });
    frame.addEventListener("pointermove", (event) => this.#move(event, canvas), { capture: true });
    for (const name of ["pointerup", "pointercancel"]) frame.addEventListener(name, (event) => this.#release(event), { capture: true });
  }

  get isOn() {
    return this.#draft !== null;
  }

  /** Draws a draft from now on; null for none. */
  set draft(draft) {
    this.#draft = draft;
    this.#drag = null;
    this.#map.redraw();
  }

  draw(view) {
    this.#view = view;
    if (!this.#draft) return;
    const { context, colours } = view;
    if (this.#draft.before) this.#trace(view, this.#draft.before.radiusMm === undefined ? ringOf(this.#draft.before) : circleOf(this.#draft.before), colours.soft, [5, 5]);
    const points = this.#draft.handles.map((place) => pointOf(view, place));
    context.save();
    context.lineWidth = 2.5;
    context.strokeStyle = colours.accent;
    context.fillStyle = colours.accent;
    context.beginPath();
    if (this.#draft.isCircle && points.length > 0) {
      const across = points[1].x - points[0].x;
      const along = this.#draft.radiusM * view.scale;
      context.ellipse(points[0].x, points[0].y, Math.abs(across), along, 0, 0, 2 * Math.PI);
    } else {
      for (const { x, y } of points) context.lineTo(x, y);
      if (points.length > 2) context.closePath();
    }
    context.globalAlpha = 0.16;
    context.fill();
    context.globalAlpha = 1;
    context.stroke();
    for (const { x, y } of this.#middles(points)) disc(context, x, y, middleRadius, colours.paper, colours.accent);
    points.forEach(({ x, y }, at) => {
      const isChosen = at === this.#draft.chosen;
      disc(context, x, y, isChosen ? handleRadius + 2 : handleRadius, isChosen ? colours.accent : colours.paper, colours.accent);
      if (this.#draft.isCircle) return;
      context.fillStyle = isChosen ? colours["accent-ink"] : colours.ink;
      context.font = "650 9px system-ui, sans-serif";
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillText(`${at}`, x, y + 0.5);
    });
    this.#drawCross(view);
    context.restore();
  }

  /** The middle of the map, where Enter adds a corner; shown while the map has the focus. */
  #drawCross({ context, width, height, colours }) {
    if (!this.#frame.contains(document.activeElement)) return;
    const [x, y] = [width / 2, height / 2];
    context.strokeStyle = colours.ink;
    context.lineWidth = 1;
    context.beginPath();
    for (const [dx, dy] of [[9, 0], [0, 9]]) {
      context.moveTo(x - dx, y - dy);
      context.lineTo(x + dx, y + dy);
    }
    context.stroke();
  }

  #trace(view, places, colour, dashes) {
    const { context } = view;
    context.save();
    context.setLineDash(dashes);
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.beginPath();
    for (const place of places) {
      const { x, y } = pointOf(view, place);
      context.lineTo(x, y);
    }
    context.closePath();
    context.stroke();
    context.restore();
  }

  #middles(points) {
    if (this.#draft.isCircle || points.length < 3) return [];
    return points.map(({ x, y }, at) => {
      const next = points[(at + 1) % points.length];
      return { x: (x + next.x) / 2, y: (y + next.y) / 2 };
    });
  }

  /** The handle or the middle of a side at a point; null for none. */
  #at(point) {
    const points = this.#draft.handles.map((place) => pointOf(this.#view, place));
    const near = (all) => {
      const distances = all.map(({ x, y }) => Math.hypot(x - point.x, y - point.y));
      const least = Math.min(...distances);
      return least <= reach ? distances.lastIndexOf(least) : -1;
    };
    // A circle's edge lies above its centre where both are near.
    const handle = near(points);
    if (handle >= 0) return { handle };
    const side = near(this.#middles(points));
    return side >= 0 ? { side } : null;
  }

  #press(event, canvas) {
    if (!this.#draft || !this.#view || event.target !== canvas || event.button !== 0) return;
    const point = { x: event.offsetX, y: event.offsetY };
    const hit = this.#at(point);
    if (!hit) return;
    event.stopPropagation();
    event.preventDefault();
    canvas.focus();
    canvas.setPointerCapture(event.pointerId);
    if (hit.side !== undefined) this.#draft.insert(hit.side, this.#view.place(point));
    else this.#draft.chosen = hit.handle;
    this.#drag = { id: event.pointerId, hasMoved: hit.side !== undefined };
    this.#tell();
  }

  #move(event, canvas) {
    if (this.#drag?.id !== event.pointerId || event.target !== canvas) return;
    event.stopPropagation();
    this.#draft.move(this.#draft.chosen, this.#view.place({ x: event.offsetX, y: event.offsetY }), !this.#drag.hasMoved);
    this.#drag.hasMoved = true;
    this.#tell();
  }

  #release(event) {
    if (this.#drag?.id !== event.pointerId) return;
    event.stopPropagation();
    this.#drag = null;
    this.#tell();
  }

  /** A press on the map beside all handles. */
  tap(place) {
    this.#draft.add(place);
    this.#tell();
  }

  /** Takes a key of the map; true if it was the draft's. */
  takeKey(event) {
    if (!this.#draft || event.ctrlKey && event.key !== "z" || event.metaKey || event.altKey) return false;
    const far = event.shiftKey ? longStep : step;
    const way = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far] }[event.key];
    const { chosen } = this.#draft;
    if (way && chosen !== null) {
      const { x, y } = pointOf(this.#view, this.#draft.handles[chosen]);
      this.#draft.move(chosen, this.#view.place({ x: x + way[0], y: y + way[1] }));
    } else if (event.key === "Enter") {
      this.#draft.add(this.#view.place({ x: this.#view.width / 2, y: this.#view.height / 2 }));
    } else if (event.key === "," || event.key === "<") this.#draft.step(-1);
    else if (event.key === "." || event.key === ">") this.#draft.step(1);
    else if ((event.key === "Delete" || event.key === "Backspace") && chosen !== null) this.#draft.remove(chosen);
    else if (event.key === "z" && event.ctrlKey) this.#draft.undo();
    else if (event.key === "Escape" && chosen !== null) this.#draft.chosen = null;
    else return false;
    event.preventDefault();
    this.#tell();
    return true;
  }

  #tell() {
    this.#map.redraw();
    this.#changed();
  }
}

function pointOf(view, place) {
  const { x, y } = view.metres(place);
  return { x: view.x(x), y: view.y(y) };
}

function disc(context, x, y, radius, fill, stroke) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.fill();
  context.strokeStyle = stroke;
  context.lineWidth = 2;
  context.stroke();
}

function ringOf({ ringLatE7, ringLngE7 }) {
  return ringLatE7.map((latE7, at) => ({ latE7, lngE7: ringLngE7[at] }));
}

/** A circle's edge in places. */
function circleOf({ latE7, lngE7, radiusMm }) {
  const units = radiusMm / 1_000 / 0.011119508;
  const across = units / Math.cos((latE7 / 1e7) * (Math.PI / 180));
  return Array.from({ length: 72 }, (_, at) => {
    const turn = (at / 36) * Math.PI;
    return { latE7: latE7 + units * Math.sin(turn), lngE7: lngE7 + across * Math.cos(turn) };
  });
}
