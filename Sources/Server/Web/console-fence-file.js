// Fences in a GeoJSON file, in the form of `madang fences import`: the same features, properties and identifiers. It
// reads the file; whether a shape is a fence's is the server's to judge.

const dwellMaxS = 86_400;
const latE7Max = 850_000_000;
const lngE7Max = 1_800_000_000;
const radiusRangeMm = [5_000, 50_000_000];
const cornersRange = [3, 1_000];
/** A message to the feed has 256 KiB. */
const partBytesMax = 200 * 1_024;
const partFencesMax = 1_000;
const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** A feature that is no fence: a key of the words, with its values. */
class Refusal extends Error {
  constructor(key, values = {}) {
    super(key);
    Object.assign(this, { key, values });
  }
}

/**
 * Reads a file's text. `offers` have `fence`, as the server takes it, and `title`; `refused` have `title`, `key` and
 * `values`. A title has `n`, the feature's number in the file from 0, its `name`, and `polygon`, the number of one of
 * several. Throws `Refusal` for a text that is no GeoJSON. Of fences with one identifier the first one counts.
 */
export async function readFences(text) {
  const offers = new Map();
  const refused = [];
  for (const [n, feature] of featuresIn(text).entries()) {
    const read = [];
    for (const [suffix, fenceOf] of shapesOf(feature)) {
      const title = { n, name: textOr(feature?.properties?.name, ""), polygon: suffix };
      try {
        read.push({ title, fence: await fenceOf() });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        read.push({ title, key: error.key, values: error.values });
      }
    }
    const isWhole = read.every(({ fence }) => fence);
    for (const { title, fence, key, values } of read) {
      const earlier = offers.get(fence?.fenceId);
      if (!fence) refused.push({ title, key, values });
      else if (!isWhole) refused.push({ title, key: "refused.part", values: {} });
      else if (earlier) refused.push({ title, key: "refused.repeated", values: { n: earlier.title.n } });
      else offers.set(fence.fenceId, { fence, title });
    }
  }
  return { offers: [...offers.values()], refused };
}

/** The offers in parts, each of which fits one message. */
export function partsOf(offers) {
  const parts = [];
  let bytes = Infinity;
  for (const offer of offers) {
    const more = new TextEncoder().encode(JSON.stringify(offer.fence)).length + 1;
    if (bytes + more > partBytesMax || parts.at(-1).length >= partFencesMax) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1).push(offer);
    bytes += more;
  }
  return parts;
}

function featuresIn(text) {
  let root;
  try {
    root = JSON.parse(text);
  } catch (error) {
    // The browser's own words name the place: its line and column, or the text around.
    throw new Refusal("refused.notJSON", { why: error.message });
  }
  if (root?.type === "Feature") return [root];
  if (root?.type === "FeatureCollection" && Array.isArray(root.features)) return root.features;
  throw new Refusal("refused.notGeoJSON");
}

/** The readers of a feature's shapes, each with the suffix of its name. */
function shapesOf(feature) {
  const { type, coordinates } = feature?.geometry ?? {};
  if (type === "Point" || type === "Polygon") return [["", () => fenceOf(feature, coordinates, "")]];
  const fail = (key, values) => [["", () => Promise.reject(new Refusal(key, values))]];
  if (!isThere(type)) return fail("refused.noGeometry");
  if (type !== "MultiPolygon") return fail("refused.shape", { type: `${type}` });
  if (!Array.isArray(coordinates) || coordinates.length === 0) return fail("refused.malformed");
  return coordinates.map((rings, at) => {
    const suffix = coordinates.length > 1 ? ` ${at + 1}` : "";
    return [suffix, () => fenceOf(feature, rings, suffix)];
  });
}

async function fenceOf({ id, geometry, properties }, coordinates, suffix) {
  const { name, topic, dwellS, opensAt, closesAt, radiusM } = properties ?? {};
  if (typeof name !== "string") throw new Refusal("refused.noName");
  const fence = { fenceId: await identifierOf(id, name, suffix), name: name + suffix };
  if (isThere(topic)) fence.topic = checked("topic", topic, typeof topic === "string");
  if (isThere(dwellS)) fence.dwellS = checked("dwellS", dwellS, Number.isInteger(dwellS) && dwellS >= 1 && dwellS <= dwellMaxS);
  if (isThere(opensAt)) fence.opensAtMs = timeOf("opensAt", opensAt);
  if (isThere(closesAt)) fence.closesAtMs = timeOf("closesAt", closesAt);
  return { ...fence, ...(geometry.type === "Point" ? circleOf(coordinates, radiusM) : ringOf(coordinates)) };
}

/** The identifier that the command makes of the feature's own, or else of its name. */
async function identifierOf(id, name, suffix) {
  const isKnown = typeof id === "string" || typeof id === "number";
  if (isThere(id) && !isKnown) throw new Refusal("refused.identifier");
  const text = `madang fence ${isKnown ? `id ${id}` : `name ${name}`}${suffix}`;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...digest.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function circleOf(position, radiusM) {
  const radiusMm = Math.round(radiusM * 1_000);
  // A number in binary is seldom a whole number of mm.
  const isWhole = typeof radiusM === "number" && Math.abs(radiusM * 1_000 - radiusMm) <= 0.001;
  checked("radiusM", radiusM, isWhole && radiusMm >= radiusRangeMm[0] && radiusMm <= radiusRangeMm[1]);
  return { ...placeOf(position, 0), radiusMm };
}

function ringOf(rings) {
  if (!Array.isArray(rings) || !Array.isArray(rings[0])) throw new Refusal("refused.malformed");
  if (rings.length > 1) throw new Refusal("refused.hole");
  const places = rings[0].map(placeOf);
  const [first, last] = [places[0], places.at(-1)];
  const isClosed = first?.latE7 === last?.latE7 && first?.lngE7 === last?.lngE7;
  if (!isClosed || places.length <= cornersRange[0]) throw new Refusal("refused.notClosed");
  if (places.length > cornersRange[1] + 1) throw new Refusal("refused.corners", { n: cornersRange[1] });
  return { ringLatE7: places.map(({ latE7 }) => latE7), ringLngE7: places.map(({ lngE7 }) => lngE7) };
}

/** A place of a shape, by its number there. GeoJSON has the longitude first. */
function placeOf(position, n) {
  const isPosition = Array.isArray(position) && typeof position[0] === "number" && typeof position[1] === "number";
  if (!isPosition) throw new Refusal("refused.malformed");
  const [lng, lat] = position;
  if (Math.abs(lat) > 90 && Math.abs(lat) <= 180 && Math.abs(lng) <= 90) throw new Refusal("refused.swapped", { n });
  const [lngE7, latE7] = [lng, lat].map((degrees) => Math.sign(degrees) * Math.round(Math.abs(degrees) * 1e7));
  if (Math.abs(latE7) > latE7Max || Math.abs(lngE7) > lngE7Max) {
    throw new Refusal("refused.offTheMap", { n });
  }
  return { latE7, lngE7 };
}

function timeOf(property, text) {
  const [, year, month, day] = rfc3339.exec(text) ?? [];
  // Date would count the 30th of February as a day of March.
  const isDay = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === Number(day);
  const ms = Date.parse(text);
  return checked(property, ms, isDay && ms >= 0);
}

function isThere(value) {
  return value !== undefined && value !== null;
}

function textOr(value, otherwise) {
  return typeof value === "string" ? value : otherwise;
}

function checked(property, value, isSound) {
  if (!isSound) throw new Refusal("refused.property", { property });
  return value;
}
