// The console's map of places: fences, lands, capsules and clusters, anywhere on Earth. It tells which part it shows,
// and asks for nothing itself.
import { CapsuleLayer } from "./capsule-layer.js";
import { make } from "./dom.js";
import { say } from "./language.js";
import { DraftLayer } from "./console-draft-layer.js";
import { drawFences, drawGraticule } from "./console-fence-layer.js";
import { drawLands } from "./console-land-layer.js";
import { iconButton, takeMapKey } from "./console-parts.js";
import { GroundMap } from "./map.js";

const metresPerUnit = 0.011119508;
/** Pixels a metre: the whole Earth is 400 pixels wide. */
const scaleMin = 0.00001;
const latE7Max = 900_000_000;
/** The middle is no nearer to a pole. */
const middleLatE7Max = 850_000_000;
const turnE7 = 3_600_000_000;
/** The ground around a single place, metres. */
const aroundM = 200;
/** The map is drawn to scale around its middle; after so many degrees the middle is another one. */
const middleDegreesMax = 0.5;
const middleLngDegreesMax = 30;

export class PlacesMap {
  element;
  #map;
  #handlers;
  #fences = [];
  #lands = [];
  #capsules = [];
  #clusters = [];
  /** The identifier of a fence or of a land. */
  #chosen = null;
  #shapes = [];
  #layer;
  #drawing;
  #canvas;
  #origin = null;
  #seen = "";

  /**
   * `handlers`: `seen(box, look)` with the shown box and how to show it again (`latE7`, `lngE7`, `scale`), after each
   * change; `all()`, everything is to be shown; `chose({ fence, land, capsules })`, what a press has hit;
   * `drew()`, a draft was changed on the map.
   */
  constructor(handlers) {
    this.#handlers = handlers;
    const canvas = make("canvas", "room-map");
    canvas.tabIndex = 0;
    canvas.setAttribute("aria-label", say("placesHint"));
    this.#canvas = canvas;
    canvas.addEventListener("keydown", (event) => {
      if (!this.#drawing.takeKey(event)) takeMapKey(event, this.#map, () => handlers.all());
    });
    for (const name of ["focus", "blur"]) canvas.addEventListener(name, () => this.#map.redraw());
    this.#map = new GroundMap(canvas);
    this.#map.scaleMin = scaleMin;
    this.#map.grid = drawGraticule;
    this.#map.hasStreets = true;
    this.#map.layer = (view) => this.#draw(view);
    this.#map.onTap = (place, point) => (this.#drawing.isOn ? this.#drawing.tap(place) : this.#tap(point));
    const map = this;
    this.#layer = new CapsuleLayer(
      {
        here: null,
        get clusters() { return map.#clusters; },
        get shown() { return map.#capsules; },
        isOpenable: () => false,
        isMine: () => false,
      },
      () => {},
    );
    const tools = make(
      "div",
      "map-tools",
      iconButton("plus", say("zoomIn"), () => this.#map.zoom(1.5)),
      iconButton("minus", say("zoomOut"), () => this.#map.zoom(1 / 1.5)),
      iconButton("everyone", say("showAllPlaces"), () => handlers.all()),
    );
    this.element = make("div", "map-frame", canvas, tools);
    this.#drawing = new DraftLayer(this.#map, this.element, canvas, () => handlers.drew());
  }

  /** Draws a draft, and changes it by presses and keys, from now on; null for none. */
  draft(draft) {
    this.#drawing.draft = draft;
    this.#canvas.setAttribute("aria-label", say(draft ? "draft.mapHint" : "placesHint"));
    if (draft) this.#canvas.focus();
  }

  redraw() {
    this.#map.redraw();
  }

  start() {
    this.#map.start();
  }

  stop() {
    this.#map.stop();
  }

  /** Shows places. Fences have their `state`; the largest fences and lands come first. */
  show(fences, lands, capsules, clusters) {
    this.#fences = fences;
    this.#lands = lands;
    this.#capsules = [...capsules];
    this.#clusters = clusters;
    this.#map.redraw();
  }

  /** Marks a fence or a land by its identifier; null for none. */
  choose(identifier) {
    this.#chosen = identifier;
    this.#map.redraw();
  }

  lookAt({ latE7, lngE7, scale }) {
    this.#map.lookAt({ latE7, lngE7 }, scale);
    this.#centre({ latE7, lngE7 });
  }

  /** Shows all of these fences or lands, and places; stays where it is if there are none. */
  showAll(shapes, places) {
    const corners = [...shapes.flatMap(cornersOf), ...places.flatMap((place) => around(place, aroundM))];
    this.#seen = "";
    this.#map.showPlaces(corners);
    // They are as wide as they look from their own middle.
    this.#map.centreOrigin();
    this.#map.showPlaces(corners);
  }

  #draw(view) {
    const taken = [];
    const fences = drawFences(view, this.#fences, this.#chosen, taken);
    this.#shapes = [...fences, ...drawLands(view, this.#lands, this.#chosen, taken)];
    this.#layer.draw(view);
    this.#drawing.draw(view);
    const [southWest, northEast] = [view.place({ x: 0, y: view.height }), view.place({ x: view.width, y: 0 })];
    const sides = sidesOf({ south: southWest.latE7, west: southWest.lngE7, north: northEast.latE7, east: northEast.lngE7 });
    const seen = JSON.stringify(sides);
    if (seen === this.#seen) return;
    this.#seen = seen;
    const middle = placeOnEarth(view.place({ x: view.width / 2, y: view.height / 2 }));
    this.#handlers.seen(sides, { ...middle, scale: view.scale });
    if (this.#isOff(middle)) this.#centre(middle);
  }

  #isOff({ latE7, lngE7 }) {
    const off = (name, value) => Math.abs(value - this.#origin[name]) / 1e7;
    return !this.#origin || off("latE7", latE7) > middleDegreesMax || off("lngE7", lngE7) > middleLngDegreesMax;
  }

  #centre({ latE7, lngE7 }) {
    this.#map.centreOrigin();
    this.#origin = { latE7: Math.max(-middleLatE7Max, Math.min(middleLatE7Max, latE7)), lngE7 };
  }

  /** Chooses what a press hits: a mark of capsules, a cluster, which comes apart, or the smallest fence or land. */
  #tap(point) {
    const mark = this.#layer.at(point);
    if (mark && !mark.isWhole) {
      this.#map.lookAt(mark.place);
      return this.#map.zoom(3);
    }
    if (mark) return this.#handlers.chose({ capsules: mark.capsules });
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    const hits = this.#shapes.filter(({ path }) => context.isPointInPath(path, point.x, point.y));
    const [hit = {}] = hits.toSorted((one, other) => sizeOf(one) - sizeOf(other));
    this.#handlers.chose({ fence: hit.fence ?? null, land: hit.land ?? null, capsules: [] });
  }
}

/** The box around a shape on the canvas, in square pixels. */
function sizeOf({ west, east, top, bottom }) {
  return (east - west) * (bottom - top);
}

/** A place with its longitude between -180 and 180 degrees. */
function placeOnEarth({ latE7, lngE7 }) {
  const lat = Math.round(Math.max(-latE7Max, Math.min(latE7Max, latE7)));
  return { latE7: lat, lngE7: Math.round(lngE7 - turnE7 * Math.round(lngE7 / turnE7)) };
}

/** The sides of a box as the feed takes them. */
function sidesOf({ south, west, north, east }) {
  const [low, high] = [placeOnEarth({ latE7: south, lngE7: west }), placeOnEarth({ latE7: north, lngE7: east })];
  const isAllAround = east - west >= turnE7;
  return {
    southE7: low.latE7,
    westE7: isAllAround ? -turnE7 / 2 : low.lngE7,
    northE7: high.latE7,
    eastE7: isAllAround ? turnE7 / 2 : high.lngE7,
  };
}

function cornersOf(fence) {
  if (fence.radiusMm !== undefined) return around(fence, fence.radiusMm / 1_000);
  return fence.ringLatE7.map((latE7, at) => ({ latE7, lngE7: fence.ringLngE7[at] }));
}

function around({ latE7, lngE7 }, metres) {
  const reach = metres / metresPerUnit;
  const across = reach / Math.cos((latE7 / 1e7) * (Math.PI / 180));
  return [
    { latE7: latE7 - reach, lngE7: lngE7 - across },
    { latE7: latE7 + reach, lngE7: lngE7 + across },
  ];
}
