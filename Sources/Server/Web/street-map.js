// The map of streets under the ground, drawn by MapLibre from the server's own tiles. It lies below the ground's canvas,
// which is clear there, and is drawn in the same frame: always at the ground's middle and scale. It is loaded when the
// ground shows a part of it for the first time. Until it is there, and where there is none, the ground is as ever.
import { make, onColours, streets } from "./dom.js";
import { drawEdge } from "./ground.js";
import { nameImage, nameOf, streetStyle } from "./street-style.js";

/** The smallest scale with streets, pixels a metre: from further away the ground and MapLibre's earth differ. */
const scaleMin = 0.05;

export class StreetMap {
  #ground;
  #canvas;
  /** Draws the ground where there are no streets. */
  #grid;
  #about = streets;
  /** MapLibre's map, and the elements below and above the canvas; null until they are needed. */
  #map = null;
  #below = null;
  #credit = null;
  #isLoading = false;
  #isDrawn = false;
  /** Without WebGL or the library it is not tried again. */
  #hasFailed = false;
  #shown = { place: "", width: 0, height: 0 };
  #stopListening = null;

  /** Draws the page's map as the ground of a `GroundMap`, below its canvas. */
  constructor(ground, canvas) {
    this.#ground = ground;
    this.#canvas = canvas;
    this.#grid = ground.grid;
    ground.grid = (view, arena) => this.#draw(view, arena);
    ground.redraw();
  }

  /** Draws the ground: streets where there are any, and lines elsewhere. */
  #draw(view, arena) {
    const box = this.#box(view);
    const { context, width, height } = view;
    const isInSight = box.left < width && box.right > 0 && box.top < height && box.bottom > 0;
    const isWanted = isInSight && view.scale >= scaleMin && !this.#hasFailed;
    if (isWanted && !this.#map && !this.#isLoading) this.#load(view);
    if (isWanted && this.#map) this.#follow(view);
    const isDrawn = isWanted && this.#isDrawn;
    if (this.#credit) this.#credit.hidden = !isDrawn;
    if (!isDrawn) return this.#grid(view, arena);
    const isWhole = box.left <= 0 && box.top <= 0 && box.right >= width && box.bottom >= height;
    if (!isWhole) this.#grid(view, arena);
    context.clearRect(box.left, box.top, box.right - box.left, box.bottom - box.top);
    if (!arena) return;
    shadeAround(view, arena);
    drawEdge(view, arena);
  }

  /** Gives everything up that a browser has few of. The next frame of the ground begins anew. */
  remove() {
    this.#stopListening?.();
    this.#map?.remove();
    this.#below?.remove();
    this.#credit?.remove();
    this.#map = this.#below = this.#credit = this.#stopListening = null;
    this.#isLoading = this.#isDrawn = false;
    this.#shown = { place: "", width: 0, height: 0 };
  }

  /** The part of the canvas that the map covers. */
  #box(view) {
    const { westE7, southE7, eastE7, northE7 } = this.#about;
    const west = view.metres({ latE7: southE7, lngE7: westE7 });
    const east = view.metres({ latE7: northE7, lngE7: eastE7 });
    return { left: view.x(west.x), right: view.x(east.x), top: view.y(east.y), bottom: view.y(west.y) };
  }

  async #load(view) {
    this.#isLoading = true;
    try {
      await Promise.all([loadStyle("street-map.css"), loadScript(this.#about.library)]);
      // The ground may have been left meanwhile.
      if (this.#isLoading) this.#begin(view);
    } catch {
      this.#hasFailed = true;
      this.remove();
    }
    this.#ground.redraw();
  }

  #begin(view) {
    const about = this.#about;
    this.#below = make("div", "streets");
    this.#below.setAttribute("aria-hidden", "true");
    this.#credit = make("p", "streets-credit", about.attribution);
    this.#credit.hidden = true;
    this.#canvas.before(this.#below);
    this.#canvas.after(this.#credit);
    maplibregl.setWorkerCount(1);
    const map = new maplibregl.Map({
      container: this.#below,
      style: streetStyle(about, isDark()),
      ...camera(view),
      maxZoom: 24,
      interactive: false,
      attributionControl: false,
      trackResize: false,
      renderWorldCopies: false,
      refreshExpiredTiles: false,
      pixelRatio: view.ratio,
      canvasContextAttributes: { antialias: false, powerPreference: "low-power" },
    });
    this.#map = map;
    map.on("error", () => {
      // A tile that could not be loaded stays empty.
    });
    map.on("styleimagemissing", ({ id }) => {
      if (!map.hasImage(id)) map.addImage(id, ...nameImage(nameOf(id), isDark()));
    });
    map.once("load", () => this.#become(true));
    map.on("webglcontextlost", () => this.#become(false));
    map.on("webglcontextrestored", () => this.#become(true));
    this.#stopListening = onColours(() => map.setStyle(streetStyle(about, isDark())));
  }

  #become(isDrawn) {
    this.#isDrawn = isDrawn;
    if (isDrawn) performance.mark("streets-drawn");
    this.#ground.redraw();
  }

  /** Draws the map at the view's place, where it has moved. */
  #follow(view) {
    const { width, height } = view;
    const { center, zoom } = camera(view);
    const place = `${center} ${zoom}`;
    const isResized = this.#shown.width !== width || this.#shown.height !== height;
    if (!isResized && this.#shown.place === place) return;
    this.#shown = { place, width, height };
    if (isResized) this.#map.resize();
    this.#map.jumpTo({ center, zoom });
    // In this frame, not in the next one: streets and players move together.
    if (this.#isDrawn) this.#map.redraw();
  }
}

function isDark() {
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/** The view's middle and scale, as MapLibre counts: at zoom 0 the earth is 512 pixels around. */
function camera({ width, height, scale, centre, place, metres }) {
  const { latE7, lngE7 } = place({ x: width / 2, y: height / 2 });
  const east = metres({ latE7, lngE7: lngE7 + 100_000 });
  const pixelsPerDegree = (east.x - centre.x) * scale * 100;
  return { center: [lngE7 / 1e7, latE7 / 1e7], zoom: Math.log2((pixelsPerDegree * 360) / 512) };
}

/** Makes the ground around the arena darker. */
function shadeAround({ context, width, height, colours, scale, x, y }, { west, south, side }) {
  context.beginPath();
  context.rect(0, 0, width, height);
  context.rect(x(west), y(south + side), side * scale, side * scale);
  context.globalAlpha = 0.6;
  context.fillStyle = colours["ground-out"];
  context.fill("evenodd");
  context.globalAlpha = 1;
}

function loadScript(path) {
  const script = document.createElement("script");
  script.src = path;
  return window.maplibregl ? null : added(script);
}

function loadStyle(name) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(name, import.meta.url).href;
  return [...document.styleSheets].some(({ href }) => href === link.href) ? null : added(link);
}

function added(element) {
  return new Promise((resolve, reject) => {
    element.onload = resolve;
    element.onerror = reject;
    document.head.append(element);
  });
}
