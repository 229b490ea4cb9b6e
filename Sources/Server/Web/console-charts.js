// A chart of some minutes or a day on a canvas: lines over time with a scale that fits. It is drawn by `show`, and when
// its size or the colours change.
import { onColours } from "./dom.js";
import { say } from "./language.js";
import { moment } from "./console-format.js";

const inset = { top: 8, right: 8, bottom: 18, left: 54 };
/** The marks of the time, at most so many beside now; the distance of two is one of these. */
const marksMax = 6;
const markMinutes = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 240, 360];

export class Chart {
  #canvas;
  #context;
  #series;
  #format;
  #floor;
  #unit;
  #shown = null;
  #colours = null;
  #stopListening;

  /**
   * `series`: `key` of the samples, `colour` (a custom property's name), `isFilled`. `format` writes a value, `floor`
   * is the smallest upper end of the scale. The upper end is a round number of `unit`s.
   */
  constructor(canvas, { series, format, floor, unit = 1 }) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d");
    this.#series = series;
    this.#format = format;
    this.#floor = floor;
    this.#unit = unit;
    new ResizeObserver(() => this.#resize()).observe(canvas);
    this.#stopListening = onColours(() => {
      this.#colours = null;
      this.#draw();
    });
  }

  /** Must be called when the chart is removed. */
  stop() {
    this.#stopListening();
  }

  /**
   * Draws `spanMs` up to `nowMs`; `atMs` is the moment under the pointer, or null. A distance over `gapMs` between two
   * samples is a gap in the line.
   */
  show(samples, nowMs, spanMs, atMs, gapMs) {
    const shown = samples.filter(({ atMs: at }) => at >= nowMs - spanMs - gapMs);
    this.#shown = { samples: shown, nowMs, spanMs, atMs, gapMs };
    this.#draw();
  }

  /** The moment at a point of the canvas; null outside. */
  momentAt(x) {
    const { clientWidth } = this.#canvas;
    const share = (x - inset.left) / (clientWidth - inset.left - inset.right);
    if (!this.#shown || share < 0 || share > 1) return null;
    return this.#shown.nowMs - (1 - share) * this.#shown.spanMs;
  }

  #resize() {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    this.#canvas.width = Math.round(this.#canvas.clientWidth * ratio);
    this.#canvas.height = Math.round(this.#canvas.clientHeight * ratio);
    this.#draw();
  }

  #draw() {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (!this.#shown || width === 0) return;
    this.#colours ??= readColours(this.#series);
    const { samples, nowMs, spanMs } = this.#shown;
    const values = samples.flatMap((sample) => this.#series.map(({ key }) => sample[key] ?? 0));
    const top = niceAbove(Math.max(this.#floor, ...values) / this.#unit) * this.#unit;
    const plot = { left: inset.left, right: width - inset.right, top: inset.top, bottom: height - inset.bottom };
    const view = {
      ...plot,
      x: (at) => plot.right - ((nowMs - at) / spanMs) * (plot.right - plot.left),
      y: (value) => plot.bottom - (value / top) * (plot.bottom - plot.top),
    };
    const context = this.#context;
    const ratio = this.#canvas.width / width;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    this.#drawScale(view, top);
    context.save();
    context.beginPath();
    context.rect(view.left, 0, view.right - view.left, height);
    context.clip();
    for (const series of this.#series) this.#drawLine(view, series);
    context.restore();
    this.#drawPointer(view);
  }

  #drawScale(view, top) {
    const context = this.#context;
    const { spanMs } = this.#shown;
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = this.#colours.soft;
    context.strokeStyle = this.#colours.edge;
    context.lineWidth = 1;
    context.beginPath();
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const share of [0, 0.5, 1]) {
      const y = Math.round(view.y(top * share)) + 0.5;
      context.moveTo(view.left, y);
      context.lineTo(view.right, y);
      context.fillText(this.#format(top * share), view.left - 6, y);
    }
    context.stroke();
    context.textBaseline = "alphabetic";
    const minutes = spanMs / 60_000;
    const step = markMinutes.find((each) => minutes / each <= marksMax);
    context.textAlign = "center";
    for (let minute = step; minute < minutes; minute += step) {
      const x = view.x(this.#shown.nowMs - minute * 60_000);
      context.fillText(`−${markText(minute)}`, x, view.bottom + 13);
    }
    context.textAlign = "right";
    context.fillText(say("now"), view.right, view.bottom + 13);
  }

  #drawLine(view, { key, isFilled }) {
    const context = this.#context;
    const points = this.#shown.samples.map((sample) => ({ at: sample.atMs, value: sample[key] }));
    for (const run of runs(points, this.#shown.gapMs)) {
      context.beginPath();
      for (const { at, value } of run) context.lineTo(view.x(at), view.y(value));
      context.strokeStyle = this.#colours[key];
      context.lineWidth = 1.6;
      context.lineJoin = "round";
      context.stroke();
      if (!isFilled) continue;
      context.lineTo(view.x(run.at(-1).at), view.bottom);
      context.lineTo(view.x(run[0].at), view.bottom);
      context.globalAlpha = 0.12;
      context.fillStyle = this.#colours[key];
      context.fill();
      context.globalAlpha = 1;
    }
  }

  #drawPointer(view) {
    const { samples, atMs } = this.#shown;
    if (atMs === null) return;
    const sample = nearest(samples, atMs);
    if (!sample) return;
    const context = this.#context;
    const isLeft = view.x(sample.atMs) < (view.left + view.right) / 2;
    context.fillStyle = this.#colours.soft;
    context.textAlign = isLeft ? "left" : "right";
    context.textBaseline = "top";
    context.fillText(moment(sample.atMs), view.x(sample.atMs) + (isLeft ? 5 : -5), view.top);
    const x = Math.round(view.x(sample.atMs)) + 0.5;
    context.strokeStyle = this.#colours.soft;
    context.beginPath();
    context.moveTo(x, view.top);
    context.lineTo(x, view.bottom);
    context.stroke();
    for (const { key } of this.#series) {
      if (sample[key] === null || sample[key] === undefined) continue;
      context.beginPath();
      context.arc(x, view.y(sample[key]), 3, 0, 2 * Math.PI);
      context.fillStyle = this.#colours[key];
      context.fill();
    }
  }
}

/** The sample nearest to a moment. */
export function nearest(samples, atMs) {
  let best = null;
  for (const sample of samples) {
    if (!best || Math.abs(sample.atMs - atMs) < Math.abs(best.atMs - atMs)) best = sample;
  }
  return best;
}

function markText(minute) {
  if (minute < 1) return say("unit.seconds", { n: minute * 60 });
  return minute >= 120 ? say("unit.hours", { n: minute / 60 }) : say("unit.minutes", { n: minute });
}

/** The points in pieces without gaps. */
function runs(points, gapMs) {
  const pieces = [];
  let last = null;
  for (const point of points) {
    if (point.value === null || point.value === undefined) {
      last = null;
      continue;
    }
    if (!last || point.at - last.at > gapMs) pieces.push([]);
    pieces.at(-1).push(point);
    last = point;
  }
  return pieces;
}

/** The upper end of a scale: the next of 1, 2, 4, 5, 8 by a power of ten. */
function niceAbove(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 4, 5, 8].find((step) => step * power >= value * 1.05) ?? 10);
}

function readColours(series) {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  const colours = { soft: read("soft"), edge: read("edge") };
  for (const { key, colour } of series) colours[key] = read(colour);
  return colours;
}
