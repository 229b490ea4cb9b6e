// The page of a player's own records: totals, the last seven days as a chart, the badges, and past games page by page.
import { badgeRows } from "./badge-list.js";
import { errorText, find, make, showView, toast } from "./dom.js";
import { Entrance } from "./entrance.js";
import { beginWords, locale, number, say } from "./language.js";
import { meWords } from "./me-words.js";
import { figureText, weekChart, weekTable } from "./week-chart.js";
import { words } from "./words.js";

const pageRows = 20;

let nickname = "";
let records = null;
let results = [];
let cursor = "";
let figure = "distanceM";

const entrance = new Entrance({ welcomed, notified });
const { connection } = entrance;

async function welcomed(welcome) {
  nickname = welcome.player?.nickname ?? "";
  showView("me");
  fault("");
  try {
    records = await connection.request("records");
    cursor = "";
    results = await nextResults();
    show();
  } catch (error) {
    if (error.code !== "LOST") fault(errorText(error));
  }
}

async function notified(kind) {
  if (kind !== "badge") return;
  toast(say("badge"), "good");
  try {
    records = await connection.request("records");
    show();
  } catch {
    // The next coming in asks again.
  }
}

/** The next page of past games. */
async function nextResults() {
  const answer = await connection.request("results", { limit: pageRows, ...(cursor ? { cursor } : {}) });
  cursor = answer.nextCursor ?? "";
  return answer.results ?? [];
}

function fault(text) {
  find("#me-fault").textContent = text;
  find("#me-fault").hidden = text === "";
}

function show() {
  if (!records) return;
  const { days = [], total = {}, badges = [] } = records;
  find("#me-name").textContent = say("meName", { name: nickname });
  const figures = ["count", "distanceM", "timeS", "calories"];
  const facts = figures.map((each) => make("div", "", make("dt", "", say(each)), make("dd", "", figureText(each, total[each] ?? 0))));
  find("#totals").replaceChildren(...facts);
  for (const button of document.querySelectorAll("[data-figure]")) {
    button.setAttribute("aria-pressed", `${button.dataset.figure === figure}`);
  }
  find("#chart").replaceChildren(weekChart(days, figure));
  find("#week-table").replaceChildren(weekTable(days));
  find("#badges-hint").textContent = say("badgesHint", { n: total.count ?? 0 });
  find("#badges").replaceChildren(...badgeRows(badges, total.count ?? 0));
  find("#history").replaceChildren(...results.map((result) => gameRow(result)));
  find("#history-none").hidden = results.length > 0;
  find("#history-none").textContent = say("historyNone");
  find("#history-more").hidden = cursor === "";
}

function gameRow(result) {
  const { mode, endedAtMs, points = 0, distanceM = 0, timeS = 0, rank, won, completed, calories = 0, landName } = result;
  const date = new Date(Number(endedAtMs)).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });
  const key = { TERRITORY: "area", LAND: "lands" }[mode] ?? "points";
  const place = rank ? say("rank", { n: rank }) : null;
  const facts = [
    date,
    won ? say("won") : place,
    figureText("distanceM", distanceM),
    figureText("timeS", timeS),
    figureText("calories", calories),
    completed ? null : say("notCompleted"),
  ].filter(Boolean);
  return make(
    "li",
    "",
    make("span", "", landName ? `${say(mode)} · ${landName}` : say(mode)),
    make("b", "", say(key, { n: number(points) })),
    make("small", "", facts.join(" · "))
  );
}

for (const button of document.querySelectorAll("[data-figure]")) {
  button.addEventListener("click", () => {
    figure = button.dataset.figure;
    show();
  });
}
find("#history-more").addEventListener("click", async () => {
  find("#history-more").disabled = true;
  try {
    results = [...results, ...(await nextResults())];
    show();
  } catch (error) {
    if (error.code !== "LOST") fault(errorText(error));
  }
  find("#history-more").disabled = false;
});
beginWords({ ...words, ...meWords }, () => {
  entrance.say();
  show();
});
entrance.begin();
addEventListener("load", () => import("./install.js").catch(() => undefined));
