// A player's refused fixes on a canvas, in the order of their arrival. Drawn once for each player, and again when the
// size changes.
import { onColours } from "./dom.js";

const metresPerUnit = 0.011119508;
const inset = 28;

export class EvidenceMap {
  element = document.createElement("canvas");
  #fixes = [];
  #stopListening;

  constructor() {
    this.element.className = "evidence-map";
    this.element.setAttribute("role", "img");
    new ResizeObserver(() => this.#draw()).observe(this.element);
    this.#stopListening = onColours(() => this.#draw());
  }

  /** Must be called when the canvas is removed. */
  stop() {
    this.#stopListening();
  }

  /** `fixes` have `latE7`, `lngE7` and perhaps `accuracyM`, oldest first. */
  show(fixes) {
    this.#fixes = fixes;
    this.#draw();
  }

  #draw() {
    const canvas = this.element;
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0) return;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    context.scale(ratio, ratio);
    context.fillStyle = colour("ground");
    context.fillRect(0, 0, width, height);
    if (this.#fixes.length === 0) return;
    const points = inMetres(this.#fixes);
    const xs = points.map(({ x }) => x);
    const ys = points.map(({ y }) => y);
    const [west, south] = [Math.min(...xs), Math.min(...ys)];
    const across = Math.max(20, Math.max(...xs) - west);
    const along = Math.max(20, Math.max(...ys) - south);
    const scale = Math.min((width - 2 * inset) / across, (height - 2 * inset) / along);
    const left = (width - (Math.max(...xs) - west) * scale) / 2;
    const top = (height + (Math.max(...ys) - south) * scale) / 2;
    const seen = points.map(({ x, y, accuracyM }) => {
      return { x: left + (x - west) * scale, y: top - (y - south) * scale, radius: (accuracyM ?? 0) * scale };
    });
    drawWay(context, seen, colour("warn"));
    seen.forEach((point, at) => drawFix(context, point, at + 1, colour));
    drawScale(context, scale, height, colour("ink"));
  }
}

/** The fixes in metres east and north of the first one. */
function inMetres(fixes) {
  const [first] = fixes;
  const cosine = Math.cos((first.latE7 / 1e7) * (Math.PI / 180));
  return fixes.map(({ latE7, lngE7, accuracyM }) => {
    let east = lngE7 - first.lngE7;
    if (east > 1.8e9) east -= 3.6e9;
    if (east < -1.8e9) east += 3.6e9;
    return { x: east * metresPerUnit * cosine, y: (latE7 - first.latE7) * metresPerUnit, accuracyM };
  });
}

function drawWay(context, points, colour) {
  context.strokeStyle = colour;
  context.globalAlpha = 0.5;
  context.setLineDash([4, 4]);
  context.lineWidth = 1.5;
  context.beginPath();
  for (const { x, y } of points) context.lineTo(x, y);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function drawFix(context, { x, y, radius }, number, colour) {
  if (radius > 9) {
    context.beginPath();
    context.arc(x, y, Math.min(radius, 400), 0, 2 * Math.PI);
    context.globalAlpha = 0.1;
    context.fillStyle = colour("warn");
    context.fill();
    context.globalAlpha = 1;
  }
  context.beginPath();
  context.arc(x, y, 8, 0, 2 * Math.PI);
  context.fillStyle = colour("warn");
  context.fill();
  context.fillStyle = colour("paper");
  context.font = "700 10px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(`${number}`, x, y + 0.5);
}

function drawScale(context, scale, height, colour) {
  const lengths = [5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000];
  const metres = lengths.find((length) => length * scale >= 50) ?? 5_000_000;
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(12, height - 16);
  context.lineTo(12, height - 11);
  context.lineTo(12 + metres * scale, height - 11);
  context.lineTo(12 + metres * scale, height - 16);
  context.stroke();
  context.font = "600 11px system-ui, sans-serif";
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  context.fillText(metres < 1_000 ? `${metres} m` : `${metres / 1_000} km`, 16, height - 16);
}
