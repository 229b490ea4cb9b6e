// Fences, lands and capsules on a map, with lists of those in sight, totals, the drawing, import and removal of fences,
// and new names of lands.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { Draft } from "./console-draft.js";
import { DraftCard } from "./console-draft-card.js";
import { importButton } from "./console-fence-import.js";
import { bytes, duration, moment, plain } from "./console-format.js";
import { button, openMenu, setText, tag } from "./console-parts.js";
import { forAct } from "./console-rights.js";
import { PlacesMap } from "./console-places-map.js";
import { Table } from "./console-table.js";

/** The map has come to rest. */
const settleMs = 300;
/** Fences open and close meanwhile. */
const clockMs = 5_000;
/** Korea, until there is something to show. */
const firstLook = { latE7: 365_000_000, lngE7: 1_277_000_000, scale: 0.0008 };
const totalNames = ["fences", "capsules", "openings", "capsuleBytes", "watching", "resting"];

export class PlacesView {
  element;
  #app;
  #look;
  #body = null;
  /** All places are to be shown as soon as they have come. */
  #isShowingAll = false;
  /** The identifier of the chosen fence or land. */
  #chosen = null;
  #chosenCapsules = new Set();
  #map;
  #fences;
  #lands;
  #capsules;
  #fenceCount = make("span", "count");
  #landCount = make("span", "count");
  #capsuleCount = make("span", "count");
  #totals = make("dl", "facts");
  #content;
  #lists;
  /** The card of the shape that is being drawn; null while none is. */
  #card = null;
  #fault = make("p", "fault card");
  #settling = null;
  #clock = null;

  constructor(app, _, settings) {
    this.#app = app;
    this.#look = lookIn(settings);
    this.#map = new PlacesMap({
      seen: (box, look) => this.#settle(box, look),
      all: () => this.#showAll(),
      chose: ({ fence, land, capsules }) => this.#choose(fence?.fenceId ?? land?.land ?? null, capsules),
      drew: () => this.#card?.show(),
    });
    this.#fences = this.#fenceTable();
    this.#lands = this.#landTable();
    this.#capsules = capsuleTable();
    this.#fault.setAttribute("role", "alert");
    this.#fault.hidden = true;
    this.#lists = make(
      "aside",
      "places-lists",
      listCard(say("fences"), this.#fenceCount, this.#fences.element),
      listCard(say("lands"), this.#landCount, this.#lands.element),
      listCard(say("capsules"), this.#capsuleCount, this.#capsules.element),
    );
    const mapCard = make("section", "card map-card", this.#map.element);
    this.#content = make("div", "places", mapCard, this.#lists);
    const tools = make("span", "head-tools", this.#drawButton(), importButton(app));
    const head = make("div", "view-head", make("h1", "", say("places")), this.#totals, tools);
    this.element = make("div", "places-view", head, this.#fault, this.#content);
  }

  enter() {
    this.#map.start();
    this.#clock = setInterval(() => this.#show(), clockMs);
    this.#map.lookAt(this.#look ?? firstLook);
    if (!this.#look) this.#showAll();
  }

  leave() {
    clearInterval(this.#clock);
    clearTimeout(this.#settling);
    this.#card?.end();
    this.#map.stop();
  }

  receive(kind, body) {
    if (kind !== "places") return;
    const isRead = body.error === undefined;
    this.#content.hidden = !isRead;
    this.#fault.hidden = isRead;
    setText(this.#fault, isRead ? "" : say("storeFault", { why: body.error }));
    if (!isRead) return;
    this.#body = body;
    this.#show();
    if (!this.#isShowingAll) return;
    this.#isShowingAll = false;
    this.#map.showAll([...body.fences, ...body.lands], [...body.capsules, ...body.clusters]);
  }

  // The map.

  #showAll() {
    clearTimeout(this.#settling);
    this.#isShowingAll = true;
    this.#app.feed.watch({ watch: "places" });
  }

  /** Watches the shown part, once the map rests. */
  #settle(box, look) {
    if (this.#isShowingAll) return;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      this.#app.remember(`#/places?${new URLSearchParams({ ...look, scale: look.scale.toPrecision(6) })}`);
      this.#app.feed.watch({ watch: "places", ...box });
    }, settleMs);
  }

  #choose(identifier, capsules = []) {
    this.#chosen = identifier;
    this.#chosenCapsules = new Set(capsules.map(({ capsuleId }) => capsuleId));
    this.#map.choose(identifier);
    this.#mark();
    for (const table of [this.#fences, this.#lands]) table.elementOf(identifier)?.scrollIntoView({ block: "nearest" });
    this.#capsules.elementOf(capsules[0]?.capsuleId)?.scrollIntoView({ block: "nearest" });
  }

  #mark() {
    if (!this.#body) return;
    for (const { fenceId } of this.#body.fences) {
      this.#fences.elementOf(fenceId)?.classList.toggle("is-chosen", fenceId === this.#chosen);
    }
    for (const { land } of this.#body.lands) {
      this.#lands.elementOf(land)?.classList.toggle("is-chosen", land === this.#chosen);
    }
    for (const { capsuleId } of this.#body.capsules) {
      this.#capsules.elementOf(capsuleId)?.classList.toggle("is-chosen", this.#chosenCapsules.has(capsuleId));
    }
  }

  // The newest update.

  #show() {
    if (!this.#body) return;
    const { fences, fenceCount, lands, moreLands, capsules, clusters, totals } = this.#body;
    const now = Date.now();
    const stated = fences.map((fence) => ({ ...fence, state: stateOf(fence, now) }));
    this.#map.show(stated, lands, capsules, clusters);
    this.#fences.show(stated);
    this.#lands.show(lands);
    this.#capsules.show(capsules);
    this.#mark();
    const inClusters = clusters.reduce((sum, { count }) => sum + count, 0);
    setText(this.#fenceCount, inSight(fences.length, fenceCount));
    setText(this.#landCount, moreLands ? say("landsOver", { n: number(lands.length) }) : inSight(lands.length));
    setText(this.#capsuleCount, inClusters > 0 ? say("inClusters", { n: number(inClusters) }) : inSight(capsules.length));
    if (this.#totals.children.length === 0) {
      this.#totals.append(...totalNames.map((name) => make("div", "", make("dt", "", say(`total.${name}`)), make("dd"))));
    }
    totalNames.forEach((name, at) => {
      const text = name === "capsuleBytes" ? bytes(totals[name]) : number(totals[name]);
      setText(this.#totals.children[at].lastChild, text);
    });
  }

  #fenceTable() {
    return new Table({
      label: say("fences"),
      empty: say("noFences"),
      keyOf: ({ fenceId }) => fenceId,
      columns: [
        { label: "fenceName", className: "name", once: (cell, rowOf) => this.#nameCell(cell, rowOf), fill: nameText },
        { label: "topic", className: "topic", text: ({ topic }) => plain(topic ?? "") },
        { label: "openTimes", className: "times", fill: timesCell },
        { className: "tools", once: (cell, rowOf) => this.#tools(cell, rowOf), fill: toolsCell },
      ],
    });
  }

  #landTable() {
    return new Table({
      label: say("lands"),
      empty: say("noLands"),
      keyOf: ({ land }) => land,
      columns: [
        { label: "landName", className: "name", once: (cell, rowOf) => this.#nameCell(cell, rowOf), fill: nameText },
        { label: "lengthAround", className: "number", text: ({ lengthM }) => `${number(lengthM)} m` },
        { className: "tools", once: (cell, rowOf) => cell.append(this.#renameButton(rowOf)) },
      ],
    });
  }

  #renameButton(rowOf) {
    return forAct("renameLand", button(say("renameLand.item"), () => this.#app.actions.renameLand(rowOf())));
  }

  #nameCell(cell, rowOf) {
    const look = () => {
      const row = rowOf();
      this.#choose(row.fenceId ?? row.land);
      this.#map.showAll([row], []);
    };
    cell.append(button("", look, "as-link"));
  }

  #tools(cell, rowOf) {
    const edit = button(say("draft.editIt"), () => this.#edit(rowOf()));
    cell.append(forAct("importFences", edit), " ", forAct("removeFences", button(say("removeIt"), () => this.#app.actions.removeFence(rowOf()), "danger")));
  }

  // Drawing.

  #drawButton() {
    const press = button(say("draft.new"), () => {
      openMenu(press, ["circle", "polygon", "land"].map((kind) => ({ text: say(`draft.${kind}`), act: () => this.#draw(new Draft(kind)) })));
    });
    return forAct("importFences", press);
  }

  #edit(fence) {
    this.#map.showAll([fence], []);
    this.#draw(new Draft(fence.radiusMm === undefined ? "polygon" : "circle", fence));
  }

  #draw(draft) {
    this.#finish();
    this.#card = new DraftCard(this.#app, draft, {
      changed: () => this.#map.redraw(),
      chose: () => this.#map.draft(draft),
      done: () => this.#finish(),
      cancel: () => this.#finish(),
    });
    this.#lists.replaceWith(this.#card.element);
    this.#map.draft(draft);
  }

  #finish() {
    if (!this.#card) return;
    this.#card.end();
    this.#card.element.replaceWith(this.#lists);
    this.#card = null;
    this.#map.draft(null);
  }
}

function listCard(title, count, content) {
  return make("section", "card", make("header", "card-head", make("h2", "", title), count), content);
}

function capsuleTable() {
  return new Table({
    label: say("capsules"),
    empty: say("noCapsules"),
    keyOf: ({ capsuleId }) => capsuleId,
    columns: [
      { label: "capsuleTitle", className: "name", text: ({ title }) => plain(title) },
      { label: "memoryDate", className: "number", text: ({ memoryDate }) => memoryDate },
      { label: "buriedAt", className: "number", text: ({ buriedAtMs }) => moment(buriedAtMs) },
      { label: "opens", className: "number", text: ({ opens }) => number(opens) },
    ],
  });
}

function inSight(count, all = count) {
  return count < all ? say("someInSight", { n: number(count), all: number(all) }) : say("inSight", { n: number(count) });
}

function stateOf({ opensAtMs, closesAtMs }, now) {
  if (closesAtMs !== undefined && closesAtMs <= now) return "over";
  return opensAtMs !== undefined && opensAtMs > now ? "soon" : "open";
}

function nameText(cell, { name, dwellS }) {
  setText(cell.firstChild, plain(name));
  cell.firstChild.title = dwellS === undefined ? "" : say("dwellOf", { time: duration(dwellS * 1_000) });
}

function timesCell(cell, { opensAtMs, closesAtMs, state }) {
  if (opensAtMs === undefined && closesAtMs === undefined) return cell.replaceChildren(make("span", "soft", say("alwaysOpen")));
  const [from, to] = [opensAtMs, closesAtMs].map((ms) => (ms === undefined ? "" : moment(ms)));
  const kinds = { open: "good", soon: "warn", over: "" };
  cell.replaceChildren(tag(say(`fence.${state}`), kinds[state]), ` ${from} – ${to}`);
}

/** A polygon with more corners than were told can't be edited here: the others would be lost. */
function toolsCell(cell, { corners = 0, ringLatE7 = [] }) {
  const edit = cell.firstChild;
  edit.disabled = corners > ringLatE7.length;
  edit.title = edit.disabled ? say("draft.tooMany", { n: number(corners) }) : "";
}

/** The look in an address; null without one. */
function lookIn(settings) {
  const numbers = ["latE7", "lngE7", "scale"].map((name) => Number(settings.get(name) ?? NaN));
  const [latE7, lngE7, scale] = numbers;
  const isLook = numbers.every(Number.isFinite) && Math.abs(latE7) <= 9e8 && Math.abs(lngE7) <= 1.8e9 && scale > 0;
  return isLook ? { latE7, lngE7, scale } : null;
}
