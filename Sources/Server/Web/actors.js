// The players on the ground: each seat's mark with its name, the line behind it, footprints. Coordinates are metres;
// the view maps them to the canvas. A frame draws up to two hundred marks, so each mark with its name is cached as a
// picture.

const nameWidthMax = 120;
/** With this many players only the own trail is drawn: the ground is full of footprints. */
const crowdMin = 40;
/** The most marks that a frame makes. */
const marksMax = 6;
const motion = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether the person asked for no motion. */
export const prefersStillness = () => motion.matches;

/** Places that come no further apart than this are one way: a large room tells far players every 2.5 s. */
const stepMaxMs = 3_000;

export class Actors {
  /** The shortest duration of a glide to a new place, and the number of places of a trail. */
  glideMs = 1_000;
  trailMax = 24;
  /** Chooses whose names are written, the most important first, as `Labels` does; without it all are. */
  labels = null;
  #actors = new Map();
  /** Footprints are loaded with the first of them; what is to be done with them waits for that. */
  #prints = null;
  #waiting = [];
  #isLoaded = false;
  /** Whether the last frame has left something to the next. */
  #isWaiting = false;

  get isEmpty() {
    return [...this.#actors.values()].every(({ at }) => at === null);
  }

  clear() {
    for (const actor of this.#actors.values()) Object.assign(actor, nowhere());
    this.#waiting = [];
    this.#prints?.clear();
  }

  remove(seat) {
    this.#actors.delete(seat);
  }

  where(seat) {
    return this.#actors.get(seat)?.at ?? null;
  }

  dress(seat, looks) {
    const actor = this.#actor(seat);
    // All are dressed when one comes.
    if (Object.entries(looks).every(([key, value]) => actor[key] === value)) return;
    Object.assign(actor, looks, { look: {}, nameWidth: null });
  }

  /** False for one who stands there already. */
  place(seat, at, atOnce) {
    const actor = this.#actor(seat);
    if (actor.to?.x === at.x && actor.to.y === at.y && (!atOnce || actor.at === actor.to)) return false;
    const now = performance.now();
    if (actor.at && !atOnce) {
      const isLeap = Math.hypot(at.x - actor.at.x, at.y - actor.at.y) > 60;
      const sinceMs = now - actor.begunAt;
      const glideMs = sinceMs < stepMaxMs ? Math.max(this.glideMs, sinceMs) : this.glideMs;
      Object.assign(actor, { from: isLeap ? at : { ...actor.at }, to: at, begunAt: now, glideMs });
      if (isLeap) actor.trail = [];
    } else {
      Object.assign(actor, { at, from: at, to: at, begunAt: now });
    }
    const last = actor.trail.at(-1);
    if (last && Math.hypot(at.x - last.x, at.y - last.y) < 1.2) return true;
    actor.trail.push(at);
    if (actor.trail.length > this.trailMax) actor.trail.shift();
    if (actor.line) actor.line.push(at);
    return true;
  }

  print(seat, at) {
    const { colour, trail } = this.#actor(seat);
    const before = trail.findLast(({ x, y }) => Math.hypot(at.x - x, at.y - y) > 0.5);
    this.#withPrints((prints) => prints.add(seat, colour, at, before));
  }

  prints(seat, places) {
    const { colour } = this.#actor(seat);
    this.#withPrints((prints) => prints.merge(seat, colour, places));
  }

  async #withPrints(act) {
    if (this.#prints) return act(this.#prints);
    this.#waiting.push(act);
    const { PrintSheet } = await import("./prints.js");
    this.#prints ??= new PrintSheet();
    for (const next of this.#waiting.splice(0)) next(this.#prints);
    this.#isLoaded = true;
  }

  line(seat, points) {
    const actor = this.#actor(seat);
    actor.line = points && [...points];
  }

  hasLine(seat) {
    return Boolean(this.#actors.get(seat)?.line);
  }

  lineOf(seat) {
    return this.#actors.get(seat)?.line ?? null;
  }

  colourOf(seat) {
    return this.#actor(seat).colour;
  }

  /** Makes all cached marks again, in the present colours. */
  repaint() {
    for (const actor of this.#actors.values()) actor.look = {};
  }

  /** The smallest box around all players. */
  box() {
    const places = [...this.#actors.values()].map(({ to }) => to).filter(Boolean);
    return places.length === 0 ? null : boxAround(places);
  }

  /** Moves all players along their glides, at once to the ends where motion is unwanted. True while one of them moves. */
  move() {
    const now = performance.now();
    let isMoving = this.#isLoaded || this.#isWaiting;
    this.#isLoaded = false;
    for (const actor of this.#actors.values()) {
      if (!actor.to || actor.at === actor.to) continue;
      const share = prefersStillness() ? 1 : Math.min(1, (now - actor.begunAt) / actor.glideMs);
      isMoving = true;
      actor.at = share === 1 ? actor.to : actor.gliding;
      if (share === 1) continue;
      actor.at.x = actor.from.x + (actor.to.x - actor.from.x) * share;
      actor.at.y = actor.from.y + (actor.to.y - actor.from.y) * share;
    }
    return isMoving;
  }

  draw(view, goal) {
    const all = [...this.#actors.values()].filter(({ at }) => at);
    // The own and the chosen player are drawn last, above all others.
    all.sort((a, b) => Number(a.isMe || a.isChosen) - Number(b.isMe || b.isChosen));
    const shown = all.filter(({ at }) => isIn(view, at, 80));
    this.#prints?.draw(view);
    for (const actor of all) {
      if (actor.line) drawLine(view, actor.line, actor, 4, 0.9);
      else if (actor.isMe || all.length < crowdMin) drawLine(view, actor.trail, actor, 2, 0.35);
    }
    if (goal) drawGoal(view, goal);
    const named = this.labels?.choose(shown, view) ?? shown.toReversed();
    const isUnmade = this.#makeMarks(view, shown);
    this.#isWaiting = isUnmade || Boolean(this.#prints?.isWaiting || this.labels?.isWaiting);
    // Names lie above all other marks, and above the named ones of less importance.
    for (const actor of shown) if (!actor.isNamed) drawMark(view, actor, false);
    for (let index = named.length - 1; index >= 0; index -= 1) drawMark(view, named[index], true);
  }

  /** Makes missing marks, the own and the chosen player's first. True if some are left. */
  #makeMarks(view, shown) {
    let left = marksMax;
    for (let index = shown.length - 1; index >= 0; index -= 1) {
      const actor = shown[index];
      const kind = actor.isNamed ? "named" : "nameless";
      // Marks of an earlier look stay until the next are made.
      if (actor.marks[kind]?.look === actor.look) continue;
      if (left === 0) return true;
      left -= 1;
      actor.marks[kind] = mark(actor, view, kind === "named");
    }
    return false;
  }

  #actor(seat) {
    if (!this.#actors.has(seat)) {
      this.#actors.set(seat, { ...plain, ...nowhere(), marks: {} });
    }
    return this.#actors.get(seat);
  }
}

/** The looks of a seat before `dress` is called. */
const plain = { name: "", colour: "#888", isHeld: false, isMe: false, isChosen: false, isSuspect: false, isWalker: false, look: {}, nameWidth: null, isNamed: true };

function nowhere() {
  return { at: null, from: null, to: null, gliding: { x: 0, y: 0 }, begunAt: 0, glideMs: 1_000, trail: [], line: null };
}

export function boxAround(places) {
  const xs = places.map(({ x }) => x);
  const ys = places.map(({ y }) => y);
  return { west: Math.min(...xs), east: Math.max(...xs), south: Math.min(...ys), north: Math.max(...ys) };
}

function isIn(view, at, margin) {
  const x = view.x(at.x);
  const y = view.y(at.y);
  return x > -margin && y > -margin && x < view.width + margin && y < view.height + margin;
}

function drawLine(view, points, actor, width, alpha) {
  if (points.length === 0) return;
  const { context } = view;
  context.beginPath();
  for (const { x, y } of points) context.lineTo(view.x(x), view.y(y));
  context.lineTo(view.x(actor.at.x), view.y(actor.at.y));
  context.strokeStyle = actor.colour;
  context.globalAlpha = alpha;
  context.lineWidth = width;
  context.lineJoin = width > 2 ? "round" : "bevel";
  context.stroke();
  context.globalAlpha = 1;
}

function drawGoal(view, goal) {
  const { context, colours } = view;
  context.strokeStyle = colours.ink;
  context.lineWidth = 2;
  for (const radius of [4, 10]) {
    context.beginPath();
    context.arc(view.x(goal.x), view.y(goal.y), radius, 0, 2 * Math.PI);
    context.stroke();
  }
}

function drawMark(view, actor, hasName) {
  const { context, ratio } = view;
  // In a crowd names come and go: a picture with the name and one without it are kept.
  const made = (hasName && actor.marks.named) || actor.marks.nameless;
  if (!made) {
    context.fillStyle = actor.colour;
    return context.fillRect(view.x(actor.at.x) - 5, view.y(actor.at.y) - 5, 10, 10);
  }
  const { picture, width, height, foot } = made;
  // A picture on whole pixels is copied; between pixels it would be resampled.
  const left = Math.round((view.x(actor.at.x) - width / 2) * ratio) / ratio;
  const top = Math.round((view.y(actor.at.y) - foot) * ratio) / ratio;
  context.drawImage(picture, left, top, width, height);
}

/** The radius of a player's dot, pixels. */
export const radiusOf = ({ isMe }) => (isMe ? 10 : 7);

/** A name's pill: its height, and the way from its top to the dot; its width beyond the name's. */
export const pillSize = { height: 18, above: 24, padding: 12 };

export function nameFont(isMe) {
  return `${isMe ? 700 : 600} 12px system-ui, sans-serif`;
}

/**
 * A player's dot, or a practice opponent's diamond, with the name on a pill above it, drawn once. The dot is faint while
 * the player is away; the name stays readable. `foot` is the distance from the picture's top to the place.
 */
function mark({ name: whole, colour, isHeld, isMe, isChosen, isSuspect, isWalker, look }, { ratio, colours }, hasName) {
  const radius = radiusOf({ isMe });
  const halo = isMe || isChosen ? 20 : isSuspect ? 13 : 9;
  const font = nameFont(isMe);
  const picture = document.createElement("canvas");
  const context = picture.getContext("2d");
  context.font = font;
  const name = hasName ? fitting(context, whole) : "";
  const pill = name ? context.measureText(name).width + pillSize.padding : 0;
  picture.width = Math.ceil(Math.max(pill, 2 * halo) * ratio);
  const foot = 18 + Math.max(radius + 6, halo);
  picture.height = Math.ceil((foot + halo) * ratio);
  const width = picture.width / ratio;
  context.scale(ratio, ratio);
  const strength = isHeld ? 0.4 : 1;
  const disc = (size, alpha) => {
    context.globalAlpha = alpha * strength;
    context.beginPath();
    context.arc(width / 2, foot, size, 0, 2 * Math.PI);
    context.fill();
  };
  context.fillStyle = colour;
  if (isMe || isChosen) disc(halo, 0.2);
  context.globalAlpha = strength;
  if (isWalker) diamond(context, width / 2, foot, radius);
  else disc(radius, 1);
  context.strokeStyle = "#fff";
  context.lineWidth = isMe ? 3 : 2;
  context.stroke();
  if (isSuspect) {
    context.beginPath();
    context.arc(width / 2, foot, radius + 4, 0, 2 * Math.PI);
    context.strokeStyle = colours.warn;
    context.lineWidth = 2.5;
    context.stroke();
  }
  const top = Math.max(0, foot - radius - pillSize.above);
  if (name) writeName(context, { name, font, pill, left: (width - pill) / 2, top }, colours);
  return { picture, width, height: picture.height / ratio, foot, look };
}

/** Fills a diamond about as large as a disc; its outline stays the path. */
function diamond(context, x, y, radius) {
  const reach = radius * 1.3;
  context.beginPath();
  for (const [east, south] of [[0, -1], [1, 0], [0, 1], [-1, 0]]) context.lineTo(x + east * reach, y + south * reach);
  context.closePath();
  context.fill();
}

function writeName(context, { name, font, pill, left, top }, colours) {
  context.globalAlpha = 0.85;
  context.fillStyle = colours.paper;
  context.beginPath();
  context.roundRect(left, top, pill, 18, 9);
  context.fill();
  context.globalAlpha = 1;
  context.fillStyle = colours.ink;
  context.font = font;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(name, left + pill / 2, top + 9.5);
}

/** The part of a name that fits into a pill. */
export function fitting(context, name) {
  if (context.measureText(name).width <= nameWidthMax) return name;
  const letters = [...name];
  while (letters.length > 1 && context.measureText(`${letters.join("")}…`).width > nameWidthMax) letters.pop();
  return `${letters.join("")}…`;
}
