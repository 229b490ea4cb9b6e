// The wall: the busiest game live and large, and the other rooms as tiles, for a screen that stays on. It has two feeds:
// the console's own brings the list of rooms, and another one the large room.
import { clockText, make, seatColour } from "./dom.js";
import { number, say } from "./language.js";
import { GroundMap } from "./map.js";
import { RoomCopy } from "./room.js";
import { RoomScene } from "./scene.js";
import { Feed } from "./console-feed.js";
import { nameOfWalker, plain } from "./console-format.js";
import { button, link, setText, tag } from "./console-parts.js";
import { Roving } from "./console-roving.js";
import { Pager } from "./console-table.js";

/** The rooms of a page of the wall, on the first one those with the most players: as many as the server tells at once. */
const roomsMax = 200;
const standingsMax = 5;
/** The large room stays while it plays and has this share of the busiest room's players. */
const stayShare = 0.5;
const glideMs = 1_000;

export class WallView {
  element;
  #app;
  #large = new LargeRoom();
  #tiles = make("ol", "wall-tiles");
  #empty = make("p", "empty", say("noRooms"));
  #pager = new Pager((offset) => this.#watch(offset));
  #rows = new Map();
  #roving = new Roving(this.#tiles, { isGrid: true });
  #clock = null;

  constructor(app) {
    this.#app = app;
    this.#tiles.dataset.rows = "";
    const head = make("div", "view-head", make("h1", "", say("wall")));
    const screen = make("div", "wall", this.#large.element, this.#tiles, this.#empty, this.#pager.element);
    if (document.fullscreenEnabled) {
      head.append(make("div", "head-tools", button(say("wholeScreen"), () => screen.requestFullscreen())));
    }
    this.element = make("div", "wall-view", head, screen);
  }

  enter() {
    this.#watch(0);
    this.#large.begin();
    this.#clock = setInterval(() => this.#large.refresh(), 250);
  }

  #watch(offset) {
    this.#app.feed.watch({ watch: "rooms", sort: "players", descending: true, offset, limit: roomsMax });
  }

  leave() {
    clearInterval(this.#clock);
    this.#large.end();
    if (document.fullscreenElement) document.exitFullscreen();
  }

  receive(kind, body) {
    if (kind !== "rooms") return;
    const { rows, total = 0, matching = total, offset = 0 } = body;
    // Rooms have ended meanwhile, and the page with them.
    if (rows.length === 0 && offset > 0) return this.#watch(0);
    // The busiest are on the first page. On others the large room stays.
    const large = offset === 0 ? this.#choose(rows)?.id ?? null : this.#large.id;
    this.#large.show(large);
    this.#showTiles(rows.filter(({ id }) => id !== large));
    this.#empty.hidden = rows.length > 0;
    this.#pager.element.hidden = matching <= roomsMax;
    this.#pager.show({ total, matching, offset, limit: roomsMax, count: rows.length });
  }

  /** The room to be shown large: a game that is on, the present one as long as it is among the busy ones. */
  #choose(rows) {
    const games = rows.filter(({ phase }) => phase === "PLAYING");
    const busiest = games[0] ?? rows[0];
    const present = games.find(({ id }) => id === this.#large.id);
    return present && present.players >= stayShare * busiest.players ? present : busiest;
  }

  #showTiles(rows) {
    const known = this.#rows;
    this.#rows = new Map(rows.map((row) => [row.id, known.get(row.id) ?? new Tile(row)]));
    for (const [id, tile] of known) if (!this.#rows.has(id)) tile.element.remove();
    rows.forEach((row, at) => {
      const tile = this.#rows.get(row.id);
      tile.show(row);
      if (this.#tiles.children[at] !== tile.element) this.#tiles.insertBefore(tile.element, this.#tiles.children[at] ?? null);
    });
    this.#roving.refresh();
  }
}

/** A small room: a link with its code, game, players and suspects. */
class Tile {
  element = make("li", "wall-tile");
  #game = make("span", "soft");
  #players = make("span");
  #meter = make("i", "meter");
  #suspects = tag("", "warn");

  constructor({ id, code }) {
    const name = link(code || `${say("solo")} ${id.slice(0, 8)}`, `#/room/${id}`, "code");
    // Its tile has the place in the order of Tab.
    name.tabIndex = -1;
    this.element.append(name, this.#game, make("span", "wall-players", this.#meter, this.#players), this.#suspects);
  }

  show({ mode, phase, players, capacity, suspects }) {
    this.element.dataset.phase = phase;
    setText(this.#game, `${say(mode)} · ${say(phase)}`);
    setText(this.#players, `${number(players)} / ${number(capacity)}`);
    this.#meter.style.setProperty("--share", capacity > 0 ? players / capacity : 0);
    this.#suspects.hidden = !suspects;
    setText(this.#suspects, suspects ? say("suspectsCount", { n: suspects }) : "");
  }
}

/** A room on a map with its best players, live by a feed of its own. */
class LargeRoom {
  element;
  id = null;
  #feed = null;
  #live = null;
  #map;
  #scene;
  #title = link("", "");
  #facts = make("span", "soft");
  #time = make("span", "map-time");
  #standings = make("ol", "wall-standings");

  constructor() {
    const canvas = make("canvas", "room-map");
    canvas.setAttribute("aria-label", say("mapHint"));
    this.#map = new GroundMap(canvas);
    this.#map.actors.glideMs = glideMs;
    this.#map.hasStreets = true;
    this.#scene = new RoomScene(this.#map);
    this.#scene.looksOf = (seat) => ({ name: plain(this.#live.players.get(`s${seat}`).nickname) });
    const head = make("header", "card-head", make("h2", "", this.#title), this.#facts);
    const frame = make("div", "map-frame", canvas, make("div", "map-top", this.#time));
    this.element = make("section", "card wall-large", head, frame, this.#standings);
    this.element.hidden = true;
  }

  begin() {
    const words = () => ({ unsent: say("actUnsent"), lost: say("actLost"), late: say("actLate") });
    this.#feed = new Feed({ message: (kind, body) => this.#receive(kind, body), status: () => {}, words });
    this.#map.start();
  }

  end() {
    this.#feed.end();
    this.#map.stop();
  }

  /** Shows this room; null for none. */
  show(id) {
    this.element.hidden = id === null;
    if (this.id === id) return;
    this.id = id;
    this.#live = null;
    if (id === null) return;
    this.#title.setAttribute("href", `#/room/${id}`);
    this.#feed.watch({ watch: "room", room: id });
    this.#feed.begin();
  }

  refresh() {
    const isOn = this.#live?.phase === "PLAYING";
    setText(this.#time, isOn ? say("timeLeft", { time: clockText(this.#live.leftMs) }) : "");
  }

  #receive(kind, body) {
    if (body.id !== this.id) return;
    if (kind === "room") this.#take(body.state);
    if (kind === "tick" && this.#live) this.#apply(body.tick);
  }

  #take(state) {
    const isNew = this.#live?.gameId !== (state.gameId ?? "");
    if (this.#live) this.#live.replace(state);
    else this.#live = new RoomCopy(state, null, nameOfWalker);
    this.#scene.show(this.#live, isNew);
    if (isNew) this.#map.actors.isEmpty ? this.#map.showGround() : this.#map.showAll();
    this.#showHead();
  }

  #apply(tick) {
    const room = this.#live;
    const wasEmpty = this.#map.actors.isEmpty;
    const events = room.apply(tick);
    const phase = events.findLast((event) => event.phase)?.phase;
    if (phase) this.#scene.show(room, phase.phase === "PLAYING");
    else this.#scene.update(tick, events);
    if (wasEmpty && !this.#map.actors.isEmpty) this.#map.showAll();
    this.#showHead();
  }

  #showHead() {
    const room = this.#live;
    setText(this.#title, room.code || `${say("solo")} ${this.id.slice(0, 8)}`);
    const seated = say("seated", { n: number(room.seated.length), capacity: number(room.capacity) });
    setText(this.#facts, `${say(room.mode)} · ${say(room.phase)} · ${seated}`);
    const best = room.best(standingsMax);
    while (this.#standings.children.length > best.length) this.#standings.lastChild.remove();
    best.forEach(({ seat, nickname, points, walker }, at) => {
      const row = this.#standings.children[at] ?? this.#standings.appendChild(make("li", "", make("b"), make("span")));
      row.style.setProperty("--seat", seatColour(seat));
      row.classList.toggle("walker", walker === true);
      setText(row.firstChild, plain(nickname));
      setText(row.lastChild, number(points));
    });
  }
}
