// Players, absent ones too: a search by nickname, e-mail or identifier, and all of one player, with what may be done about
// them. The view's address has both, so that a browser's way back leads from a player to the list.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { brieflyNamed, duration, isIdentifier, moment, plain } from "./console-format.js";
import { button, card, filterField, link, setText, tag } from "./console-parts.js";
import { forAct } from "./console-rights.js";
import { Table } from "./console-table.js";
import { detailText, faultText } from "./console-told.js";

/** As many as the server finds at most. */
const foundMax = 50;

export class PlayersView {
  element;
  #app;
  #text;
  #player;
  /** Whether the question is still to be asked, because the feed was not open. */
  #isDue = true;
  #asked = 0;
  #found;
  #shown = make("div");
  #fault = make("p", "fault");
  #note = make("p", "hint");

  constructor(app, _, settings) {
    this.#app = app;
    this.#text = settings.get("text") ?? "";
    this.#player = isIdentifier(settings.get("player")) ? settings.get("player") : null;
    this.#found = new Table({
      label: say("playersFound"),
      empty: say("findHint"),
      keyOf: ({ player }) => player,
      columns: [
        { label: "nickname", className: "name", fill: nameCell },
        { label: "email", className: "wide-only", text: ({ email }) => email ?? say("guest") },
        { label: "player", className: "mono wide-only", text: ({ player }) => player },
        { label: "knownSince", className: "number wide-only", text: ({ madeAtMs }) => (madeAtMs ? moment(madeAtMs) : "–") },
        { label: "seenAt", className: "number", text: ({ seenAtMs }) => (seenAtMs ? day(seenAtMs) : "–") },
      ],
    });
    this.#fault.setAttribute("role", "alert");
    this.#fault.hidden = true;
    this.#note.setAttribute("role", "status");
    const field = filterField(say("findPlayers"), this.#text, (text) => this.#search(text));
    this.element = make(
      "div",
      "",
      make("div", "view-head", make("h1", "", say("playerSearch")), field),
      this.#fault,
      this.#shown,
      card(say("playersFound"), "", this.#note, this.#found.element),
    );
  }

  enter() {
    this.#app.feed.watch({ watch: "overview" });
    this.#ask();
  }

  leave() {
    this.#asked += 1;
  }

  receive(kind) {
    if (kind === "overview" && this.#isDue) this.#ask();
  }

  #search(text) {
    this.#text = text;
    this.#player = null;
    this.#app.remember(text ? `#/playerSearch?text=${encodeURIComponent(text)}` : "#/playerSearch");
    this.#ask();
  }

  async #ask() {
    this.#isDue = !this.#app.feed.isOpen;
    if (this.#isDue) return;
    const asked = (this.#asked += 1);
    const { feed } = this.#app;
    try {
      const { file } = this.#player ? await feed.query("player", { player: this.#player }) : {};
      const { players } = this.#text ? await feed.query("players", { text: this.#text }) : { players: [] };
      if (asked !== this.#asked) return;
      this.#fault.hidden = true;
      this.#shown.replaceChildren(...(file ? [this.#page(file)] : []));
      this.#found.show(players);
      setText(this.#note, players.length === foundMax ? say("foundMany", { n: foundMax }) : "");
    } catch (error) {
      if (asked !== this.#asked) return;
      this.#fault.hidden = false;
      setText(this.#fault, faultText(error));
      this.#shown.replaceChildren();
      this.#found.show([]);
    }
  }

  /** Shows what the server shows once. */
  #showLink(reply) {
    if (!reply?.link) return;
    const secret = Object.assign(make("input", "secret"), { readOnly: true, value: reply.link });
    secret.setAttribute("aria-label", say("resetLinkHint"));
    secret.addEventListener("focus", () => secret.select());
    const { protocol, origin } = new URL(reply.link);
    // A server without a public URL names its own address on its network.
    const near = protocol === "https:" ? null : make("p", "hint", say("resetLinkNear", { origin }));
    this.#shown.prepend(make("section", "card shown-once", make("div", "shown-line", secret), make("p", "hint", say("resetLinkHint")), near));
    secret.focus();
  }

  /** All of one player. */
  #page(file) {
    const { player, nickname, email, madeAtMs, registeredAtMs, seenAtMs } = file.player;
    const { network } = file;
    const target = { player, nickname, room: network?.room, code: network?.code };
    const act = (name, run) => forAct(name, button(say(`${name}Go`), () => run(target), name === "ban" ? "danger" : ""));
    const { actions } = this.#app;
    const reset = email ? [act("resetPassword", async (who) => this.#showLink(await actions.resetPassword(who)))] : [];
    const again = (run) => async (who) => (await run(who)) && this.#ask();
    const facts = [
      ["player", player],
      ["email", email ?? say("guest")],
      ["knownSince", madeAtMs ? moment(madeAtMs) : "–"],
      ["accountSince", registeredAtMs ? moment(registeredAtMs) : "–"],
      ["seenAt", network ? say("isHere") : seenAtMs ? day(seenAtMs) : "–"],
      ["address", network ? say("addressShared", { address: network.address, n: number(network.players ?? 0) }) : "–"],
      ["devices", devicesText(file)],
      ["reportsOf", say("reportsCounted", { made: number(file.reportsMade ?? 0), received: number(file.reportsReceived ?? 0) })],
      ["warningsPending", number(file.warningsPending ?? 0)],
    ];
    return make(
      "section",
      "card player-file",
      make("header", "card-head", make("h2", "", plain(nickname)), ...reset, act("mute", again((who) => actions.mute(who))), act("ban", again((who) => actions.ban(who)))),
      make("dl", "facts", ...facts.map(([key, text]) => make("div", "", make("dt", "", say(key)), make("dd", "", text)))),
      list("sanctions", file.sanctions, ({ kind, startedAtMs, endsAtMs, reason, addressBanEndsAtMs }) => [
        tag(say(`sanction.${kind}`), kind === "ban" ? "bad" : "warn"),
        ` ${moment(startedAtMs)} – ${endsAtMs ? moment(endsAtMs) : say("untilLifted")} ${plain(reason ?? "")} `,
        addressBanEndsAtMs ? tag(say("addressBan.tag", { time: moment(addressBanEndsAtMs) }), "warn") : null,
      ]),
      list("roomsBeen", file.rooms, ({ room, code, openedAtMs, open }) => [
        link(code, `#/room/${room}`),
        ` ${moment(openedAtMs)} `,
        open ? tag(say("roomOpen"), "good") : null,
      ]),
      list("resultsOf", file.results, ({ mode, endedAtMs, points, rank, distanceM }) => [
        `${moment(endedAtMs)} · ${say(mode)} · ${say("resultLine", { rank: rank ?? "–", points: number(points ?? 0), m: number(distanceM ?? 0) })}`,
      ]),
      list("actionsOn", file.actions, ({ atMs, operator, action, detail, reason }) => [
        `${moment(atMs)} · ${operator ?? "–"} · ${say(`did.${action}`, {}, action)}${detail ? ` · ${plain(detailText(action, detail))}` : ""}${reason ? ` · ${plain(reason)}` : ""}`,
      ]),
    );
  }
}

/** A list of a player's, each row of some parts; nothing for an empty one. */
function list(key, rows = [], parts) {
  if (rows.length === 0) return null;
  const items = rows.map((row) => make("li", "", ...parts(row)));
  return make("details", "", make("summary", "", say(key, { n: rows.length })), make("ul", "", ...items));
}

function nameCell(cell, { player, nickname }) {
  cell.replaceChildren(link(plain(nickname) || brieflyNamed(player), `#/playerSearch?player=${player}`));
}

function devicesText({ hasDevice, browsersSeenAtMs = [] }) {
  const browsers = browsersSeenAtMs.map((ms) => say("browserSeen", { time: duration(Math.max(0, Date.now() - ms)) }));
  return [say(hasDevice ? "deviceKnown" : "deviceUnknown"), ...browsers].join(", ");
}

/** The day of a moment, which is known to a day alone. */
function day(ms) {
  return moment(ms).split(" ").slice(0, -1).join(" ") || say("today");
}
