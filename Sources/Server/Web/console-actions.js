// The operators' actions, each with a dialog that states its consequences. A player is named by `player`, their
// identifier, and by `nickname`, `room` and its `code` if known: several players may have the same nickname.
import { number, say } from "./language.js";
import { ask } from "./console-dialog.js";
import { needsReason } from "./console-rights.js";
import { brieflyNamed, duration, plain } from "./console-format.js";
import { doneText } from "./console-told.js";

const textMax = 500;
/** A reason of this length fits into 500 bytes in any script. */
const reasonMax = 160;
const landNameMax = 100;
const declineReasonMax = 200;
const roles = ["viewer", "moderator", "admin"];
const minuteChoices = [10, 60, 24 * 60, 7 * 24 * 60, 30 * 24 * 60];

export class Actions {
  #feed;
  #done;

  /** `done(title, text)` is called after an action, with its title and the server's text. */
  constructor(feed, done) {
    this.#feed = feed;
    this.#done = done;
  }

  kick(player) {
    return this.#ask("kick", player, {
      isDangerous: true,
      fields: [reasonField("kick")],
      run: ({ reason }) => ["kick", { player: player.player, ...because(reason) }],
    });
  }

  /** Asks for the player's address first: how many share it must be known before it is banned. */
  async ban(player) {
    const network = await this.#feed.query("network", { player: player.player }).then((reply) => reply.network, () => null);
    return this.#sanction("ban", player, true, network ? [addressField(network)] : []);
  }

  mute(player) {
    return this.#sanction("mute", player, false);
  }

  /** Makes a link by which the player of an account sets a password; it is in the answer. */
  resetPassword(player) {
    return this.#ask("resetPassword", player, {
      isDangerous: true,
      fields: [reasonField("resetPassword")],
      run: ({ reason }) => ["resetPassword", { player: player.player, ...because(reason) }],
    });
  }

  unban(player) {
    return this.#lift("unban", player);
  }

  unmute(player) {
    return this.#lift("unmute", player);
  }

  voidTaps(player, seasons) {
    const options = seasons.map((season) => [`${season}`, say("season", { n: season })]);
    return this.#ask("voidTaps", player, {
      isDangerous: true,
      fields: [{ kind: "select", name: "season", label: say("seasonToVoid"), options }, reasonField("voidTaps")],
      run: ({ season, reason }) => ["voidTaps", { player: player.player, season: Number(season), ...because(reason) }],
    });
  }

  closeRoom(room) {
    return this.#ask("closeRoom", null, {
      values: { code: roomNamed(room.id, room.code), n: number(room.players) },
      isDangerous: true,
      fields: [reasonField("closeRoom")],
      run: ({ reason }) => ["closeRoom", { room: room.id, ...because(reason) }],
    });
  }

  /** Announces to a room, or without one to all connected players. */
  announce(room, connected) {
    const values = { code: room ? roomNamed(room.id, room.code) : "", n: number(room ? room.players : connected) };
    const label = say("announcementText");
    return this.#ask(room ? "announceRoom" : "announceAll", null, {
      values,
      fields: [{ kind: "text", name: "text", label, required: true, maxLength: textMax, hint: say("upTo500") }],
      run: ({ text }) => ["announce", { text, ...(room && { room: room.id }) }],
    });
  }

  drain(overview) {
    const values = { players: number(overview?.connections.players ?? 0), rooms: number(overview?.rooms.open ?? 0) };
    return this.#ask("drain", null, { values, isDangerous: true, typed: "drain", run: () => ["drain", {}] });
  }

  /** Closes the season that the operator has seen. The server refuses if another one runs by then. */
  closeSeason(season) {
    const values = { season: number(season), next: number(season + 1) };
    return this.#ask("closeSeason", null, { values, isDangerous: true, typed: "close", run: () => ["closeSeason", { season }] });
  }

  /** Accepts a proposed land, under a name that the operator may change. */
  acceptLand({ proposal, name }) {
    return this.#ask("acceptLand", null, {
      values: { land: plain(name) },
      fields: [{ kind: "text", name: "name", label: say("landName"), required: true, maxLength: landNameMax, value: name }],
      run: (answers) => ["acceptLand", { proposal, ...(answers.name !== name && { name: answers.name }) }],
    });
  }

  declineLand({ proposal, name }) {
    const label = say("reason");
    return this.#ask("declineLand", null, {
      values: { land: plain(name) },
      isDangerous: true,
      fields: [{ kind: "text", name: "reason", label, required: true, maxLength: declineReasonMax, hint: say("declineHint") }],
      run: ({ reason }) => ["declineLand", { proposal, reason }],
    });
  }

  /** Corrects a school's name; the dialog shows what will be there. */
  renameSchool({ school, name, region, count }) {
    return this.#ask("renameSchool", null, {
      values: { school: plain(name), region: region ?? "", n: number(count) },
      fields: [
        { kind: "text", name: "name", label: say("schoolName"), required: true, maxLength: 100, value: name, autocomplete: "off" },
        reasonField("editSchool"),
      ],
      preview: (answers) => nameChange(name, answers.name),
      run: (answers) => ["editSchool", { school, name: answers.name, ...because(answers.reason) }],
    });
  }

  /** Closes a school, or opens it again. */
  closeSchool({ school, name, region, count }, isClosed) {
    return this.#ask(isClosed ? "closeSchool" : "openSchool", null, {
      values: { school: plain(name), region: region ?? "", n: number(count) },
      isDangerous: isClosed,
      details: [say(isClosed ? "change.closed" : "change.opened", { name: plain(name) })],
      fields: [reasonField("editSchool")],
      run: ({ reason }) => ["editSchool", { school, closed: isClosed, ...because(reason) }],
    });
  }

  /** Gives a land another name; the dialog shows what will be there. */
  renameLand({ land, name, lengthM }) {
    return this.#ask("renameLand", null, {
      values: { land: plain(name), n: number(lengthM) },
      fields: [
        { kind: "text", name: "name", label: say("landName"), required: true, maxLength: landNameMax, value: name, autocomplete: "off" },
        reasonField("renameLand"),
      ],
      preview: (answers) => nameChange(name, answers.name),
      run: (answers) => ["renameLand", { land, name: answers.name, ...because(answers.reason) }],
    });
  }

  hide(thing) {
    return this.#decide("hide", thing, true);
  }

  restore(thing) {
    return this.#decide("restore", thing, false);
  }

  /** Warns the author of a reported thing. */
  warn({ kind, id, ...author }) {
    const label = say("warningText");
    return this.#ask("warn", author, {
      fields: [{ kind: "text", name: "text", label, required: true, maxLength: textMax, hint: say("upTo500") }],
      run: ({ text }) => ["warn", { player: author.player, kind, subject: id, text }],
    });
  }

  #decide(act, { kind, id, player, nickname }, isDangerous) {
    return this.#ask(act, { player, nickname }, {
      values: { what: say(`reported.${kind}`) },
      isDangerous,
      fields: [{ ...reasonField(act), hint: say("decisionHint") }],
      run: ({ reason }) => [act, { kind, subject: id, ...because(reason) }],
    });
  }

  /** Saves a drawn shape; `lines` are the preview that the operator has seen. */
  saveDraft(draft, lines) {
    const act = draft.kind === "land" ? "importLands" : "importFences";
    return this.#ask(draft.kind === "land" ? "saveLand" : "saveFence", null, {
      values: { name: plain(draft.name) },
      fields: [reasonField(act)],
      preview: () => lines,
      run: ({ reason }) => [act, { ...draft.offer, ...because(reason) }],
    });
  }

  /** Asks first how many players are in the fence; without an answer the dialog does without. */
  async removeFence({ fenceId, name }) {
    const preview = await this.#feed.query("previewFences", { removedFenceIds: [fenceId] }).then((reply) => reply.preview, () => []);
    return this.#ask("removeFence", null, {
      values: { fence: plain(name) },
      details: preview.filter((row) => row.playersInside !== undefined).map((row) => say("draft.inside", { n: number(row.playersInside) })),
      isDangerous: true,
      run: () => ["removeFences", { fenceIds: [fenceId] }],
    });
  }

  /**
   * Imports the fences of a file, in `parts` of offers with `fence` and a `name` for the operator; `refused` are lines
   * about its other features, and `lines` the preview of what changes. A part that fails leaves earlier ones imported,
   * and a retry replaces those.
   */
  importFences(file, parts, refused, lines) {
    const offers = parts.flat();
    return this.#ask("importFences", null, {
      values: { file, n: number(offers.length) },
      details: refused,
      preview: lines.length > 0 ? () => lines : null,
      isPossible: offers.length > 0,
      perform: async () => {
        for (const part of parts) await this.#importPart(part);
        return { text: say("importFences.done", { n: number(offers.length) }) };
      },
    });
  }

  async #importPart(part) {
    try {
      await this.#feed.act("importFences", { fences: part.map(({ fence }) => fence) });
    } catch (error) {
      // The server names a fence by its identifier, which the operator has never seen.
      for (const { fence, name } of part) error.message = error.message.replace(fence.fenceId, name);
      throw error;
    }
  }

  #sanction(kind, player, isDangerous, more = []) {
    const choices = minuteChoices.map((minutes) => [`${minutes}`, duration(minutes * 60_000)]);
    const options = [...choices, ["", say("untilLifted")]];
    return this.#ask(kind, player, {
      isDangerous,
      fields: [
        { kind: "select", name: "minutes", label: say("forHowLong"), options, value: "60" },
        ...more,
        { ...reasonField(kind), hint: say("reasonHint") },
      ],
      run: ({ minutes, reason, addressBan }) => [
        kind,
        { player: player.player, ...(minutes && { minutes: Number(minutes) }), ...(addressBan && { addressBan }), ...because(reason) },
      ],
    });
  }

  #lift(act, player) {
    return this.#ask(act, player, {
      fields: [reasonField(act)],
      run: ({ reason }) => [act, { player: player.player, ...because(reason) }],
    });
  }

  // Who may come in.

  /** Adds an operator, or a machine's token; what the server shows once is in the answer. */
  addAccess(act) {
    const options = roles.map((role) => [role, say(`role.${role}`)]);
    return this.#ask(act, null, {
      fields: [
        { kind: "text", name: "name", label: say("operatorName"), required: true, maxLength: 32, autocomplete: "off", hint: say("operatorNameHint") },
        { kind: "select", name: "role", label: say("roleOf"), options, value: "viewer" },
      ],
      run: ({ name, role }) => [act, { name, role }],
    });
  }

  setRole({ name, role }) {
    const options = roles.map((each) => [each, say(`role.${each}`)]);
    return this.#ask("setRole", null, {
      values: { name },
      fields: [{ kind: "select", name: "role", label: say("roleOf"), options, value: role }],
      run: (answers) => ["setRole", { name, role: answers.role }],
    });
  }

  resetOperator({ name }) {
    return this.#ask("resetOperator", null, { values: { name }, isDangerous: true, run: () => ["resetOperator", { name }] });
  }

  removeOperator({ name }) {
    return this.#ask("removeOperator", null, { values: { name }, isDangerous: true, run: () => ["removeOperator", { name }] });
  }

  /** Adds a webhook; its secret, which the server shows once, is in the answer. */
  addWebhook() {
    return this.#ask("addWebhook", null, {
      fields: [
        { kind: "text", name: "url", label: say("webhookUrl"), required: true, maxLength: 2_048, autocomplete: "off", placeholder: "https://" },
        { kind: "text", name: "name", label: say("webhookName"), maxLength: 60, autocomplete: "off" },
        { kind: "text", name: "events", label: say("webhookEvents"), required: true, autocomplete: "off", value: "gameEnded", hint: say("webhookEventsHint") },
      ],
      run: ({ url, name, events }) => ["addWebhook", { url, ...(name ? { name } : {}), events: events.split(/[\s,]+/).filter(Boolean) }],
    });
  }

  /** Tries, enables or removes a webhook. */
  onWebhook(act, { webhook, url }) {
    const isDangerous = act === "removeWebhook";
    return this.#ask(act, null, { values: { url: plain(url) }, isDangerous, run: () => [act, { webhook }] });
  }

  /** Ends a session: one's own, or as an admin anybody's. */
  endSession({ session, operator, own }) {
    const act = own ? "endOwnSession" : "endSession";
    const values = { name: operator ?? say("byToken") };
    return this.#ask("endSession", null, { values, isDangerous: true, run: () => [act, { session }] });
  }


  /**
   * The words of an action are `{kind}.title`, `.text` and `.go`; `run` gives the act's name and fields, or `perform`
   * does it all.
   */
  async #ask(kind, player, { values = {}, run, perform, ...rest }) {
    const name = player ? plain(player.nickname ?? "") || brieflyNamed(player.player) : "";
    const all = { name, ...values };
    const title = say(`${kind}.title`, all);
    const reply = await ask({
      title,
      who: player && whoText(player),
      text: say(`${kind}.text`, all),
      confirm: say(`${kind}.go`),
      run: perform ?? ((answers) => this.#feed.act(...run(answers))),
      ...rest,
    });
    if (reply) this.#done(title, perform ? reply.text : doneText(reply));
    return reply;
  }
}

/** The field for a ban of new guests of the player's address, off at first, with the number of those who share it. */
function addressField({ players = 0, room, code }) {
  const options = [["", say("addressBan.none")]];
  if (room) options.push(["room", say("addressBan.room", { code: roomNamed(room, code) })]);
  options.push(["server", say("addressBan.server")]);
  return { kind: "select", name: "addressBan", label: say("addressBan"), options, value: "", hint: say("addressBan.hint", { n: number(players) }) };
}

/** The line about a new name; none without a change. */
function nameChange(from, to) {
  return to === "" || to === from ? [] : [say("change.name", { from: plain(from), to: plain(to) })];
}

/** The field for the operator's words on why. */
function reasonField(act) {
  const hint = say(needsReason(act) ? "reasonNeeded" : "reasonKept");
  return { kind: "text", name: "reason", label: say("reason"), maxLength: reasonMax, required: needsReason(act), hint };
}

function because(reason) {
  return reason ? { reason } : {};
}

/** A player's nickname, identifier and room. */
function whoText({ player, nickname, room, code }) {
  const known = [plain(nickname ?? "") || say("unknownName"), brieflyNamed(player)];
  return [...known, ...(room ? [say("roomNamed", { name: roomNamed(room, code) })] : [])].join(" · ");
}

/** A room's name: its code, or its identifier for a solo room, which has no code. */
function roomNamed(room, code) {
  return code || `${say("solo")} ${brieflyNamed(room)}`;
}
