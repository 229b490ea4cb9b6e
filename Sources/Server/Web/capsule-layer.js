// The capsules on the map: a mark for each, green with an open lock where it can be opened, grey with a closed one
// where it can't; one mark with a count where marks would cover each other. Drawing alone, and what a finger hits.
import { reachM } from "./capsule-book.js";
import { number } from "./language.js";

/** Marks nearer to each other than this become one, pixels. */
const togetherWithin = 34;
const fingerRadius = 26;
/** A mark stands on a foot, so that who is at its place does not cover it. */
const foot = 26;
const discRadius = 13;
/** With more marks in sight, titles would cover the ground and are hidden. */
const titledMax = 16;
const titleWidthMax = 130;

export class CapsuleLayer {
  #book;
  /** Called in each frame with the part of the ground that is in sight. */
  #see;
  #marks = [];

  constructor(book, see) {
    this.#book = book;
    this.#see = see;
  }

  draw(view) {
    const corner = (x, y) => view.place({ x, y });
    const [southWest, northEast] = [corner(0, view.height), corner(view.width, 0)];
    this.#see({
      south: southWest.latE7,
      west: southWest.lngE7,
      north: northEast.latE7,
      east: northEast.lngE7,
    });
    if (this.#book.here) drawReach(view, view.metres(this.#book.here));
    this.#marks = this.#gather(view).filter(({ x, y }) => isIn(view, x, y));
    const areTitled = this.#marks.length <= titledMax;
    // Those that can be opened are drawn last, above the others.
    for (const mark of [...this.#marks].sort((a, b) => Number(a.isOpen) - Number(b.isOpen))) {
      if (mark.count > 1) drawCount(view, mark);
      else drawCapsule(view, mark, areTitled);
    }
  }

  /** The mark under a point of the canvas; null without one. */
  at({ x, y }) {
    const distance = (mark) => Math.hypot(mark.x - x, mark.y - foot - y);
    const [nearest] = [...this.#marks].sort((a, b) => distance(a) - distance(b));
    return nearest && distance(nearest) <= fingerRadius ? nearest : null;
  }

  /**
   * The marks on the canvas. Each has `count`, its known `capsules`, and `isWhole`, whether these are all of it. The
   * order is always the same, so that a pan does not regroup them. One of the player's own that everyone may open counts
   * twice where both come as clusters.
   */
  #gather(view) {
    const marks = [];
    const put = (place, entry) => {
      const at = view.metres(place);
      const [x, y] = [view.x(at.x), view.y(at.y)];
      const near = marks.find((mark) => Math.hypot(mark.x - x, mark.y - y) < togetherWithin);
      const mark = near ?? { x, y, place, count: 0, capsules: [], isWhole: true, isOpen: false, isMine: false };
      if (!near) marks.push(mark);
      mark.count += entry.count ?? 1;
      if (entry.capsuleId) mark.capsules.push(entry);
      else mark.isWhole = false;
    };
    for (const cluster of this.#book.clusters) put(cluster, cluster);
    const capsules = this.#book.shown.sort((a, b) => (a.capsuleId < b.capsuleId ? -1 : 1));
    for (const capsule of capsules) put(capsule, capsule);
    for (const mark of marks) {
      mark.isOpen = mark.capsules.some((capsule) => this.#book.isOpenable(capsule));
      mark.isMine = mark.capsules.some((capsule) => this.#book.isMine(capsule));
    }
    return marks;
  }
}

function isIn(view, x, y) {
  return x > -60 && y > -60 && x < view.width + 60 && y < view.height + 60;
}

function disc({ context }, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

/** The circle inside of which capsules open. */
function drawReach(view, at) {
  const { context, colours } = view;
  const radius = reachM * view.scale;
  if (radius < 14) return;
  disc(view, view.x(at.x), view.y(at.y), radius);
  context.fillStyle = context.strokeStyle = colours.accent;
  context.globalAlpha = 0.08;
  context.fill();
  context.globalAlpha = 0.7;
  context.lineWidth = 1.5;
  context.setLineDash([5, 6]);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/** A disc on its foot, which stands so far below the middle. */
function drawBody(view, { x, y, isOpen, isMine }, radius, below) {
  const { context, colours } = view;
  context.fillStyle = isOpen ? colours.accent : colours.soft;
  if (isOpen) {
    context.globalAlpha = 0.25;
    disc(view, x, y, radius + 7);
    context.fill();
    context.globalAlpha = 1;
  }
  context.beginPath();
  context.moveTo(x, y + below);
  context.arc(x, y, radius, 0.75 * Math.PI, 0.25 * Math.PI);
  context.closePath();
  context.fill();
  context.strokeStyle = colours.paper;
  context.lineWidth = 2;
  context.stroke();
  if (!isMine) return;
  disc(view, x, y, radius - 3);
  context.lineWidth = 1.5;
  context.stroke();
}

function drawCapsule(view, { x, y: ground, ...looks }, isTitled) {
  const mark = { ...looks, x, y: ground - foot };
  const { context, colours } = view;
  drawBody(view, mark, discRadius, foot);
  drawLock(view, mark);
  if (!isTitled) return;
  context.font = "600 12px system-ui, sans-serif";
  const title = fitting(context, mark.capsules[0].title);
  const width = context.measureText(title).width + 12;
  const top = mark.y - 36;
  context.globalAlpha = 0.85;
  context.fillStyle = colours.paper;
  context.beginPath();
  context.roundRect(mark.x - width / 2, top, width, 18, 9);
  context.fill();
  context.globalAlpha = 1;
  context.fillStyle = colours.ink;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(title, mark.x, top + 9.5);
  context.textBaseline = "alphabetic";
}

/** A lock, whose bow stands aside when it is open. */
function drawLock(view, { x, y, isOpen }) {
  const { context, colours } = view;
  context.fillStyle = context.strokeStyle = isOpen ? colours["accent-ink"] : colours.paper;
  context.beginPath();
  context.roundRect(x - 5.5, y - 1, 11, 8, 2);
  context.fill();
  context.lineWidth = 2;
  context.beginPath();
  const middle = isOpen ? x + 3.5 : x;
  context.moveTo(middle - 3.5, y - 1);
  context.lineTo(middle - 3.5, y - 3);
  context.arc(middle, y - 3, 3.5, Math.PI, 2 * Math.PI);
  if (!isOpen) context.lineTo(middle + 3.5, y - 1);
  context.stroke();
}

function drawCount(view, { x, y: ground, ...looks }) {
  const larger = Math.min(10, 2 * Math.log2(looks.count));
  const below = foot + larger;
  const mark = { ...looks, x, y: ground - below };
  const { context, colours } = view;
  drawBody(view, mark, discRadius + larger, below);
  context.fillStyle = mark.isOpen ? colours["accent-ink"] : colours.paper;
  context.font = "700 13px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(mark.count < 10_000 ? number(mark.count) : `${Math.floor(mark.count / 1_000)}k`, mark.x, mark.y + 1);
  context.textBaseline = "alphabetic";
}

function fitting(context, title) {
  const letters = [...title];
  while (letters.length > 1 && context.measureText(`${letters.join("")}…`).width > titleWidthMax) letters.pop();
  return letters.length < [...title].length ? `${letters.join("")}…` : title;
}
