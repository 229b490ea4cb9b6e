// Figures, times and identifiers as operators read them: short, and of one width where they stand in columns.
import { locale, number, say } from "./language.js";

/** A rate, or another figure, in about three digits. */
export function brief(value) {
  if (value >= 10_000_000) return `${number(Math.round(value / 100_000) / 10)} M`;
  if (value >= 100_000) return `${number(Math.round(value / 1_000))} k`;
  return number(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));
}

export function bytes(count) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  const power = count < 1_000 ? 0 : Math.min(4, Math.floor(Math.log(count) / Math.log(1_024) + 0.01));
  const value = count / 1_024 ** power;
  return `${number(power === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10)} ${units[power]}`;
}

export function percent(share) {
  return `${number(share < 0.1 ? Math.round(share * 1_000) / 10 : Math.round(share * 100))} %`;
}

export function milliseconds(ms) {
  if (ms >= 10_000) return `${number(Math.round(ms / 1_000))} s`;
  if (ms >= 1_000) return `${number(Math.round(ms / 100) / 10)} s`;
  return `${number(ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms))} ms`;
}

/** A duration in its two largest units. */
export function duration(ms) {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const parts = [
    [Math.floor(seconds / 86_400), "days"],
    [Math.floor(seconds / 3_600) % 24, "hours"],
    [Math.floor(seconds / 60) % 60, "minutes"],
    [seconds % 60, "seconds"],
  ];
  const first = Math.max(0, parts.findIndex(([count]) => count > 0));
  const shown = seconds === 0 ? parts.slice(3) : parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => say(`unit.${unit}`, { n: count })).join(" ");
}

/** A moment: the time of day, and before it the date unless it is today. */
export function moment(ms) {
  const date = new Date(ms);
  const time = date.toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
  if (date.toDateString() === new Date().toDateString()) return time;
  return `${date.toLocaleDateString(locale(), { month: "short", day: "numeric" })} ${time}`;
}

/** The beginning of an identifier; enough to tell it from others in sight. */
export function brieflyNamed(id) {
  return id.length > 10 ? `${id.slice(0, 8)}…` : id;
}

const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * A player's text that can't change the direction of the text beside it: without the characters that do, and isolated
 * if its letters run from right to left.
 */
export function plain(text) {
  const bare = text.replace(turning, "");
  return rightToLeft.test(bare) ? `\u2068${bare}\u2069` : bare;
}

/** A practice opponent's name in the operator's language, from the one that the server gave it. */
export function nameOfWalker(nickname) {
  return nickname.replace("Practice", () => say("walkerName"));
}

/** Degrees, northern and eastern ones above zero. */
export function placeText({ latE7, lngE7 }) {
  return `${(latE7 / 1e7).toFixed(5)}, ${(lngE7 / 1e7).toFixed(5)}`;
}

/** Whether a text is an identifier of a player or a room. */
export function isIdentifier(text) {
  return /^[0-9a-f]{32}$/.test(text ?? "");
}

/** A text as a whole number from `least` up; null for any other text. */
export function whole(text, least = 1) {
  const value = /^(0|[1-9]\d{0,15})$/.test(text ?? "") ? Number(text) : NaN;
  return Number.isSafeInteger(value) && value >= least ? value : null;
}
