// The map of a game that is over, with a bar to go through its time: the final map first. The page of a room and the page
// of a link share it; it knows neither connections nor links.
import { prefersStillness } from "./actors.js";
import { clockText, make, seatColour } from "./dom.js";
import { Labels } from "./labels.js";
import { number, say } from "./language.js";
import { GroundMap } from "./map.js";
import { drawWays } from "./track-ways.js";

/** A whole game plays in about this time. */
const playMs = 20_000;
/** Where motion is unwanted, it plays in so many pictures. */
const stillPictures = 20;
const legendMax = 16;
/** Room for names above marks, and for the buttons on the right; pixels. */
const margins = { top: 44, right: 68, bottom: 24, left: 24 };
const icons = { play: "M8 5l11 7-11 7z", pause: "M8 5v14M16 5v14", closer: "M12 5v14M5 12h14", further: "M5 12h14", all: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5" };

export class TrackMap {
  element;
  #film;
  #map;
  #nameOf;
  #mySeat;
  /** Called after each change of the moment. */
  #moved;
  #play;
  #range = make("input");
  #time = make("span", "track-time");
  #timer = null;
  #shown = new Set();

  /** `nameOf` names a seat; `moved` is called with the film after each change of its moment. */
  constructor(film, { nameOf, mySeat, moved = () => {} }) {
    this.#film = film;
    this.#nameOf = nameOf;
    this.#mySeat = mySeat;
    this.#moved = moved;
    const canvas = make("canvas", "track-canvas");
    canvas.setAttribute("role", "img");
    canvas.dataset.sayLabel = "trackMap";
    canvas.setAttribute("aria-label", say("trackMap"));
    this.#map = new GroundMap(canvas);
    this.#map.hasStreets = true;
    this.#map.actors.trailMax = 1;
    this.#map.actors.labels = new Labels();
    this.#map.layer = (view) => drawWays(view, film.ways, (seat) => film.stepsOf(seat));
    const tools = make(
      "div",
      "track-tools",
      iconButton("closer", "zoomIn", () => this.#map.zoom(1.5)),
      iconButton("further", "zoomOut", () => this.#map.zoom(1 / 1.5)),
      iconButton("all", "everyone", () => this.#lookAtAll())
    );
    this.#play = iconButton("play", "trackPlay", () => (this.#timer === null ? this.play() : this.pause()));
    this.#range.type = "range";
    this.#range.min = 0;
    this.#range.max = Math.max(1, film.endMs);
    this.#range.step = Math.max(100, Math.round(film.endMs / 100));
    this.#range.value = film.endMs;
    this.#range.setAttribute("aria-label", say("trackMoment"));
    this.#range.dataset.sayLabel = "trackMoment";
    this.#range.addEventListener("input", () => {
      this.pause();
      const ms = Number(this.#range.value);
      // The last step of the bar may lie before the end.
      this.seek(ms + Number(this.#range.step) > film.endMs ? film.endMs : ms);
    });
    this.element = make(
      "div",
      "track",
      make("div", "track-ground", canvas, tools),
      make("div", "track-bar", this.#play, this.#range, this.#time)
    );
  }

  /** Shows the final map. The element must be in the page. */
  show() {
    this.#map.start();
    this.#drawGround();
    this.seek(this.#film.endMs);
    requestAnimationFrame(() => this.#lookAtAll());
  }

  hide() {
    this.pause();
    this.#map.stop();
  }

  play() {
    const { endMs } = this.#film;
    if (this.#film.atMs >= endMs) this.seek(0);
    const isStill = prefersStillness();
    const everyMs = isStill ? playMs / stillPictures : 50;
    this.#timer = setInterval(() => {
      this.seek(this.#film.atMs + Math.max(everyMs, (endMs * everyMs) / playMs));
      if (this.#film.atMs >= endMs) this.pause();
    }, everyMs);
    setIcon(this.#play, "pause", "trackPause");
  }

  pause() {
    clearInterval(this.#timer);
    this.#timer = null;
    setIcon(this.#play, "play", "trackPlay");
  }

  /** Goes to a moment. */
  seek(ms) {
    const film = this.#film;
    if (film.seek(ms)) this.#drawChanges();
    for (const seat of film.ways.keys()) this.#place(seat);
    this.#range.value = film.atMs;
    this.#range.setAttribute("aria-valuetext", clockText(film.atMs));
    this.#time.textContent = `${clockText(film.atMs)} / ${clockText(film.endMs)}`;
    this.#map.redraw();
    this.#moved(film);
  }

  #place(seat) {
    const place = this.#film.placeOf(seat);
    if (!place) {
      if (this.#shown.delete(seat)) this.#map.remove(seat);
      return;
    }
    if (!this.#shown.has(seat)) {
      this.#shown.add(seat);
      this.#dress(seat);
    }
    this.#map.place(seat, place, true);
  }

  /** Writes the names anew, in the language of now. */
  rename() {
    for (const seat of this.#shown) this.#dress(seat);
  }

  #dress(seat) {
    this.#map.dress(seat, { name: this.#nameOf(seat), colour: seatColour(seat), isMe: seat === this.#mySeat, isWalker: this.#film.walkers.includes(seat) });
  }

  #drawGround() {
    const { track, cells } = this.#film;
    if (track.arena) this.#map.setArena(track.arena, cells, seatColour);
    this.#drawLands();
  }

  #drawChanges() {
    this.#map.cellsChanged();
    this.#drawLands();
  }

  #drawLands() {
    const { lands } = this.#film;
    if (lands.length === 0) return;
    this.#map.setLands(lands.map((land) => ({ ...land, colour: land.holder === undefined ? null : seatColour(land.holder) })));
  }

  /** Shows all ways and all ground. */
  #lookAtAll() {
    const places = [...this.#film.places, ...heldCorners(this.#film), ...landPlaces(this.#film)];
    if (places.length > 0) this.#map.showPlaces(places, margins);
    else this.#map.showGround();
  }
}

/** The name of a practice opponent; null for any other seat. */
export function walkerName({ walkers }, seat) {
  return walkers.includes(seat) ? say("trackWalker", { n: walkers.indexOf(seat) + 1 }) : null;
}

/** The rows of the board with the points at the end, and practice opponents behind them: they have no rank. */
export function rowsOf({ board, walkers, points: ends }) {
  return [...board, ...walkers.map((seat) => ({ seat, points: ends.get(seat) ?? 0, walker: true }))];
}

/** The players in the colours of the map, with their points at the end, and practice opponents behind them. */
export function legend(film, nameOf, textOf) {
  const rows = rowsOf(film).slice(0, legendMax).map(({ seat = 0, points = 0, walker }) => {
    const dot = make("i", walker ? "dot walker" : "dot");
    dot.style.setProperty("--seat", seatColour(seat));
    return make("li", "", dot, make("span", "", nameOf(seat)), make("b", "", textOf(points)));
  });
  return make("ul", "track-legend", ...rows);
}

/** Points in the unit of the mode. */
export function pointsText(mode, points) {
  const key = { TERRITORY: "area", LAND: "lands" }[mode] ?? "points";
  return say(key, { n: number(points) });
}

/** The corners of the box around all cells that somebody holds at the shown moment. */
export function heldCorners({ track: { arena }, cells }) {
  if (!arena || !cells) return [];
  let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity];
  cells.forEach((seat, cell) => {
    if (seat < 0) return;
    [west, east] = [Math.min(west, cell % arena.cells), Math.max(east, (cell % arena.cells) + 1)];
    const row = Math.floor(cell / arena.cells);
    [south, north] = [Math.min(south, row), Math.max(north, row + 1)];
  });
  if (west > east) return [];
  const metresPerUnit = 0.011119508;
  const cosine = Math.cos((arena.latE7 / 1e7) * (Math.PI / 180));
  const place = (column, row) => ({
    latE7: arena.latE7 + ((row - arena.cells / 2) * arena.cellM) / metresPerUnit,
    lngE7: arena.lngE7 + ((column - arena.cells / 2) * arena.cellM) / metresPerUnit / cosine,
  });
  return [place(west, south), place(east, north)];
}

function landPlaces({ track: { lands = [] } }) {
  return lands.flatMap(({ latE7, lngE7 }) => latE7.map((latitude, index) => ({ latE7: latitude, lngE7: lngE7[index] })));
}

function iconButton(icon, key, act) {
  const button = make("button", "round");
  button.type = "button";
  setIcon(button, icon, key);
  button.addEventListener("click", act);
  return button;
}

function setIcon(button, icon, key) {
  if (button.dataset.icon === icon) return;
  button.dataset.icon = icon;
  button.dataset.sayLabel = key;
  button.setAttribute("aria-label", say(key));
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", icons[icon]);
  picture.append(path);
  button.replaceChildren(picture);
}
