// The reasons why the server refuses a fence or a land, in the console's language. The server speaks English; a Korean
// page has its own words for each of the fixed forms. English it does not know stays as it is.
// Decisions: 169 (docs/decisions).
import { isKorean, number, say } from "./language.js";

/** The forms of the reasons, each with its words. */
const forms = [
  [/^its name: (.+)$/s, (_, why) => say("shape.name", { why: textFault(why) })],
  [/^a land's name: (.+)$/s, (_, why) => say("shape.landName", { why: textFault(why) })],
  [/^its topic: (.+)$/s, (_, why) => say("shape.topic", { why: textFault(why) })],
  [/^(-?\d+) s of dwelling is not within 1 to (\d+) s$/, (_, s, max) => say("shape.dwell", { s: number(s), max: number(max) })],
  [/^its opening or closing is before 1970 or too far ahead$/, () => say("shape.time")],
  [/^it closes before it opens$/, () => say("shape.closesFirst")],
  [/^the fence has (\d+) bytes, more than (\d+)$/, (_, bytes, max) => say("shape.tooLarge", { bytes: number(bytes), max: number(max) })],
  [/^a radius of (-?\d+) mm is not within 5 m to 50 km$/, (_, mm) => say("shape.radius", { m: number(mm / 1_000) })],
  [/^coordinate (\d+) is not on Earth\b.*$/, (_, at) => say("shape.offTheMap", { at })],
  [/^coordinate (\d+) is beyond 85° north or south$/, (_, at) => say("shape.nearPole", { at })],
  [/^the (?:polygon|ring) is not closed: its last coordinate is not its first$/, () => say("shape.notClosed")],
  [/^the (?:polygon|ring) has fewer than three different corners$/, () => say("shape.tooFew")],
  [/^the (?:polygon has|ring takes) (\d+) vertices, more than (\d+)$/, (_, n, max) => say("shape.tooMany", { n: number(n), max: number(max) })],
  [/^coordinate (\d+) is more than (\d+) km from the first(, or from the one before)?$/, (_, at, km) => say("shape.tooWide", { at, km: number(km) })],
  [
    /^the (?:polygon|ring) crosses or touches itself: the sides that begin at coordinates (\d+) and (\d+) meet$/,
    (_, first, second) => say("shape.crosses", { first, second }),
  ],
  [/^its area divided by its perimeter is (\d+) mm, less than 1 m$/, (_, mm) => say("shape.narrow", { m: number(mm / 1_000) })],
  [/^the ring is (\d+) m around, less than (\d+) m$/, (_, m, min) => say("shape.short", { m: number(m), min: number(min) })],
];
/** The server's words for a text that is refused. */
const textForms = [
  [/^the text is empty$/, () => say("shape.text.empty")],
  [/^the text is longer than (\d+) characters$/, (_, n) => say("shape.text.long", { n: number(n) })],
  [/^the text has more than (\d+) bytes$/, (_, n) => say("shape.text.bytes", { n: number(n) })],
  [/^the text has a control character$/, () => say("shape.text.control")],
  [/^the text has a line break$/, () => say("shape.text.lineBreak")],
  [/^the text is only white space$/, () => say("shape.text.blank")],
];

/** A refusal, which may begin with the name of what is refused. */
export function refusalText(text) {
  if (!isKorean()) return text;
  for (let at = 0; at >= 0; at = behindColon(text, at)) {
    const words = wordsOf(forms, text.slice(at));
    if (words !== null) return text.slice(0, at).replace(/^fence /, "") + words;
  }
  return text;
}

/** The place behind the next colon of a text; -1 behind the last one. */
function behindColon(text, from) {
  const at = text.indexOf(": ", from);
  return at < 0 ? -1 : at + 2;
}

function textFault(text) {
  return wordsOf(textForms, text) ?? text;
}

function wordsOf(known, text) {
  for (const [form, words] of known) {
    const found = form.exec(text);
    if (found) return words(...found);
  }
  return null;
}
