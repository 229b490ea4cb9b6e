// Who is on the ground: each seat's mark with its name, footprints, the line behind it. In metres; the view brings them onto
// the canvas. Two hundred of them are drawn within a frame, so names are pictures and footprints one path a seat.

const glideMs = 1_000;
const printsMax = 600;
const trailMax = 24;

export class Actors {
  #actors = new Map();

  get isEmpty() {
    return [...this.#actors.values()].every(({ at }) => at === null);
  }

  clear() {
    for (const actor of this.#actors.values()) Object.assign(actor, nowhere());
  }

  remove(seat) {
    this.#actors.delete(seat);
  }

  where(seat) {
    return this.#actors.get(seat)?.at ?? null;
  }

  dress(seat, looks) {
    const actor = this.#actor(seat);
    Object.assign(actor, looks);
    actor.label = null;
  }

  place(seat, at, atOnce) {
    const actor = this.#actor(seat);
    if (actor.at && !atOnce) {
      const isLeap = Math.hypot(at.x - actor.at.x, at.y - actor.at.y) > 60;
      Object.assign(actor, { from: isLeap ? at : actor.at, to: at, begunAt: performance.now() });
      if (isLeap) actor.trail = [];
    } else {
      Object.assign(actor, { at, from: at, to: at, begunAt: performance.now() });
    }
    const last = actor.trail.at(-1);
    if (last && Math.hypot(at.x - last.x, at.y - last.y) < 1.2) return;
    actor.trail.push(at);
    if (actor.trail.length > trailMax) actor.trail.shift();
    if (actor.line) actor.line.push(at);
  }

  print(seat, at) {
    const actor = this.#actor(seat);
    const last = actor.prints.at(-1);
    const heading = last ? Math.atan2(at.x - last.x, at.y - last.y) : 0;
    actor.prints.push({ ...at, heading });
    if (actor.prints.length > printsMax) actor.prints.shift();
    actor.printPath = null;
  }

  line(seat, points) {
    const actor = this.#actor(seat);
    actor.line = points && [...points];
  }

  hasLine(seat) {
    return Boolean(this.#actors.get(seat)?.line);
  }

  /** Has all names drawn anew, in the colours of now. */
  repaint() {
    for (const actor of this.#actors.values()) actor.label = null;
  }

  /** The smallest box around all. */
  box() {
    const places = [...this.#actors.values()].map(({ to }) => to).filter(Boolean);
    if (places.length === 0) return null;
    const xs = places.map(({ x }) => x);
    const ys = places.map(({ y }) => y);
    return { west: Math.min(...xs), east: Math.max(...xs), south: Math.min(...ys), north: Math.max(...ys) };
  }

  /** Lets all glide to where they are. True while somebody moves. */
  move() {
    const now = performance.now();
    let isMoving = false;
    for (const actor of this.#actors.values()) {
      if (!actor.to || actor.at === actor.to) continue;
      const share = Math.min(1, (now - actor.begunAt) / glideMs);
      isMoving = true;
      actor.at =
        share === 1
          ? actor.to
          : {
              x: actor.from.x + (actor.to.x - actor.from.x) * share,
              y: actor.from.y + (actor.to.y - actor.from.y) * share,
            };
    }
    return isMoving;
  }

  draw(view, goal) {
    const all = [...this.#actors.values()].filter(({ at }) => at);
    // I am drawn last, above all others.
    all.sort((a, b) => Number(a.isMe ?? false) - Number(b.isMe ?? false));
    const shown = all.filter(({ at }) => isIn(view, at, 80));
    for (const actor of all) drawPrints(view, actor, all.length > 40);
    for (const actor of all) drawLine(view, actor.line ?? actor.trail, actor, actor.line ? 4 : 2, actor.line ? 0.9 : 0.35);
    if (goal) drawGoal(view, goal);
    for (const actor of shown) drawMark(view, actor, shown.length > 60);
  }

  #actor(seat) {
    if (!this.#actors.has(seat)) {
      this.#actors.set(seat, { name: "", colour: "#888", isHeld: false, isMe: false, label: null, ...nowhere() });
    }
    return this.#actors.get(seat);
  }
}

function nowhere() {
  return { at: null, from: null, to: null, begunAt: 0, trail: [], line: null, prints: [], printPath: null };
}

function isIn(view, at, margin) {
  const x = view.x(at.x);
  const y = view.y(at.y);
  return x > -margin && y > -margin && x < view.width + margin && y < view.height + margin;
}

/** All footprints of a seat as one path in metres, turned and scaled by the canvas. */
function drawPrints(view, actor, isCrowd) {
  if (actor.prints.length === 0) return;
  actor.printPath ??= printPath(isCrowd ? actor.prints.slice(-80) : actor.prints, isCrowd);
  const { context, ratio } = view;
  context.save();
  context.setTransform(ratio * view.scale, 0, 0, -ratio * view.scale, ratio * view.x(0), ratio * view.y(0));
  context.fillStyle = actor.colour;
  context.globalAlpha = 0.55;
  context.fill(actor.printPath);
  context.restore();
}

function printPath(prints, isCrowd) {
  const path = new Path2D();
  prints.forEach(({ x, y, heading }, index) => {
    if (isCrowd) return path.rect(x - 0.5, y - 0.5, 1, 1);
    // A sole and a heel, left and right in turn.
    const side = index % 2 === 0 ? 0.7 : -0.7;
    const along = { x: Math.sin(heading), y: Math.cos(heading) };
    const foot = { x: x + along.y * side, y: y - along.x * side };
    const sole = { x: foot.x + along.x * 0.5, y: foot.y + along.y * 0.5 };
    const heel = { x: foot.x - along.x * 0.75, y: foot.y - along.y * 0.75 };
    path.moveTo(sole.x + 0.9, sole.y);
    path.ellipse(sole.x, sole.y, 0.5, 0.85, -heading, 0, 2 * Math.PI);
    path.moveTo(heel.x + 0.4, heel.y);
    path.ellipse(heel.x, heel.y, 0.38, 0.4, -heading, 0, 2 * Math.PI);
  });
  return path;
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

function drawMark(view, actor, isCrowd) {
  const { context } = view;
  const x = view.x(actor.at.x);
  const y = view.y(actor.at.y);
  const radius = actor.isMe ? 10 : isCrowd ? 6 : 8;
  context.globalAlpha = actor.isHeld ? 0.4 : 1;
  if (actor.isMe) {
    context.fillStyle = actor.colour;
    context.globalAlpha = 0.2;
    context.beginPath();
    context.arc(x, y, 20, 0, 2 * Math.PI);
    context.fill();
    context.globalAlpha = 1;
  }
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = actor.colour;
  context.fill();
  context.strokeStyle = "#fff";
  context.lineWidth = actor.isMe ? 3 : 2;
  context.stroke();
  actor.label ??= label(actor.name, actor.isMe, view);
  const { width, height } = actor.label;
  context.drawImage(actor.label, x - width / view.ratio / 2, y - radius - 6 - height / view.ratio, width / view.ratio, height / view.ratio);
  context.globalAlpha = 1;
}

/** The name on a pill, drawn once. */
function label(name, isMe, { ratio, colours }) {
  const picture = document.createElement("canvas");
  const context = picture.getContext("2d");
  const font = `${isMe ? 700 : 600} 12px system-ui, sans-serif`;
  context.font = font;
  const width = Math.min(120, context.measureText(name).width) + 12;
  picture.width = Math.ceil(width * ratio);
  picture.height = Math.ceil(18 * ratio);
  context.scale(ratio, ratio);
  context.font = font;
  context.fillStyle = colours.paper;
  context.globalAlpha = 0.85;
  context.beginPath();
  context.roundRect(0, 0, width, 18, 9);
  context.fill();
  context.globalAlpha = 1;
  context.fillStyle = colours.ink;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(name, width / 2, 9.5, 120);
  return picture;
}
