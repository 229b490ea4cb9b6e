// A map of a plan's stops: numbered marks, joined in their order. It is the ground of the games' map, far enough above
// it for a journey.
import { GroundMap } from "./map.js";
import { hasPlace } from "./plan-days.js";

/** Pixels a metre: a phone is 1,000 km wide. */
const scaleMin = 0.0004;
const lineGapMin = 44;
const markRadius = 13;
const fingerRadius = 26;
/** The map's edges, where the scale and the buttons are, have no stops, in pixels. */
const margins = { top: 28, right: 80, bottom: 56, left: 28 };
/** Where nothing has a place yet: the middle of Seoul. */
const nowhere = { latE7: 375_665_000, lngE7: 1_269_780_000 };

export class PlanMap {
  #map;
  #stops = [];
  #chosen = "";
  #marks = [];
  #shown = "";

  /** `handlers`: `chose(stop)` for a press on a mark, and `placed(place)` for one on the ground. */
  constructor(canvas, handlers) {
    this.#map = new GroundMap(canvas);
    this.#map.scaleMin = scaleMin;
    this.#map.grid = drawLines;
    this.#map.layer = (view) => this.#draw(view);
    this.#map.onTap = (place, point) => {
      const mark = this.#marks.find(({ x, y }) => Math.hypot(x - point.x, y - point.y) <= fingerRadius);
      if (mark && handlers.chose) handlers.chose(mark.stop);
      else handlers.placed?.(place);
    };
  }

  start() {
    this.#map.start();
  }

  stop() {
    this.#map.stop();
    this.#shown = "";
  }

  zoom(factor) {
    this.#map.zoom(factor);
  }

  /** Shows stops with their numbers on the map, and moves there if they are others than before. */
  show(stops, chosen = "", around = []) {
    this.#stops = stops.map((stop, index) => ({ stop, number: index + 1 })).filter(({ stop }) => hasPlace(stop));
    this.#chosen = chosen;
    const places = [...this.#stops.map(({ stop }) => stop), ...around];
    const text = JSON.stringify(places.map(({ latE7, lngE7 }) => [latE7, lngE7]));
    if (text !== this.#shown) {
      this.#shown = text;
      if (places.length > 1) this.#map.showPlaces(places, margins);
      else this.#map.lookAt(places[0] ?? nowhere, 0.3);
    }
    this.#map.redraw();
  }

  #draw(view) {
    const { context, colours } = view;
    this.#marks = this.#stops.map(({ stop, number }) => {
      const at = view.metres(stop);
      return { x: view.x(at.x), y: view.y(at.y), stop, number };
    });
    context.strokeStyle = colours.accent;
    context.lineWidth = 3;
    context.setLineDash([2, 7]);
    context.lineCap = "round";
    context.beginPath();
    for (const { x, y } of this.#marks) context.lineTo(x, y);
    context.stroke();
    context.setLineDash([]);
    context.lineCap = "butt";
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const mark of this.#marks) this.#drawMark(view, mark);
    context.textBaseline = "alphabetic";
  }

  #drawMark({ context, colours }, { x, y, stop, number }) {
    const isChosen = stop.stopId === this.#chosen;
    context.beginPath();
    context.arc(x, y, markRadius + (isChosen ? 4 : 0), 0, 2 * Math.PI);
    context.fillStyle = isChosen ? colours.ink : colours.accent;
    context.fill();
    context.strokeStyle = colours.paper;
    context.lineWidth = 2;
    context.stroke();
    context.fillStyle = isChosen ? colours.paper : colours["accent-ink"];
    context.font = "700 13px system-ui, sans-serif";
    context.fillText(number, x, y + 1);
  }
}

/** Fills the ground, with lines at a round number of metres, so many that there is room between them. */
function drawLines(view) {
  const { context, width, height, colours, scale, centre } = view;
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, width, height);
  const power = 10 ** Math.floor(Math.log10(lineGapMin / scale));
  const step = [1, 2, 5, 10].map((times) => times * power).find((metres) => metres * scale >= lineGapMin);
  context.strokeStyle = colours["ground-strong"];
  context.lineWidth = 1;
  context.beginPath();
  for (let x = Math.floor((centre.x - width / 2 / scale) / step) * step; view.x(x) < width; x += step) {
    context.moveTo(Math.round(view.x(x)) + 0.5, 0);
    context.lineTo(Math.round(view.x(x)) + 0.5, height);
  }
  for (let y = Math.floor((centre.y - height / 2 / scale) / step) * step; view.y(y) > 0; y += step) {
    context.moveTo(0, Math.round(view.y(y)) + 0.5);
    context.lineTo(width, Math.round(view.y(y)) + 0.5);
  }
  context.stroke();
}
