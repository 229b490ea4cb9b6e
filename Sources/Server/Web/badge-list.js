// The seven badges: what each needs, and whether the player has it.
import { make } from "./dom.js";
import { locale, say } from "./language.js";

/** The records that each badge needs, as PROTOCOL.md says ("Results and records"). */
const needs = [1, 3, 5, 10, 20, 30, 50];

/** A row for each badge; `won` are those of `records`, `count` is the number of records. */
export function badgeRows(won, count) {
  const wonAtMs = new Map(won.map(({ badge = 0, awardedAtMs }) => [badge, Number(awardedAtMs)]));
  return needs.map((needed, badge) => {
    const at = wonAtMs.get(badge);
    const medal = make("span", "medal", `${badge}`);
    medal.setAttribute("aria-hidden", "true");
    const name = make("b", "", say("badgeNeeds", { n: needed }));
    if (at !== undefined) {
      const date = new Date(at).toLocaleDateString(locale(), { dateStyle: "medium" });
      return make("li", "won", medal, name, make("small", "", say("badgeWon", { date })));
    }
    const progress = Object.assign(make("progress"), { max: needed, value: Math.min(count, needed) });
    progress.setAttribute("aria-label", say("badgeNeeds", { n: needed }));
    return make("li", "", medal, name, make("small", "", say("badgeMissing", { n: Math.max(1, needed - count) })), progress);
  });
}
