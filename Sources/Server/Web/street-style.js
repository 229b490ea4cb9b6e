// The looks of streets: a style of MapLibre's for tiles with the layers of Protomaps' base map, light and dark. Names are
// pictures that the browser draws in its own letters, so no fonts are loaded. Pure.

const greens = [
  "park", "wood", "forest", "grass", "grassland", "meadow", "garden", "cemetery", "pitch", "playground", "golf_course",
  "nature_reserve", "national_park", "recreation_ground", "scrub", "village_green", "dog_park",
];
const light = {
  land: "#efe7d3", green: "#d5e0b8", water: "#b4d3e0", building: "#dfd3b8", wall: "#cdbf9f", edge: "#d3c6a6",
  road: "#fbf7ec", main: "#fff3c9", path: "#c3b38c", rail: "#b9b0a0", name: "#4a4232", halo: "#fbf7ec",
};
const dark = {
  land: "#19211d", green: "#1d3323", water: "#12303e", building: "#262f2a", wall: "#333e38", edge: "#141a17",
  road: "#3a4640", main: "#4a5244", path: "#4d5a52", rail: "#414a46", name: "#cdd8d1", halo: "#141a17",
};
/** Roads with their widths in metres; the more important lie above. */
const roads = [
  { kind: "minor_road", widthM: 6, colour: "road" },
  { kind: "major_road", widthM: 9, colour: "main" },
  { kind: "highway", widthM: 13, colour: "main" },
];

/** The style of the page's map. */
export function streetStyle(about, isDark) {
  const colours = isDark ? dark : light;
  const wide = (metres) => widthOf(metres, about.latE7 / 1e7);
  const fill = (id, from, filter, colour, rest = {}) => layer(id, "fill", from, filter, { "fill-color": colour, ...rest });
  const line = (id, from, filter, colour, metres, rest = {}) =>
    layer(id, "line", from, filter, { "line-color": colour, "line-width": wide(metres), ...rest }, round);
  return {
    version: 8,
    sources: { streets: source(about) },
    layers: [
      { id: "land", type: "background", paint: { "background-color": colours.land } },
      fill("green", "landuse", kind(...greens), colours.green),
      fill("square", "landuse", kind("pedestrian"), colours.road),
      fill("water", "water", shape("Polygon"), colours.water),
      line("stream", "water", shape("LineString"), colours.water, 3),
      line("rail", "roads", kind("rail"), colours.rail, 1.5),
      line("path", "roads", kind("path"), colours.path, 1.2, { "line-dasharray": [2, 2] }),
      ...roads.map((road) => line(`${road.kind}-edge`, "roads", kind(road.kind), colours.edge, road.widthM + 2)),
      ...roads.map((road) => line(road.kind, "roads", kind(road.kind), colours[road.colour], road.widthM)),
      fill("building", "buildings", shape("Polygon"), colours.building, { "fill-outline-color": colours.wall }),
      names(isDark),
    ],
  };
}

const round = { "line-cap": "round", "line-join": "round" };
const kind = (...kinds) => ["in", ["get", "kind"], ["literal", kinds]];
const shape = (type) => ["==", ["geometry-type"], type];

function layer(id, type, from, filter, paint, layout = {}) {
  return { id, type, source: "streets", "source-layer": from, filter, paint, layout };
}

function source({ tiles, minZoom, maxZoom, westE7, southE7, eastE7, northE7 }) {
  const bounds = [westE7, southE7, eastE7, northE7].map((unitsE7) => unitsE7 / 1e7);
  return { type: "vector", tiles: [`${location.origin}${tiles}`], minzoom: minZoom, maxzoom: maxZoom, bounds };
}

/** A width in metres from zoom 16 on; from further away lines are wider than they are. */
function widthOf(metres, latitude) {
  const pixels = (zoom) => (metres * 512 * 2 ** zoom) / (40_075_017 * Math.cos((latitude * Math.PI) / 180));
  const far = Math.max(0.5, metres / 12);
  return ["interpolate", ["exponential", 2], ["zoom"], 12, far, 16, pixels(16), 24, pixels(24)];
}

/** The layer of streets' names, each a picture by its name. */
function names(isDark) {
  const filter = ["all", ["has", "name"], kind("path", ...roads.map((road) => road.kind))];
  const layout = {
    "icon-image": ["concat", `${isDark ? "dark" : "light"}:`, ["get", "name"]],
    "symbol-placement": "line",
    "symbol-spacing": 320,
    "icon-rotation-alignment": "map",
    "icon-keep-upright": true,
    "icon-padding": 6,
  };
  return { ...layer("names", "symbol", "roads", filter, {}, layout), minzoom: 15 };
}

/** The name that a picture's identifier has. */
export const nameOf = (id) => id.slice(id.indexOf(":") + 1);

/** A name as a picture, and its pixels for one of the page. */
export function nameImage(name, isDark) {
  const colours = isDark ? dark : light;
  const pixelRatio = Math.min(devicePixelRatio || 1, 2);
  const font = "600 12px system-ui, sans-serif";
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.font = font;
  canvas.width = Math.ceil((Math.min(context.measureText(name).width, 300) + 6) * pixelRatio);
  canvas.height = 18 * pixelRatio;
  context.scale(pixelRatio, pixelRatio);
  Object.assign(context, { font, textBaseline: "middle", lineJoin: "round", lineWidth: 3 });
  context.strokeStyle = colours.halo;
  context.fillStyle = colours.name;
  context.strokeText(name, 3, 9.5);
  context.fillText(name, 3, 9.5);
  return [context.getImageData(0, 0, canvas.width, canvas.height), { pixelRatio }];
}
