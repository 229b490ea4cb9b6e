// Draws a room's copy on the map: players with their looks, ground and lands in their holders' colours, footprints,
// open paths. Players' pages and the operators' console share it.
import { seatColour } from "./dom.js";
import { Labels } from "./labels.js";

export class RoomScene {
  /** A seat's looks beyond the room's data, as `GroundMap.dress` takes them. */
  looksOf = () => ({});
  /** Whether a seat's place is known here before it is in the room, as a walker's own place is. */
  isAhead = () => false;
  #map;
  #room = null;
  #points = new Map();
  #seats = new Set();

  constructor(map) {
    this.#map = map;
    map.actors.labels = new Labels();
  }

  /** Shows a whole state. Footprints and lines stay unless the game is new. */
  show(room, isNew) {
    this.#room = room;
    this.#points = new Map(room.points);
    if (isNew) this.#map.clear();
    for (const seat of this.#seats) if (!room.players.has(`s${seat}`)) this.#remove(seat);
    this.dress();
    this.drawGround();
    this.placePlayers();
    for (const [seat, places] of room.footprints) this.#map.prints(seat, places);
    if (room.mySeat !== undefined && !room.run) this.#map.line(room.mySeat, room.path.length > 0 ? room.path : null);
  }

  /** Moves all players to their places without a glide. */
  placePlayers() {
    // The room still has the places of players who have left.
    for (const [seat, place] of this.#room.positions) if (this.#seats.has(seat)) this.#map.place(seat, place, true);
  }

  /** Shows the changes by a tick and its new events. */
  update(tick, events) {
    if (events.some(({ joined, left, held, back }) => joined || left || held || back)) this.dress();
    for (const { left, captured } of events) {
      if (left?.seat !== undefined) this.#remove(left.seat);
      if (captured && !captured.land) this.#map.line(captured.seat ?? 0, null);
      if (captured?.land) this.drawGround();
    }
    for (const seat of tick.seats ?? []) this.#moved(seat, this.#room.positions.get(seat));
    if (tick.arena) this.drawGround();
    if (tick.cellStarts) {
      const takers = [...new Set(tick.cellSeats)].filter((seat) => this.#room.positions.has(seat));
      this.#map.cellsChanged(takers.map((seat) => [seat, this.#room.positions.get(seat)]));
    }
  }

  /** Brings everybody's looks up to date. */
  dress() {
    const room = this.#room;
    for (const { seat, nickname, held, walker } of room.seated) {
      const isMe = seat === room.mySeat;
      this.#seats.add(seat);
      const looks = { name: nickname, colour: seatColour(seat), isHeld: held ?? false, isMe, isWalker: walker ?? false };
      this.#map.dress(seat, { ...looks, ...this.looksOf(seat) });
    }
  }

  drawGround() {
    const room = this.#room;
    if (room.arena) this.#map.setArena(room.arena, room.cells, seatColour);
    const colour = ({ holder }) => (holder === undefined ? null : seatColour(holder));
    this.#map.setLands(room.lands.map((land) => ({ ...land, colour: colour(land) })));
  }

  #remove(seat) {
    this.#seats.delete(seat);
    this.#map.remove(seat);
  }

  #moved(seat, place) {
    const room = this.#room;
    if (!this.#seats.has(seat)) return;
    if (!this.isAhead(seat)) this.#map.place(seat, place);
    const points = room.points.get(seat);
    if (room.mode === "FOOTPRINT" && points > (this.#points.get(seat) ?? 0)) this.#map.print(seat, place);
    this.#points.set(seat, points);
    // The server sends my own path alone. Other players' paths are drawn from the border of their ground.
    if (room.mode !== "TERRITORY" || seat === room.mySeat) return;
    const isHome = room.cells?.[room.cellAt(place)] === seat;
    if (isHome) this.#map.line(seat, null);
    else if (!this.#map.actors.hasLine(seat)) this.#map.line(seat, [place]);
  }
}
