// The chart of the last seven days as bars, and the same as a table. A picture for those who see, one sentence and the
// table for those who don't.
import { make } from "./dom.js";
import { locale, number, say } from "./language.js";

const space = "http://www.w3.org/2000/svg";
const size = { width: 350, height: 190, top: 26, bottom: 26, gap: 10 };

/** A figure in the player's words. */
export function figureText(figure, value) {
  if (figure === "calories") return say("kilocalories", { n: number(Math.round(value / 1_000)) });
  if (figure === "timeS") return timeText(value);
  if (figure === "count") return say("times", { n: number(value) });
  return value < 10_000 ? say("metres", { n: number(value) }) : say("kilometres", { n: number(Math.round(value / 100) / 10) });
}

function timeText(seconds) {
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (h > 0) return say("hours", { h, m });
  return m > 0 ? say("minutesAndSeconds", { m, s }) : say("seconds", { n: s });
}

/** A figure on a bar, where there is little room. */
function shortText(figure, value) {
  if (value === 0) return "";
  if (figure === "calories") return number(Math.round(value / 1_000));
  if (figure === "timeS") return `${Math.floor(value / 60)}:${String(value % 60).padStart(2, "0")}`;
  return value < 10_000 ? number(value) : `${number(Math.round(value / 100) / 10)}k`;
}

/** A date of the server's calendar in words; the date is no moment, so no time zone moves it. */
function dayText(date, style) {
  return new Date(`${date}T12:00:00Z`).toLocaleDateString(locale(), { timeZone: "UTC", ...style });
}

/** The bars of `days` by a figure: `distanceM`, `timeS` or `calories`. */
export function weekChart(days, figure) {
  const { width, height, top, bottom, gap } = size;
  const values = days.map((day) => day[figure] ?? 0);
  const greatest = Math.max(1, ...values);
  const step = width / Math.max(1, days.length);
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
  const said = days.map((day, index) => `${dayText(day.date, { weekday: "long" })} ${figureText(figure, values[index])}`);
  svg.setAttribute("aria-label", say("chartOf", { figure: say(figure), days: said.join(", ") }));
  days.forEach((day, index) => {
    const x = index * step + gap / 2;
    const room = height - top - bottom;
    const tall = Math.max(values[index] > 0 ? 3 : 0, (room * values[index]) / greatest);
    const middle = index * step + step / 2;
    const isToday = index === days.length - 1;
    svg.append(
      shape("rect", { class: "rest", x, y: top, width: step - gap, height: room, rx: 5 }),
      shape("rect", { class: "bar-of-day", x, y: top + room - tall, width: step - gap, height: tall, rx: Math.min(5, tall / 2) }),
      words(shortText(figure, values[index]), { x: middle, y: top + room - tall - 6, class: isToday ? "today" : "" }),
      words(dayText(day.date, { weekday: "short" }), { x: middle, y: height - 8, class: isToday ? "today" : "" }),
    );
  });
  return svg;
}

/** The same days with all their figures. */
export function weekTable(days) {
  const figures = ["count", "distanceM", "timeS", "calories"];
  const headings = [say("day"), ...figures.map((figure) => say(figure))].map((text) => {
    const heading = make("th", "", text);
    heading.scope = "col";
    return heading;
  });
  const rows = days.map((day) => {
    const heading = make("th", "", dayText(day.date, { month: "short", day: "numeric", weekday: "short" }));
    heading.scope = "row";
    return make("tr", "", heading, ...figures.map((figure) => make("td", "", figureText(figure, day[figure] ?? 0))));
  });
  return make("table", "", make("thead", "", make("tr", "", ...headings)), make("tbody", "", ...rows));
}

function shape(name, attributes) {
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function words(text, attributes) {
  const element = shape("text", attributes);
  element.textContent = text;
  return element;
}
