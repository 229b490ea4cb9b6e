// Players with suspect positions or taps: refused fixes with the reason for each, and batches of taps at an impossible
// rate.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { EvidenceMap } from "./console-evidence.js";
import { brieflyNamed, duration, isIdentifier, moment, placeText, plain } from "./console-format.js";
import { button, card, iconButton, link, openMenu, setText, tag } from "./console-parts.js";
import { forAct } from "./console-rights.js";
import { Table } from "./console-table.js";

export class SuspectsView {
  element;
  #app;
  #players = [];
  /** The player whose evidence is shown, until another one is chosen, and their last known name. */
  #chosen = null;
  #chosenName = "";
  #list;
  #tappers;
  #refusals;
  #map = new EvidenceMap();
  #name = make("h2");
  #where = make("span", "soft");
  #gone = make("p", "empty");
  #evidence;

  constructor(app, [chosen]) {
    this.#app = app;
    this.#chosen = isIdentifier(chosen) ? chosen : null;
    this.#list = this.#playerTable();
    this.#tappers = this.#tapperTable();
    this.#refusals = refusalTable();
    const hint = make("p", "hint", say("evidenceHint"));
    const head = make("header", "card-head", this.#name, this.#where);
    this.#evidence = make("section", "card evidence", head, this.#gone, this.#map.element, this.#refusals.element, hint);
    this.#evidence.hidden = true;
    this.element = make(
      "div",
      "",
      make("div", "view-head", make("h1", "", say("suspects"))),
      make("div", "split", card(say("byPositions"), "", this.#list.element), this.#evidence),
      card(say("byTaps"), "", this.#tappers.element),
    );
  }

  enter() {
    this.#app.feed.watch({ watch: "suspects" });
  }

  leave() {
    this.#map.stop();
  }

  receive(kind, body) {
    if (kind !== "suspects") return;
    this.#players = body.players;
    this.#tappers.show(body.tappers);
    this.#list.show(body.players);
    this.#showEvidence();
  }

  #playerTable() {
    return new Table({
      label: say("byPositions"),
      empty: say("noSuspects"),
      keyOf: ({ player }) => player,
      columns: [
        { label: "nickname", className: "name", once: (cell, rowOf) => this.#nameCell(cell, rowOf), fill: nameText },
        { label: "state", fill: stateCell },
        { label: "room", className: "code", fill: roomCell },
        { label: "refusals", className: "number", text: ({ refusals = [] }) => number(refusals.length) },
        { className: "tools", once: (cell, rowOf) => this.#tools(cell, rowOf, false) },
      ],
    });
  }

  #tapperTable() {
    return new Table({
      label: say("byTaps"),
      empty: say("noTappers"),
      keyOf: ({ player }) => player,
      columns: [
        { label: "nickname", className: "name", text: nameOf },
        { label: "school", text: ({ school, schoolName }) => schoolName || school },
        { label: "abnormalBatches", className: "number", text: ({ abnormalBatches }) => number(abnormalBatches) },
        { label: "counted", className: "long", text: countsText },
        { className: "tools", once: (cell, rowOf) => this.#tools(cell, rowOf, true) },
      ],
    });
  }

  #nameCell(cell, rowOf) {
    cell.append(
      button("", () => {
        this.#chosen = rowOf().player;
        this.#chosenName = "";
        this.#app.remember(`#/suspects/${this.#chosen}`);
        this.#showEvidence();
      }, "as-link"),
    );
  }

  #tools(cell, rowOf, canVoid) {
    const { actions } = this.#app;
    const more = iconButton("more", say("actions"), () => {
      const row = rowOf();
      openMenu(more, [
        { text: say("kick.go"), act: () => actions.kick(row), isDangerous: true },
        { text: say("mute.go"), act: () => actions.mute(row) },
        { text: say("ban.go"), act: () => actions.ban(row), isDangerous: true },
      ]);
    });
    forAct("kick", more);
    if (!canVoid) return cell.append(more);
    const press = button(say("voidTaps.go"), () => {
      const row = rowOf();
      const seasons = [...new Set(countsOf(row).map(({ season }) => season))].sort((a, b) => b - a);
      // Without recent counts the present season is offered, and the server replies that there are no taps.
      actions.voidTaps(row, seasons.length > 0 ? seasons : [this.#app.history.latest.taps.season]);
    });
    cell.append(forAct("voidTaps", press), more);
  }

  #showEvidence() {
    this.#chosen ??= this.#players[0]?.player ?? null;
    this.#evidence.hidden = this.#chosen === null;
    if (this.#chosen === null) return;
    for (const { player } of this.#players) {
      this.#list.elementOf(player)?.classList.toggle("is-chosen", player === this.#chosen);
    }
    const chosen = this.#players.find(({ player }) => player === this.#chosen);
    if (chosen) this.#chosenName = nameOf(chosen);
    const title = say("evidenceOf", { name: this.#chosenName || brieflyNamed(this.#chosen) });
    setText(this.#name, title);
    this.#map.element.setAttribute("aria-label", title);
    setText(this.#where, this.#chosen);
    // The page drops evidence that the server has dropped.
    this.#gone.hidden = Boolean(chosen?.refusals?.length || chosen?.room);
    setText(this.#gone, chosen ? say("suspectOutside", { at: moment(chosen.watchedAtMs) }) : say("noSuspectAnyMore"));
    this.#evidence.classList.toggle("is-empty", !this.#gone.hidden);
    // The feed has the newest refusals first; the path is drawn from the oldest on.
    const refusals = [...(chosen?.refusals ?? [])].sort((a, b) => a.atMs - b.atMs).map((each, at) => ({ ...each, number: at + 1 }));
    const signature = JSON.stringify(refusals);
    if (this.#evidence.dataset.shown === signature) return;
    this.#evidence.dataset.shown = signature;
    this.#map.show(refusals);
    this.#refusals.show(refusals.toReversed());
  }
}

function refusalTable() {
  return new Table({
    label: say("refusals"),
    empty: say("none"),
    keyOf: ({ number: each, atMs }) => `${each} ${atMs}`,
    columns: [
      { label: "numberOf", className: "number", text: ({ number: each }) => `${each}` },
      { label: "at", className: "number", text: ({ atMs }) => moment(atMs) },
      { label: "refusal", text: ({ refusal }) => say(`refusal.${refusal}`, {}, refusal) },
      { label: "from", className: "number", text: wayText },
      { label: "speed", className: "number", text: speedText },
      { label: "accuracy", className: "number", text: accuracyText },
      { label: "position", className: "number mono wide-only", text: placeText },
    ],
  });
}

function nameOf({ nickname, player }) {
  return plain(nickname ?? "") || brieflyNamed(player);
}

function nameText(cell, row) {
  setText(cell.firstChild, nameOf(row));
}

function stateCell(cell, { suspect }) {
  cell.replaceChildren(suspect ? tag(say("suspect"), "warn") : tag(say("refusedLately")));
}

function roomCell(cell, { room, code }) {
  cell.replaceChildren(room ? link(code || brieflyNamed(room), `#/room/${room}`) : make("span", "soft", say("outsideRooms")));
}

function wayText({ metersFromLast, secondsFromLast }) {
  if (metersFromLast === undefined) return "–";
  const isFar = metersFromLast >= 10_000;
  const metres = `${number(Math.round(isFar ? metersFromLast / 1_000 : metersFromLast))} ${isFar ? "km" : "m"}`;
  return secondsFromLast === undefined ? metres : `${metres} / ${duration(secondsFromLast * 1_000)}`;
}

function accuracyText({ accuracyM }) {
  return accuracyM === undefined ? "–" : `±${number(accuracyM)} m`;
}

function speedText({ metersFromLast, secondsFromLast }) {
  if (metersFromLast === undefined || !(secondsFromLast > 0)) return "–";
  return `${number(Math.round((metersFromLast / secondsFromLast) * 3.6))} km/h`;
}

/** A player's counts, by season and school. */
function countsOf({ counts = [] }) {
  return counts;
}

function countsText(row) {
  const texts = countsOf(row).map(({ season, school, schoolName, count, voided }) => {
    const text = `${say("season", { n: season })} ${schoolName || school}: ${number(count)}`;
    return Number(voided) > 0 ? `${text} (${say("voided", { n: number(voided) })})` : text;
  });
  return texts.join(" · ");
}
