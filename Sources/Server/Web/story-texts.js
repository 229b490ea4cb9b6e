// How stories are put into words: times, countries, counts, lengths, and the hashtags in a text.
import { make } from "./dom.js";
import { isKorean, locale, number, say } from "./language.js";

const unitsS = { year: 31_536_000, month: 2_592_000, week: 604_800, day: 86_400, hour: 3_600, minute: 60 };

const drawings = {
  likes: "M12 20s-7.5-4.6-7.5-10.2A4.3 4.3 0 0 1 12 7.4a4.3 4.3 0 0 1 7.5 2.4C19.5 15.4 12 20 12 20z",
  views: "M2 12s4-6.5 10-6.5S22 12 22 12s-4 6.5-10 6.5S2 12 2 12zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  comments: "M5 5h14v10h-8l-4 4v-4H5z",
};

/** How long ago something was, in words; `ms` and `now` are times of the server. */
export function agoText(ms, now) {
  const seconds = Math.max(0, (now - Number(ms)) / 1_000);
  const [unit, length] = Object.entries(unitsS).find(([, each]) => seconds >= each) ?? [];
  if (!unit) return say("justNow");
  return new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(-Math.floor(seconds / length), unit);
}

/** A time in full. */
export function timeText(ms) {
  return new Date(Number(ms)).toLocaleString(locale(), { dateStyle: "long", timeStyle: "short" });
}

/** The `time` element of a moment. */
export function timeMark(ms, now) {
  const mark = make("time", "", agoText(ms, now));
  mark.dateTime = new Date(Number(ms)).toISOString();
  mark.title = timeText(ms);
  return mark;
}

/** A country's flag, by its two letters as regional indicators. */
export function flagOf(code) {
  return String.fromCodePoint(...[...code].map((letter) => 0x1f1a5 + letter.codePointAt(0)));
}

/** A country's name in the page's language. */
export function countryText(code) {
  try {
    return new Intl.DisplayNames(locale(), { type: "region" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** The catalogue's name of a country in the page's language. */
export function nameOf({ koreanName, englishName }) {
  return isKorean() ? koreanName : englishName;
}

/** A place in degrees, as maps write it. */
export function placeText({ latE7, lngE7 }) {
  const degrees = (value, [above, below]) => `${Math.abs(value / 1e7).toFixed(4)}° ${value < 0 ? below : above}`;
  return `${degrees(latE7, "NS")}, ${degrees(lngE7, "EW")}`;
}

/** Likes, views and comments, each with its word for readers of the screen. */
export function countMarks({ likes = 0, views = 0, commentCount = 0, liked = false }) {
  return [["likes", likes], ["views", views], ["comments", commentCount]].map(([kind, count]) => {
    const word = make("span", "unseen", `${say(`count.${kind}`)} `);
    const mark = make("span", "tally", drawing(drawings[kind]), word, make("b", "", number(count)));
    mark.classList.toggle("on", kind === "likes" && liked);
    return mark;
  });
}

/** A small drawing of these lines that says nothing to readers of the screen. */
export function drawing(lines) {
  const [svg, path] = ["svg", "path"].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", lines);
  svg.append(path);
  return svg;
}

/** The address on this page of a list or a post. */
export function address(...parts) {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

/** The address of a post's capsule on the page of capsules, with the post's place, where the capsule may be. */
export function capsuleAddress({ capsuleId, latE7, lngE7 }) {
  return `/capsules#${capsuleId}${latE7 === undefined ? "" : `/${latE7}/${lngE7}`}`;
}

/** The name of who wrote something, as a link to their profile. */
export function authorLink({ authorId, nickname }) {
  return Object.assign(make("a", "by", nickname || say("nobody")), { href: address("profile", authorId) });
}

/** A text as nodes, its hashtags as links. */
export function withHashtags(text, hashtags = []) {
  const known = new Set(hashtags);
  return text.split(/(#[\p{L}\p{M}\p{N}_]+)/u).map((part) => {
    const tag = part.slice(1).normalize("NFC").toLowerCase();
    if (!part.startsWith("#") || !known.has(tag)) return part;
    return Object.assign(make("a", "", part), { href: address("tag", tag) });
  });
}

/** The number of characters as people count them, and the server does. */
export function lengthOf(text) {
  if (!Intl.Segmenter) return [...text].length;
  return [...new Intl.Segmenter().segment(text)].length;
}

export function bytesOf(text) {
  return new TextEncoder().encode(text).length;
}

/** A button that asks once more before it acts. */
export function confirming(button, key, sureKey, act) {
  const calm = () => {
    button.textContent = say(key);
    button.classList.remove("sure");
  };
  calm();
  button.onclick = () => {
    if (button.classList.contains("sure")) return act();
    button.textContent = say(sureKey);
    button.classList.add("sure");
  };
  button.onblur = calm;
}

/** Sets a text, unless it stands there already: a reader of the screen would read it again. */
export function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
