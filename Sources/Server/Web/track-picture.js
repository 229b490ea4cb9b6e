// A picture of a game's final map, to be shared. It has what a link shows: ground and points of everybody, and of ways the
// player's own alone, without its first and last 200 m. Practice opponents are named as such behind the people, without a
// rank: their ground is on the map too, and nobody is hidden by leaving them out.
import { Areas } from "./areas.js";
import { seatColour } from "./dom.js";
import { drawGrid, drawLands } from "./ground.js";
import { number, say } from "./language.js";
import { heldCorners, rowsOf, walkerName } from "./track-map.js";
import { drawWays } from "./track-ways.js";

const width = 1_080;
const height = 1_350;
const mapHeight = 860;
const rowsMax = 5;
const metresPerUnit = 0.011119508;
const endM = 200;
/** A player has walked only once they are so far from where they were last. */
const walkedMinM = 10;
const stepMaxM = 100;

/** Draws the picture; resolves to a PNG. */
export async function drawPicture(film, { title, nameOf, mySeat, pointsText }) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  const colours = readColours();
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, width, height);
  drawMap(context, colours, film, mySeat);
  drawBoard(context, colours, film, { title, nameOf, mySeat, pointsText });
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}

function drawMap(context, colours, film, mySeat) {
  const { track } = film;
  const mine = withoutEnds(film.ways.get(mySeat) ?? []);
  const ways = new Map(mine.length > 0 ? [[mySeat, mine]] : []);
  const lands = film.lands.map((land) => ({ ...land, colour: land.holder === undefined ? null : seatColour(land.holder) }));
  const corners = [...mine, ...heldCorners(film), ...lands.flatMap(({ latE7, lngE7 }) => latE7.map((latitude, index) => ({ latE7: latitude, lngE7: lngE7[index] })))];
  // Without ground and way there is nowhere to look; the middle of the arena is nobody's business.
  const origin = corners[0] ?? { latE7: 0, lngE7: 0 };
  const cosine = Math.cos((origin.latE7 / 1e7) * (Math.PI / 180));
  const metres = ({ latE7, lngE7 }) => ({
    x: (lngE7 - origin.lngE7) * metresPerUnit * cosine,
    y: (latE7 - origin.latE7) * metresPerUnit,
  });
  const points = corners.map(metres);
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const box = points.length > 0 ? { west: least(xs), east: greatest(xs), south: least(ys), north: greatest(ys) } : { west: -50, east: 50, south: -50, north: 50 };
  const scale = Math.min(12, (width - 120) / (box.east - box.west + 20), (mapHeight - 120) / (box.north - box.south + 20));
  const centre = { x: (box.west + box.east) / 2, y: (box.south + box.north) / 2 };
  const view = {
    context,
    width,
    height: mapHeight,
    scale,
    ratio: 1,
    centre,
    colours,
    x: (x) => width / 2 + (x - centre.x) * scale,
    y: (y) => mapHeight / 2 - (y - centre.y) * scale,
    metres,
  };
  context.save();
  context.beginPath();
  context.rect(0, 0, width, mapHeight);
  context.clip();
  drawGrid(view, null);
  if (track.arena && film.cells && points.length > 0) {
    const middle = metres(track.arena);
    const side = track.arena.cells * track.arena.cellM;
    const arena = { west: middle.x - side / 2, south: middle.y - side / 2, side, ...track.arena };
    new Areas(arena.cells, film.cells, seatColour).drawWhole(view, arena);
  }
  const ring = ({ latE7, lngE7 }) => latE7.map((latitude, index) => metres({ latE7: latitude, lngE7: lngE7[index] }));
  drawLands(view, lands.map((land) => ({ ...land, ring: ring(land) })));
  drawWays(view, ways, (seat) => ways.get(seat).length, 6);
  context.restore();
}

function drawBoard(context, colours, film, { title, nameOf, mySeat, pointsText }) {
  const font = (size, weight = 600) => `${weight} ${size}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  context.fillStyle = colours.ink;
  context.textAlign = "left";
  context.font = font(54, 800);
  context.fillText(title, 60, mapHeight + 70, width - 380);
  context.textAlign = "right";
  context.font = font(34);
  context.fillStyle = colours.soft;
  context.fillText("마당 Madang", width - 60, mapHeight + 70);
  const rows = rowsOf(film);
  rows.slice(0, rowsMax).forEach(({ seat = 0, rank, points = 0, walker }, row) => {
    const y = mapHeight + 150 + row * 66;
    context.textAlign = "left";
    context.fillStyle = colours.soft;
    context.font = font(34);
    context.fillText(rank ? `${rank}` : "–", 60, y);
    context.fillStyle = seatColour(seat);
    context.beginPath();
    if (walker) for (const [x, dy] of [[130, -21], [151, 0], [130, 21], [109, 0]]) context.lineTo(x, y + dy);
    else context.arc(130, y, 16, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = colours.ink;
    context.font = font(38, seat === mySeat ? 800 : 600);
    const other = walkerName(film, seat) ?? say("trackPlayer", { n: seat + 1 });
    context.fillText(seat === mySeat ? nameOf(seat) : other, 166, y, 560);
    context.textAlign = "right";
    context.fillText(pointsText(points), width - 60, y);
  });
  const rest = rows.length - rowsMax;
  if (rest <= 0) return;
  context.fillStyle = colours.soft;
  context.font = font(30);
  context.fillText(say("trackMore", { n: number(rest) }), width - 60, mapHeight + 150 + rowsMax * 66);
}

/** A way without its first and last 200 m walked, as the server cuts it behind a link. */
export function withoutEnds(steps) {
  const first = behind(steps);
  const last = steps.length - 1 - behind([...steps].reverse());
  return first <= last ? steps.slice(first, last + 1) : [];
}

/** The place of the first step at which 200 m have been walked; beyond the last one where it is less. */
function behind(steps) {
  let from = steps[0];
  let walked = 0;
  for (let index = 1; index < steps.length; index += 1) {
    const metres = distanceM(from, steps[index]);
    if (metres < walkedMinM) continue;
    from = steps[index];
    if (metres <= stepMaxM) walked += metres;
    if (walked >= endM) return index;
  }
  return steps.length;
}

function distanceM(a, b) {
  const north = (b.latE7 - a.latE7) * metresPerUnit;
  const east = (b.lngE7 - a.lngE7) * metresPerUnit * Math.cos((a.latE7 / 1e7) * (Math.PI / 180));
  return Math.hypot(north, east);
}

const least = (numbers) => numbers.reduce((a, b) => Math.min(a, b));
const greatest = (numbers) => numbers.reduce((a, b) => Math.max(a, b));

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const names = ["ground", "ground-line", "ground-strong", "ground-out", "ink", "paper", "soft", "accent"];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}
