// The days of a travel plan, its stops by day, and what an edit's answer makes of them. Dates are as on the wire,
// `YYYY-MM-DD`, so that their order is that of their texts.
import { locale } from "./language.js";

const dayMs = 86_400_000;

/** The date so many days later. */
export function dayAfter(date, days) {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** The number of a date among the days of a plan, from 1. */
export function dayNumber({ firstDate }, date) {
  return Math.round((Date.parse(date) - Date.parse(firstDate)) / dayMs) + 1;
}

/** All dates of a plan. */
export function datesOf({ firstDate, lastDate }) {
  const count = Math.min(366, dayNumber({ firstDate }, lastDate));
  return Array.from({ length: Math.max(0, count) }, (_, index) => dayAfter(firstDate, index));
}

/** A date with its weekday, as people of the page's language write it. */
export function dateText(date) {
  const options = { month: "short", day: "numeric", weekday: "short", timeZone: "UTC" };
  return new Date(`${date}T00:00:00Z`).toLocaleDateString(locale(), options);
}

/** The first and the last date, with their year. */
export function spanText({ firstDate, lastDate }) {
  const style = new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeZone: "UTC" });
  return style.formatRange(new Date(`${firstDate}T00:00:00Z`), new Date(`${lastDate}T00:00:00Z`));
}

/** The device's own day. */
export function today() {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

export function stopsOn(plan, date) {
  return (plan.stops ?? []).filter((stop) => stop.date === date);
}

export function hasPlace({ latE7 }) {
  return latE7 !== undefined;
}

/**
 * The plan with an answer to an edit of a stop; null where the plan is not the version before it, and must be read
 * anew.
 */
export function withChange(plan, { version, stopId, stop, index = 0, stopCount = 0, editedAtMs }) {
  if (version !== plan.version && version !== plan.version + 1) return null;
  const stops = (plan.stops ?? []).filter((each) => each.stopId !== stopId);
  if (stop) {
    const before = stops.filter(({ date }) => date < stop.date).length;
    stops.splice(before + index, 0, stop);
  }
  return stops.length === stopCount ? { ...plan, version, editedAtMs, stopCount, stops } : null;
}
