// The server's English in the console's language. The server speaks English; a Korean page has its own words for what
// was done, for faults by their codes, and for the fixed details of the audit log.
//
// It never changes an operator's or a player's text. English it does not know stays as it is.
// Decisions: 169 (docs/decisions).
import { isKorean, number, say } from "./language.js";

/** The outcome of an action, behind its title. */
export function doneText(reply) {
  return isKorean() ? say("done") : reply.text || say("done");
}

/** A fault of an action or a query. A fault of the page's own, without a code, is in its language already. */
export function faultText(error) {
  if (error.code === undefined || !isKorean()) return error.message;
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
  [/^(\d+) taps of season (\d+)$/, (_, n, season) => say("detail.taps", { n: number(n), season: number(season) })],
  [/^(\d+) added, (\d+) there already$/, (_, added, same) => say("detail.added", { added, same })],
  [/^(\d+) added, (\d+) changed, (\d+) closed$/, (_, added, changed, closed) => say("detail.edition", { added, changed, closed })],
  [/^(\d+) added, (\d+) replaced, (\d+) there already$/, (_, added, replaced, same) => say("detail.replaced", { added, replaced, same })],
];
const roleForm = /^(\S+): (viewer|moderator|admin)$/;
/** The acts whose details are an operator's own text, which may look like any form. */
const free = new Set(["announce", "warn", "declineLand"]);
const ofRoles = new Set(["addOperator", "addToken", "setRole"]);

/** The details of a row of the audit log. */
export function detailText(action, detail) {
  if (!isKorean() || free.has(action)) return detail;
  const role = ofRoles.has(action) && roleForm.exec(detail);
  if (role) return `${role[1]}: ${say(`role.${role[2]}`)}`;
  for (const [form, words] of forms) {
    const found = form.exec(detail);
    if (found) return words(...found);
  }
  return detail;
}

function spanText(text) {
  const [, n, unit] = /^(\d+) (min|s)$/.exec(text) ?? [];
  return n ? say(`detail.${unit}`, { n: number(n) }) : say("untilLifted");
}
