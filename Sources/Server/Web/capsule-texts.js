// How capsules are put into words: dates, distances, and what is known of one before it is opened.
import { locale, number, say } from "./language.js";

/** A day like `2026-11-21`, as people of the page's language write it. */
export function dayText(day) {
  return new Date(`${day}T00:00:00`).toLocaleDateString(locale(), { dateStyle: "medium" });
}

/** The device's own day, as `dayText` reads it. */
export function today() {
  const now = new Date();
  const two = (value) => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** Empty for an unknown distance. */
export function distanceText(metres) {
  if (!Number.isFinite(metres)) return "";
  if (metres < 1_000) return say("metres", { n: number(Math.round(metres)) });
  const kilometres = metres / 1_000;
  return say("kilometres", { n: number(kilometres < 100 ? Math.round(kilometres * 10) / 10 : Math.round(kilometres)) });
}

/** What is known of a capsule before it is opened, in one line. */
export function factsText(capsule, book) {
  const facts = [dayText(capsule.memoryDate), distanceText(book.distanceM(capsule))];
  if (book.isMine(capsule)) facts.push(say(capsule.everyone ? "mineForAll" : "mine"));
  if (capsule.opened) facts.push(say("openedBefore"));
  return facts.filter(Boolean).join(" · ");
}
