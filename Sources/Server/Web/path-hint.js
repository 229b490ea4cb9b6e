// The player's own open path: where it began, and the ground that it would close now. Drawn below the players with each
// frame of the map; it asks for no frames of its own. Where the closing runs over one's own ground, the straight line to the
// start stands for it: the server takes what path and own cells enclose. Decisions: 149 (docs/decisions).

const reachM = 15;
const awayM = 30;
const nearM = 45;

export class PathHint {
  #map;
  #seat = null;
  #start = null;
  #isAway = false;

  constructor(map) {
    this.#map = map;
    map.layer = (view) => this.#draw(view);
  }

  /** A path of a seat begins at a place; without one there is none. `places` are those that it has already. */
  begin(seat, places = []) {
    this.#seat = seat;
    this.#start = places[0] ?? null;
    this.#isAway = false;
    this.#map.redraw();
  }

  /** Whether a path is open. */
  get isOn() {
    return this.#start !== null;
  }

  #draw(view) {
    const at = this.#seat === null ? null : this.#map.actors.where(this.#seat);
    if (!this.#start || !at) return;
    const start = view.metres(this.#start);
    const line = this.#map.actors.lineOf(this.#seat) ?? [];
    const metres = Math.hypot(at.x - start.x, at.y - start.y);
    this.#isAway ||= [at, ...line].some(({ x, y }) => Math.hypot(x - start.x, y - start.y) >= awayM);
    const { context, colours } = view;
    const colour = this.#map.actors.colourOf(this.#seat);
    context.save();
    if (this.#isAway) {
      context.beginPath();
      context.moveTo(view.x(start.x), view.y(start.y));
      for (const { x, y } of line) context.lineTo(view.x(x), view.y(y));
      context.lineTo(view.x(at.x), view.y(at.y));
      context.fillStyle = colour;
      context.globalAlpha = metres <= nearM ? 0.22 : 0.1;
      context.fill("evenodd");
      context.beginPath();
      context.moveTo(view.x(at.x), view.y(at.y));
      context.lineTo(view.x(start.x), view.y(start.y));
      context.strokeStyle = colours.ink;
      context.globalAlpha = 0.55;
      context.lineWidth = 2;
      context.setLineDash([7, 7]);
      context.stroke();
      context.setLineDash([]);
      this.#drawGoal(view, start, colour, metres);
    }
    context.globalAlpha = 1;
    context.beginPath();
    context.arc(view.x(start.x), view.y(start.y), 6, 0, 2 * Math.PI);
    context.fillStyle = colours.paper;
    context.fill();
    context.strokeStyle = colour;
    context.lineWidth = 3;
    context.stroke();
    context.restore();
  }

  /** The ground around the start in which the path closes: it glows as the player comes near. */
  #drawGoal({ context, x, y, scale }, start, colour, metres) {
    const radius = reachM * scale;
    const glow = Math.max(0, Math.min(1, (nearM - metres) / (nearM - reachM)));
    context.beginPath();
    context.arc(x(start.x), y(start.y), radius, 0, 2 * Math.PI);
    context.fillStyle = colour;
    context.globalAlpha = 0.08 + 0.27 * glow;
    context.fill();
    context.strokeStyle = colour;
    context.globalAlpha = 0.5 + 0.5 * glow;
    context.lineWidth = 1.5 + 2.5 * glow;
    context.stroke();
  }
}
