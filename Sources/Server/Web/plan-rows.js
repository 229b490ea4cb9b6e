// The rows of lists of travel plans.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { spanText } from "./plan-days.js";
import { address } from "./story-texts.js";

/** The row of a plan: its title as a link, its dates and what is known of it. */
export function planRow(plan) {
  const link = Object.assign(make("a", "", plan.title), { href: address("plan", plan.planId) });
  const facts = [spanText(plan), say("stops", { n: number(plan.stopCount ?? 0) })];
  if (plan.takenFrom) facts.push(say("takenFrom", { name: plan.takenFrom.nickname }));
  if (plan.takenOver) facts.push(say("takenBy", { n: number(plan.takenOver) }));
  const body = make("article", "body", make("h2", "", link), make("p", "meta", facts.join(" · ")));
  if (plan.hidden) body.append(make("p", "mark", say("hiddenMark")));
  return make("li", "", body);
}
