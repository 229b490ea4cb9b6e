// The lands that a player may run around: those near a place on a small map and as a list, and one of them with its
// rankings and the player's own times. It knows nothing of runs.
import { errorText, find, make, sayError } from "./dom.js";
import { locale, number, say } from "./language.js";
import { GroundMap } from "./map.js";
import { chosenPositions, practiceStart, rememberedPlace } from "./position-choice.js";

/** The choices of the distance, km; `findLands` takes no more than 20. Without one it looks everywhere. */
const distancesKm = [1, 5, 20, 0];
const positionMs = 12_000;
const topRows = 10;
/** The whole map, for `everywhere`. */
const earth = { southE7: -850_000_000, westE7: -1_800_000_000, northE7: 850_000_000, eastE7: 1_800_000_000 };

/** Minutes, seconds and tenths of a run's time. */
export function runTime(ms) {
  const tenths = Math.round(ms / 100);
  const seconds = String(Math.floor(tenths / 10) % 60).padStart(2, "0");
  return `${Math.floor(tenths / 600)}:${seconds}.${tenths % 10}`;
}

/** A row of a ranking. */
export function rankRow({ rank, nickname, timeMs }, isOwn) {
  const row = make("li", isOwn ? "mine" : "", make("small", "", `${rank}`), make("span", "", nickname), make("b", "", runTime(timeMs)));
  return row;
}

export class RunLands {
  #connection;
  #run;
  #invite;
  #map = new GroundMap(find("#lands-map"));
  #lands = [];
  #cursor = "";
  #chosen = null;
  /** The chosen land's whole ring: `latE7`, `lngE7`; null before it has come. */
  #ring = null;
  #span = "THIS_WEEK";
  #ranking = null;
  #rows = [];
  #rowsCursor = "";
  #hasLooked = false;

  /** `run(land)` is called with the land that the player wants to run around, `invite(land)` where friends come along. */
  constructor(connection, run, invite) {
    this.#connection = connection;
    this.#run = run;
    this.#invite = invite;
    // Lands may be a country apart.
    this.#map.scaleMin = 1e-5;
    this.#map.hasStreets = true;
    find("#look-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#look();
    });
    find("#lands-more").addEventListener("click", () => this.#everywhere());
    find("#land-run").addEventListener("click", () => this.#chosen && this.#run(this.#chosen));
    find("#land-friends").addEventListener("click", () => this.#chosen && this.#invite(this.#chosen));
    find("#land-ranking-more").addEventListener("click", () => this.#moreRows());
    for (const button of document.querySelectorAll(".spans button")) {
      button.addEventListener("click", () => {
        this.#span = button.dataset.span;
        this.#loadRanking();
      });
    }
    this.#fillDistances();
  }

  /** The view is shown: looks for lands at the first time, and for new times later. */
  show() {
    if (!this.#hasLooked) this.#look();
    else if (this.#chosen) this.#loadRanking();
    if (this.#lands.length > 0) this.#drawMap();
  }

  /** The words are in another language now. */
  say() {
    this.#fillDistances();
    this.#showLands();
    this.#showLand();
  }

  #fillDistances() {
    const select = find("#within");
    const value = select.value || "5";
    const text = (km) => (km > 0 ? say("withinKm", { n: km }) : say("everywhere"));
    select.replaceChildren(...distancesKm.map((km) => Object.assign(make("option", "", text(km)), { value: km })));
    select.value = value;
  }

  async #look() {
    this.#hasLooked = true;
    const km = Number(find("#within").value);
    this.#lands = [];
    this.#cursor = "";
    this.#showLands(say("looking"));
    find("#look").disabled = true;
    try {
      if (km === 0) await this.#everywhere();
      else await this.#near(km);
    } catch (error) {
      this.#showLands(error.code === "LOST" ? "" : errorText(error));
      if (error.code === "LOST") this.#hasLooked = false;
    }
    find("#look").disabled = false;
  }

  async #near(km) {
    const place = await whereabouts();
    if (!place) return this.#showLands(say("placeUnknown"));
    const { latE7, lngE7 } = place;
    const within = { latE7, lngE7, withinM: km * 1_000, outlines: true };
    const { lands = [] } = await this.#connection.request("findLands", within);
    this.#found(lands);
  }

  /** A page of all lands. */
  async #everywhere() {
    const question = { ...earth, outlines: true, ...(this.#cursor ? { cursor: this.#cursor } : {}) };
    const { lands = [], nextCursor = "" } = await this.#connection.request("findLands", question);
    this.#cursor = nextCursor;
    this.#found([...this.#lands, ...lands]);
  }

  #found(lands) {
    this.#lands = lands;
    this.#showLands();
    this.#drawMap();
    const isThere = lands.some(({ landId }) => landId === this.#chosen?.landId);
    if (!isThere) this.#choose(lands[0] ?? null, false);
  }

  #showLands(text = this.#lands.length === 0 && this.#hasLooked ? say("landsNone") : "") {
    find("#lands-none").textContent = text;
    find("#lands-none").hidden = text === "";
    find(".lands-map").hidden = this.#lands.length === 0;
    find("#lands-more").hidden = this.#cursor === "";
    find("#lands").replaceChildren(...this.#lands.map((land) => this.#row(land)));
  }

  #row(land) {
    const away = land.distanceM === undefined ? null : say("awayM", { n: number(land.distanceM) });
    const facts = [say("lengthM", { n: number(land.lengthM ?? 0) }), away, bestText(land)].filter(Boolean).join(" · ");
    const button = Object.assign(make("button", "", make("b", "", land.name), make("small", "", facts)), { type: "button" });
    button.setAttribute("aria-pressed", `${land.landId === this.#chosen?.landId}`);
    button.addEventListener("click", () => this.#choose(land, true));
    return make("li", "", button);
  }

  #drawMap() {
    const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
    const rings = this.#lands.map(({ landId, name, outlineLatE7 = [], outlineLngE7 = [] }) => {
      const isChosen = landId === this.#chosen?.landId;
      const { latE7, lngE7 } = (isChosen && this.#ring) || { latE7: outlineLatE7, lngE7: outlineLngE7 };
      return { name, latE7, lngE7, isChosen, colour: isChosen ? accent : null };
    });
    this.#map.setLands(rings.filter(({ latE7 }) => latE7.length > 0));
    const chosen = rings.filter(({ isChosen }) => isChosen);
    const shown = chosen.length > 0 ? chosen : rings;
    const corners = shown.flatMap(({ latE7, lngE7 }) => latE7.map((latitude, index) => ({ latE7: latitude, lngE7: lngE7[index] })));
    this.#map.start();
    // The canvas has its size with the next frame.
    requestAnimationFrame(() => this.#map.showPlaces(corners));
  }

  async #choose(land, isByPlayer) {
    this.#chosen = land;
    this.#ring = null;
    this.#ranking = null;
    this.#showLands();
    this.#showLand();
    if (!land) return;
    this.#drawMap();
    if (isByPlayer) find("#land-name").focus();
    await Promise.all([this.#loadRing(land.landId), this.#loadRanking()]);
  }

  /** An outline has few corners on a map of much ground: the chosen land is drawn whole. */
  async #loadRing(landId) {
    try {
      const { latE7 = [], lngE7 = [] } = await this.#connection.request("land", { landId });
      if (this.#chosen?.landId !== landId) return;
      this.#ring = { latE7, lngE7 };
      this.#drawMap();
    } catch (error) {
      if (error.code !== "LOST") sayError(error);
    }
  }

  async #loadRanking() {
    const landId = this.#chosen?.landId;
    if (!landId) return;
    try {
      const question = { landId, top: topRows, span: this.#span };
      const ranking = await this.#connection.request("landRanking", question);
      if (this.#chosen?.landId !== landId || question.span !== this.#span) return;
      this.#ranking = ranking;
      this.#rows = ranking.top ?? [];
      this.#rowsCursor = "";
      this.#showLand();
    } catch (error) {
      if (error.code !== "LOST") sayError(error);
    }
  }

  /** The rows behind those that are shown. */
  async #moreRows() {
    const { landId } = this.#chosen;
    try {
      const question = { landId, span: this.#span, limit: 50, ...(this.#rowsCursor ? { cursor: this.#rowsCursor } : {}) };
      const { rows = [], nextCursor = "" } = await this.#connection.request("landRankingPage", question);
      if (this.#chosen?.landId !== landId) return;
      this.#rows = this.#rowsCursor ? [...this.#rows, ...rows] : rows;
      this.#rowsCursor = nextCursor;
      this.#showLand(nextCursor !== "");
    } catch (error) {
      if (error.code !== "LOST") sayError(error);
    }
  }

  #showLand(hasMore = this.#rows.length >= topRows) {
    const land = this.#chosen;
    find("#land").hidden = !land;
    if (!land) return;
    find("#land-name").textContent = land.name;
    find("#land-facts").textContent = `${say("lengthM", { n: number(land.lengthM ?? 0) })} · ${bestText(land)}`;
    for (const button of document.querySelectorAll(".spans button")) {
      button.setAttribute("aria-pressed", `${button.dataset.span === this.#span}`);
    }
    const { own = null, ownTimes = [] } = this.#ranking ?? {};
    const rows = this.#ranking ? [...this.#rows] : [];
    // The player's own row stands below the best, where it is not among them.
    if (own && !rows.some(({ rank }) => rank === own.rank)) rows.push(own);
    find("#land-ranking").replaceChildren(...rows.map((row) => rankRow(row, row.rank === own?.rank)));
    find("#land-ranking-none").textContent = this.#ranking && rows.length === 0 ? say("rankingNone") : "";
    find("#land-ranking-more").hidden = rows.length === 0 || !hasMore;
    find("#land-own").replaceChildren(...ownTimes.map((time) => ownRow(time)));
    find("#land-own-none").textContent = this.#ranking && ownTimes.length === 0 ? say("ownTimesNone") : "";
  }
}

function ownRow({ timeMs, capturedAtMs }) {
  const date = new Date(Number(capturedAtMs)).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });
  return make("li", "", make("b", "", runTime(timeMs)), make("small", "", date));
}

function bestText({ bestTimeMs }) {
  return bestTimeMs ? say("bestTime", { time: runTime(bestTimeMs) }) : say("noTime");
}

/** The player's place: by the receiver, or where practice begins; null while unknown. */
function whereabouts() {
  if (chosenPositions() === "practice") return Promise.resolve(rememberedPlace() ?? practiceStart);
  return new Promise((resolve) => {
    const take = ({ coords }) => resolve({ latE7: Math.round(coords.latitude * 1e7), lngE7: Math.round(coords.longitude * 1e7) });
    const options = { enableHighAccuracy: true, maximumAge: 30_000, timeout: positionMs };
    navigator.geolocation.getCurrentPosition(take, () => resolve(null), options);
  });
}
