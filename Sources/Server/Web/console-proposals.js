// Lands that players propose: a picture of each ring, and buttons to accept or decline it.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { brieflyNamed, moment, placeText, plain } from "./console-format.js";
import { StoredCard, button, link, setText } from "./console-parts.js";
import { forAct } from "./console-rights.js";
import { Table } from "./console-table.js";

const pictureSize = 72;
const pictureInset = 4;

export class ProposalsView {
  element;
  #app;
  #table;
  #card;
  #count = make("span", "count");

  constructor(app) {
    this.#app = app;
    this.#table = new Table({
      label: say("proposals"),
      empty: say("noProposals"),
      keyOf: ({ proposal }) => proposal,
      columns: [
        { label: "ring", className: "ring", fill: ringCell },
        { label: "landName", className: "name", text: ({ name }) => plain(name) },
        { label: "lengthAround", className: "number", text: ({ lengthM }) => `${number(lengthM)} m` },
        { label: "position", className: "mono wide-only", text: (row) => placeText({ latE7: row.latE7[0], lngE7: row.lngE7[0] }) },
        { label: "player", fill: playerCell },
        { label: "game", className: "mono wide-only", fill: gameCell },
        { label: "at", className: "number", text: ({ proposedAtMs }) => moment(proposedAtMs) },
        { className: "tools", once: (cell, rowOf) => this.#tools(cell, rowOf) },
      ],
    });
    this.#card = new StoredCard(this.#table.element);
    this.element = make(
      "div",
      "",
      make("div", "view-head", make("h1", "", say("proposals")), this.#count),
      this.#card.element,
    );
  }

  enter() {
    this.#app.feed.watch({ watch: "proposals" });
  }

  leave() {}

  receive(kind, body) {
    if (kind !== "proposals" || !this.#card.take(body)) return;
    setText(this.#count, body.hasMore ? say("moreThan", { n: number(body.rows.length) }) : number(body.rows.length));
    this.#table.show(body.rows);
  }

  #tools(cell, rowOf) {
    const { actions } = this.#app;
    cell.append(
      forAct("acceptLand", button(say("acceptIt"), () => actions.acceptLand(rowOf()))),
      forAct("declineLand", button(say("declineIt"), () => actions.declineLand(rowOf()), "danger")),
    );
  }
}

/** The ring, with north at the top. */
function ringCell(cell, { latE7, lngE7 }) {
  const points = inMetres(latE7, lngE7);
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [west, north] = [Math.min(...xs), Math.max(...ys)];
  const [across, along] = [Math.max(...xs) - west, north - Math.min(...ys)];
  const side = Math.max(1, across, along);
  const scale = (pictureSize - 2 * pictureInset) / side;
  const [left, top] = [(side - across) / 2 - west, (side - along) / 2 + north];
  const text = points.map(([x, y]) => `${place((x + left) * scale)},${place((top - y) * scale)}`).join(" ");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${pictureSize} ${pictureSize}`);
  svg.setAttribute("class", "ring-picture");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", say("ring"));
  const polygon = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
  polygon.setAttribute("points", text);
  svg.append(polygon);
  cell.replaceChildren(svg);
}

function place(units) {
  return (units + pictureInset).toFixed(1);
}

/** Metres east and north of the first vertex. */
function inMetres(latE7, lngE7) {
  const metresPerUnit = 0.011119508;
  const cosine = Math.cos((latE7[0] / 1e7) * (Math.PI / 180));
  return latE7.map((lat, at) => {
    let east = lngE7[at] - lngE7[0];
    if (east > 1_800_000_000) east -= 3_600_000_000;
    if (east < -1_800_000_000) east += 3_600_000_000;
    return [east * metresPerUnit * cosine, (lat - latE7[0]) * metresPerUnit];
  });
}

function playerCell(cell, { player, nickname }) {
  const way = Object.assign(link(brieflyNamed(player), `#/sanctions?player=${player}`, "mono"), { title: player });
  cell.replaceChildren(make("b", "", plain(nickname ?? "")), " ", way);
}

function gameCell(cell, { game }) {
  const [room, at] = game.split("-");
  cell.replaceChildren(Object.assign(link(`${brieflyNamed(room)}-${at}`, `#/room/${room}`), { title: game }));
}
