// The twelve collectibles: their order, their drawings, and whether a player has earned each.
import { make } from "./dom.js";
import { locale, say } from "./language.js";
import { drawing } from "./story-texts.js";

const drawings = {
  ASIA_POST: "M12 2.5v2M5 8.5c4 0 6-1.5 7-4 1 2.5 3 4 7 4M8 8.5v4M16 8.5v4M3.5 15c4.5 0 7-.5 8.5-2.5 1.5 2 4 2.5 8.5 2.5M6.5 15v6M17.5 15v6M4 21h16",
  EUROPE_POST: "M12 2v5M12 7c0 6-3 10-6.5 14M12 7c0 6 3 10 6.5 14M9.5 13h5M8 17h8",
  AFRICA_POST: "M2.5 19.5L11 6l8.5 13.5zM11 6l2.5 13.5M19 5.5a1.5 1.5 0 1 0 .1 0z",
  OCEANIA_POST: "M2 17c2-2 4-2 6 0s4 2 6 0 4-2 6 0M2 21c2-2 4-2 6 0s4 2 6 0 4-2 6 0M11 15c0-4 1-7 3-10M14 5c-3-2.5-7-1.5-8 1.5M14 5c3-2 6-.5 6.5 2.5M14 5c-2.5 1-4 2.5-4 5",
  NORTH_AMERICA_POST: "M2 20l7-13 4.5 8L16 11l6 9zM6.7 11.3l2.3 1.7 2.3-1.7",
  SOUTH_AMERICA_POST: "M5 19C4 9 10 4 20 4c.5 10-5 16-15 15M3.5 21C6 16 9 12.5 14 9.5",
  ALL_CONTINENTS: "M12 3a9 9 0 1 0 .1 0zM3 12h18M12 3c4 4 4 14 0 18M12 3c-4 4-4 14 0 18",
  TEN_POSTS: "M6 3h8l4 4v14H6zM14 3v4h4M9 11h6M9 14h6M9 17h4",
  LIKED_POST: "M12 20s-7.5-4.6-7.5-10.2A4.3 4.3 0 0 1 12 7.4a4.3 4.3 0 0 1 7.5 2.4C19.5 15.4 12 20 12 20z",
  FULL_SOUNDTRACK: "M9 17.5V6l10-2.5v12M9 17.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0M19 15.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0",
  TAKEN_OVER_PLAN: "M3 6l6-2.5 6 2.5 6-2.5v14.5L15 20.5 9 18l-6 2.5zM9 3.5V18M15 6v14.5",
  TEN_CAPSULES: "M7 8a5 5 0 0 1 10 0v8a5 5 0 0 1-10 0zM7 12h10M10 7.5a2 2 0 0 1 1.5-1.5",
};

export const medalsCount = Object.keys(drawings).length;

/** A row for each collectible; `won` are those of the profile. */
export function medals(won) {
  const wonAtMs = new Map(won.map(({ kind, awardedAtMs }) => [kind, awardedAtMs]));
  return Object.entries(drawings).map(([kind, path]) => {
    const name = make("b", "", say(`collectible.${kind}`));
    const medal = make("span", "medal", drawing(path));
    if (!wonAtMs.has(kind)) {
      const not = make("span", "unseen", `${say("notWon")}: `);
      return make("li", "", medal, name, make("small", "", not, say(`way.${kind}`)));
    }
    const date = new Date(Number(wonAtMs.get(kind))).toLocaleDateString(locale(), { dateStyle: "medium" });
    return make("li", "won", medal, name, make("small", "", say("wonOn", { date })));
  });
}
