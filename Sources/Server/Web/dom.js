// Helpers for the page's elements. Texts are inserted by `textContent` alone, so a player's text never becomes markup.
import { locale, say, showSaid } from "./language.js";

/** The server's map of streets; null without one. */
export const streets = JSON.parse(document.body.dataset.map ?? "null");

export const find = (selector, root = document) => root.querySelector(selector);

/** An element with a class, and texts or elements inside. */
export function make(name, className = "", ...children) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Shows one of the page's views and hides the others. */
export function showView(name) {
  document.body.dataset.view = name;
  for (const view of document.querySelectorAll(".view")) view.hidden = view.id !== name;
}

/** Shows a short text at the top for a moment. The same text is not shown twice at a time. */
export function toast(text, kind = "") {
  const toasts = find("#toasts");
  for (const shown of toasts.children) if (shown.textContent === text) shown.remove();
  const note = make("p", `toast ${kind}`);
  showSaid(note, text);
  toasts.append(note);
  while (toasts.children.length > 3) toasts.firstChild.remove();
  setTimeout(() => note.remove(), 4_500);
}

/** Shows a refused request's error in the player's words. */
export function sayError(error) {
  if (error.code === "LOST") return;
  toast(errorText(error), "warn");
}

export function errorText(error) {
  if (error.code === "BANNED") return untilText("banned", error);
  if (error.code === "MUTED") return untilText("muted", error);
  if (error.mayBeDone) return say("error.mayBeDone");
  const seconds = Math.max(1, Math.ceil((error.retryAfterMs ?? 1_000) / 1_000));
  return say(`error.${error.code}`, { seconds }, say("error.OTHER"));
}

/** The text of a ban or mute of this player, with its end if it has one. */
export function untilText(kind, { retryAfterMs }) {
  if (retryAfterMs === undefined) return say(`${kind}Text`);
  const until = new Date(Date.now() + retryAfterMs);
  const isSoon = retryAfterMs < 12 * 3_600_000;
  const style = isSoon ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
  return say(`${kind}Until`, { time: () => until.toLocaleString(locale(), style) });
}

/** A notice that stays until it is dismissed. */
export function announce(text, title = say("announcementTitle")) {
  const heading = make("b");
  showSaid(heading, title);
  const close = make("button", "quiet", "×");
  close.type = "button";
  close.dataset.sayLabel = "dismiss";
  close.setAttribute("aria-label", say("dismiss"));
  const notice = make("div", "announcement", make("p", "", heading, text), close);
  close.addEventListener("click", () => notice.remove());
  const notices = find("#announcements");
  notices.append(notice);
  while (notices.children.length > 3) notices.firstChild.remove();
}

/**
 * The banner with the connection's trouble, as `status` of `Connection` gets it. Trouble of under 0.7 s is not shown.
 */
export function lineBanner() {
  const banner = find("#line");
  let timer = null;
  return (trouble) => {
    clearTimeout(timer);
    if (trouble === null) return (banner.hidden = true);
    banner.dataset.say = `line.${trouble}`;
    banner.textContent = say(banner.dataset.say);
    if (banner.hidden) timer = setTimeout(() => (banner.hidden = false), 700);
  };
}

/** Calls `act` when colours change between light and dark, until the returned function is called. */
export function onColours(act) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", act);
  return () => dark.removeEventListener("change", act);
}

/** Minutes and seconds, as a clock shows them. */
export function clockText(ms) {
  const seconds = Math.ceil(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A seat's colour: the first eight are chosen by hand, further ones go around the colour circle. */
export function seatColour(seat) {
  const first = ["#e4572e", "#2f7de1", "#2a9d5c", "#b04ad8", "#d99a00", "#d6336c", "#0f9ea8", "#7a5c3e"];
  return first[seat] ?? `hsl(${Math.round(seat * 137.508) % 360} 62% 48%)`;
}
