// The console's warnings, which are on every view: each leads to where its cause is seen.
import { find } from "./dom.js";
import { number, say } from "./language.js";
import { duration, milliseconds } from "./console-format.js";
import { link, setText } from "./console-parts.js";

/** The same bound as in the alert rules. */
const latenessMaxMs = 100;
/** Among fewer ticks, a single one determines the percentile. */
const ticksMin = 200;
const lagMaxSeconds = 1;
const copyAgeMaxSeconds = 120;
const descriptorsShareMax = 0.85;

/** Shows the warnings of the newest figures. */
export function showWarnings({ latest, newest }, isDraining) {
  const warnings = warningsOf(latest, newest, isDraining);
  const shown = find("#warnings");
  while (shown.children.length > warnings.length) shown.lastChild.remove();
  warnings.forEach(([kind, text, address], at) => {
    const line = shown.children[at] ?? shown.appendChild(link("", ""));
    line.className = `warning ${kind}`;
    if (line.getAttribute("href") !== address) line.setAttribute("href", address);
    setText(line, text);
  });
}

function warningsOf(latest, newest, isDraining) {
  const warnings = [];
  if (isDraining) warnings.push(["warn", say("warn.draining"), "#/rooms?phase=PLAYING"]);
  const overloaded = latest?.shards.filter((shard) => shard.overloaded).map(({ shard }) => shard) ?? [];
  if (overloaded.length > 0) {
    warnings.push(["bad", say("warn.overloaded", { shards: overloaded.join(", ") }), `#/overview?at=shards&shard=${overloaded[0]}`]);
  }
  if (latest?.commits.failing) warnings.push(["bad", say("warn.store", { n: number(latest.commits.failures) }), "#/overview?at=commits"]);
  if (latest?.copy) {
    const { failure, ageSeconds } = latest.copy;
    const time = duration(ageSeconds * 1_000);
    if (failure) warnings.push(["warn", say("warn.copy", { why: failure, time }), "#/overview?at=facts"]);
    else if (ageSeconds > copyAgeMaxSeconds) warnings.push(["warn", say("warn.copyBehind", { time }), "#/overview?at=facts"]);
  }
  if (newest?.latenessMs > latenessMaxMs && newest.ticks >= ticksMin) {
    warnings.push(["warn", say("warn.late", { time: milliseconds(newest.latenessMs) }), "#/overview?at=lateness"]);
  }
  if (latest?.commits.journalLagSeconds > lagMaxSeconds) {
    warnings.push(["warn", say("warn.lag", { time: milliseconds(latest.commits.journalLagSeconds * 1_000) }), "#/overview?at=commits"]);
  }
  const { openDescriptors, descriptorsMax } = latest?.process ?? {};
  if (openDescriptors > descriptorsShareMax * descriptorsMax) {
    const text = say("warn.descriptors", { open: number(openDescriptors), max: number(descriptorsMax) });
    warnings.push(["warn", text, "#/connections?sort=address"]);
  }
  return warnings;
}
