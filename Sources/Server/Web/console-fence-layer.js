// Fences on the console's map: their outlines with their names, and below them lines of latitude and longitude, since
// the map may show the whole Earth. Lands are drawn with the same outlines and names (console-land-layer.js). Drawing
// alone; the `view` argument maps places to the canvas.
import { plain } from "./console-format.js";

const unitsPerDegree = 1e7;
const metresPerUnit = 0.011119508;
/** The degrees between two lines. */
const steps = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30];
const lineMin = 44;
/** A fence that would be smaller is drawn as a dot of this radius, pixels. */
const dotRadius = 4;
/** Smaller ones have their names in the list alone. */
const namedMin = 26;
const nameWidthMax = 160;

export function drawGraticule(view) {
  const { context, width, height, colours } = view;
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, width, height);
  const { south, west, north, east } = cornersOf(view);
  const across = width / (east - west);
  const along = height / (north - south);
  const at = steps.findIndex((degrees) => degrees * unitsPerDegree * Math.min(across, along) >= lineMin);
  const fine = at < 0 ? steps.length - 1 : at;
  for (const [degrees, colour] of [[steps[fine], "ground-line"], [steps[fine + 1] ?? 90, "ground-strong"]]) {
    const step = degrees * unitsPerDegree;
    context.beginPath();
    for (let lng = Math.ceil(west / step) * step; lng < east; lng += step) {
      const x = Math.round((lng - west) * across) + 0.5;
      context.moveTo(x, 0);
      context.lineTo(x, height);
    }
    for (let lat = Math.ceil(south / step) * step; lat < north; lat += step) {
      const y = Math.round((north - lat) * along) + 0.5;
      context.moveTo(0, y);
      context.lineTo(width, y);
    }
    context.strokeStyle = colours[colour];
    context.lineWidth = 1;
    context.stroke();
  }
}

function cornersOf({ place, width, height }) {
  const [southWest, northEast] = [place({ x: 0, y: height }), place({ x: width, y: 0 })];
  return { south: southWest.latE7, west: southWest.lngE7, north: northEast.latE7, east: northEast.lngE7 };
}

/**
 * Draws fences, the largest first, so that smaller ones lie above. Each has `state`: `open`, `soon` or `over`. `taken`
 * are the boxes of names, to which those of the fences are added. Returns the paths, each with its `fence`.
 */
export function drawFences(view, fences, chosen, taken) {
  const shapes = fences.map((fence) => ({ fence, ...shapeOf(view, fence) })).filter((shape) => isIn(view, shape));
  for (const shape of shapes) drawShape(view, shape, shape.fence.fenceId === chosen);
  for (const shape of shapes) {
    const colour = shape.fence.state === "open" ? "ink" : "soft";
    drawName(view, shape, shape.fence.name, colour, shape.fence.fenceId === chosen, taken);
  }
  return shapes;
}

/** The path of a fence or a land, with its sides on the canvas. */
export function shapeOf(view, fence) {
  const path = new Path2D();
  if (fence.radiusMm !== undefined) {
    const { x, y, across, along } = ellipseOf(view, fence);
    const isDot = Math.max(across, along) < dotRadius;
    path.ellipse(x, y, isDot ? dotRadius : across, isDot ? dotRadius : along, 0, 0, 2 * Math.PI);
    return { path, x, y, west: x - across, east: x + across, top: y - along, bottom: y + along };
  }
  const points = fence.ringLatE7.map((latE7, at) => pointOf(view, { latE7, lngE7: fence.ringLngE7[at] }));
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [west, east] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const [x, y] = [(west + east) / 2, (top + bottom) / 2];
  if (Math.max(east - west, bottom - top) < 2 * dotRadius) path.ellipse(x, y, dotRadius, dotRadius, 0, 0, 2 * Math.PI);
  else for (const point of points) path.lineTo(point.x, point.y);
  path.closePath();
  return { path, x, y, west, east, top, bottom };
}

/** A circle on the canvas: the map is to scale in its middle alone. */
function ellipseOf(view, { latE7, lngE7, radiusMm }) {
  const { x, y } = pointOf(view, { latE7, lngE7 });
  const along = (radiusMm / 1_000) * view.scale;
  const cosine = Math.cos((latE7 / unitsPerDegree) * (Math.PI / 180));
  const reach = radiusMm / 1_000 / metresPerUnit / cosine;
  const east = view.metres({ latE7, lngE7: lngE7 + reach }).x - view.metres({ latE7, lngE7 }).x;
  // The east of a circle on the map's far side is beyond its edge.
  return { x, y, along, across: east > 0 ? east * view.scale : along };
}

function pointOf(view, place) {
  const { x, y } = view.metres(place);
  return { x: view.x(x), y: view.y(y) };
}

/** Whether the canvas has a part of a shape. */
export function isIn({ width, height }, { west, east, top, bottom }) {
  return east > -dotRadius && west < width + dotRadius && bottom > -dotRadius && top < height + dotRadius;
}

function drawShape({ context, colours }, { path, fence }, isChosen) {
  const colour = fence.state === "open" ? colours.accent : colours.soft;
  context.fillStyle = context.strokeStyle = isChosen ? colours.warn : colour;
  context.globalAlpha = isChosen ? 0.22 : 0.12;
  context.fill(path);
  context.globalAlpha = 1;
  context.lineWidth = isChosen ? 3 : 2;
  context.lineJoin = "round";
  if (fence.state !== "open") context.setLineDash([6, 5]);
  context.stroke(path);
  context.setLineDash([]);
}

/** Draws the name of a shape where no other one is. */
export function drawName(view, { x, top, west, east, bottom }, text, colour, isChosen, taken) {
  if (!isChosen && Math.max(east - west, bottom - top) < namedMin) return;
  const { context, colours } = view;
  context.font = "600 12px system-ui, sans-serif";
  const name = fitting(context, plain(text));
  const half = context.measureText(name).width / 2;
  // The name of a shape that reaches out of the canvas stands inside.
  const middle = Math.min(Math.max(x, half + 6), view.width - half - 6);
  const line = Math.max(top - 6, 16);
  const box = { west: middle - half, east: middle + half, top: line - 12, bottom: line + 4 };
  const meets = (other) => box.west < other.east && other.west < box.east && box.top < other.bottom && other.top < box.bottom;
  if (taken.some(meets)) return;
  taken.push(box);
  context.textAlign = "center";
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = colours.paper;
  context.strokeText(name, middle, line);
  context.fillStyle = colours[colour];
  context.fillText(name, middle, line);
}

function fitting(context, text) {
  const letters = [...text];
  if (context.measureText(text).width <= nameWidthMax) return text;
  while (letters.length > 1 && context.measureText(`${letters.join("")}…`).width > nameWidthMax) letters.pop();
  return `${letters.join("")}…`;
}
