// The server's English in the console's language. The server speaks English; a Korean page has its own words for what
// was done, for faults by their codes, and for the fixed details of the audit log.
//
// It never changes an operator's or a player's text. English it does not know stays as it is.
// Decisions: 169 (docs/decisions).
import { isKorean, number, say } from "./language.js";
import { refusalText } from "./console-refusals.js";

/** The outcome of an action, behind its title. */
export function doneText(reply) {
  return isKorean() ? say("done") : reply.text || say("done");
}

/** A fault of an action or a query. A fault of the page's own, without a code, is in its language already. */
export function faultText(error) {
  if (error.code === undefined || !isKorean()) return error.message;
  // A refused fence or land, by its reason.
  const refusal = refusalText(error.message);
  if (refusal !== error.message) return refusal;
  const key = `fault.${error.code}`;
  const known = say(key);
  return known === key ? say("fault", { why: error.message }) : known;
}

const span = String.raw`\d+ (?:min|s)|until it is lifted`;
/** The forms of fixed details, each with its words. */
const forms = [
  [new RegExp(`^(?:${span})$`), (text) => spanText(text)],
  [
    new RegExp(`^(${span}); new guests of their address: (${span})(, in that room)?$`),
    (_, own, guests, inRoom) =>
      say(inRoom ? "detail.addressInRoom" : "detail.address", { own: spanText(own), guests: spanText(guests) }),
  ],
  [/^(\d+) in it$/, (_, n) => say("detail.inIt", { n: number(n) })],
  [/^season (\d+)$/, (_, n) => say("season", { n: number(n) })],
  [/^(\d+) taps of season (\d+)$/, tapsText],
  // Of a deleted player, by the number that stands for their name.
  [/^(\d+) taps of season (\d+), of (.+)$/, (_, n, season, who) => say("detail.tapsOf", { taps: tapsText(_, n, season), who })],
  [/^(\d+) added, (\d+) there already$/, (_, added, same) => say("detail.added", { added, same })],
  [/^(\d+) added, (\d+) changed, (\d+) closed$/, (_, added, changed, closed) => say("detail.edition", { added, changed, closed })],
  [/^(\d+) added, (\d+) replaced, (\d+) there already$/, (_, added, replaced, same) => say("detail.replaced", { added, replaced, same })],
];
/** Forms of some acts alone, whose details begin with the server's words and go on with somebody's names. */
const formsOf = {
  removeFences: [[/^(\d+) removed$/, (_, n) => say("detail.removed", { n: number(n) })]],
  addWebhook: [[/^(\S+) at (\S+)$/, (_, id, origin) => say("detail.webhook", { id, origin })]],
  acceptLand: [
    [/^land (\S+): (.*)$/s, (_, id, name) => say("detail.land", { id, name })],
    [/^land (\S+), there already$/, (_, id) => say("detail.landThere", { id })],
  ],
  renameLand: [[/^land (\S+): (.*)$/s, (_, id, named) => say("detail.land", { id, name: changedName(named) })]],
  editSchool: [[/^school (\S+): (.*?)(, closed|, open again)?$/s, schoolText]],
  endOwnSession: [[/^all$/, () => say("detail.allSessions")]],
  ...Object.fromEntries(["hide", "restore", "warn"].map((act) => [act, [[/^(post|comment|plan|capsule|profile) ([0-9a-f]{32})(: .*)?$/s, subjectText]]])),
};
const roleForm = /^(\S+): (viewer|moderator|admin)$/;
/** The acts whose details are an operator's own text, which may look like any form. */
const free = new Set(["announce", "declineLand"]);
const ofRoles = new Set(["addOperator", "addToken", "setRole"]);

/** The details of a row of the audit log. */
export function detailText(action, detail) {
  if (!isKorean()) return detail;
  const role = ofRoles.has(action) && roleForm.exec(detail);
  if (role) return `${role[1]}: ${say(`role.${role[2]}`)}`;
  for (const [form, words] of formsOf[action] ?? (free.has(action) ? [] : forms)) {
    const found = form.exec(detail);
    if (found) return words(...found);
  }
  return detail;
}

function spanText(text) {
  const [, n, unit] = /^(\d+) (min|s)$/.exec(text) ?? [];
  return n ? say(`detail.${unit}`, { n: number(n) }) : say("untilLifted");
}

function tapsText(_, n, season) {
  return say("detail.taps", { n: number(n), season: number(season) });
}

/** The names before and after; they stay as they are where more than one place can divide them. */
function changedName(named) {
  const parts = named.split(" is ");
  return parts.length === 2 ? parts.join(" → ") : named;
}

/** A correction. */
function schoolText(_, id, named, state = "") {
  return say("detail.school", { id, name: changedName(named) }) + (state && `, ${say(state === ", closed" ? "detail.closed" : "detail.openAgain")}`);
}

/** A reported thing, and behind it an operator's words of a warning. */
function subjectText(_, kind, id, words = "") {
  return `${say(`detail.${kind}`)} ${id}${words}`;
}

/** Why a delivery of a webhook failed: the server's code, in Korean with words of its own. */
export function deliveryFaultText(text) {
  const found = isKorean() && /^(nothing delivered for a day: )?(([A-Z_]+?)(?:_(\d{3}))?): /.exec(text);
  if (!found) return text;
  const [, isOff, code, kind, status] = found;
  const key = `delivery.${kind}`;
  const why = say(key, { status });
  if (why === key) return text;
  return `${code}: ${isOff ? say("delivery.forADay", { why }) : why}`;
}

/** Where an act came from. */
export function addressText(address) {
  return address === "command line" ? say("byCommand") : address;
}
