// The page of a player's own records: totals, the last seven days as a chart, the badges, and past games page by page. A
// past game has an address of its own on the page, and is shown with its final map.
import { badgeRows } from "./badge-list.js";
import { errorText, find, make, showView, toast } from "./dom.js";
import { Entrance } from "./entrance.js";
import { beginWords, locale, number, say, showSaid } from "./language.js";
import { meWords } from "./me-words.js";
import { figureText, weekChart, weekTable } from "./week-chart.js";
import { words } from "./words.js";

const pageRows = 20;

let playerId = "";
let nickname = "";
let records = null;
let results = [];
let cursor = "";
let figure = "distanceM";

/** The past game that is shown, and its map once one was shown. */
let past = null;
let track = null;

const entrance = new Entrance({ welcomed, notified, left: forgetPast });
const { connection } = entrance;

async function welcomed(welcome) {
  playerId = welcome.playerId;
  nickname = welcome.player?.nickname ?? "";
  // A connection that comes back leaves a past game on the page.
  if (!past) showView("me");
  else if (document.body.dataset.view !== "past") showPast(past);
  fault("");
  try {
    records = await connection.request("records");
    cursor = "";
    results = await nextResults();
    show();
    route();
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
  showSaid(find("#me-fault"), text);
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
  const { gameId, mode, points = 0 } = result;
  const key = { TERRITORY: "area", LAND: "lands" }[mode] ?? "points";
  const link = make(
    "a",
    "",
    make("span", "", nameOf(result)),
    make("b", "", say(key, { n: number(points) })),
    make("small", "", factsOf(result)),
    make("small", "see", say("seeMap"))
  );
  link.href = `#${gameId}`;
  return make("li", "", link);
}

function nameOf({ mode, landName }) {
  return landName ? `${say(mode)} · ${landName}` : say(mode);
}

/** A first who stayed and has not won was alone with practice opponents. A first who left is so because nobody stayed. */
function placeOf({ rank, won, completed }) {
  if (won) return say("won");
  if (rank === 1) return completed ? say("practiceGame") : null;
  return rank ? say("rank", { n: rank }) : null;
}

function factsOf(result) {
  const { endedAtMs, distanceM = 0, timeS = 0, completed, calories = 0 } = result;
  const facts = [
    new Date(Number(endedAtMs)).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" }),
    placeOf(result),
    figureText("distanceM", distanceM),
    figureText("timeS", timeS),
    figureText("calories", calories),
    completed ? null : say("notCompleted"),
  ];
  return facts.filter(Boolean).join(" · ");
}

/** Shows the past game that the page's address names, else the records. */
function route() {
  const { view } = document.body.dataset;
  if (view !== "me" && view !== "past") return;
  const isNamed = ({ gameId }) => `#${gameId}` === location.hash;
  // It may be of a further page, which is not there any more after a connection was lost.
  if (past && isNamed(past)) return;
  const before = past;
  past = results.find(isNamed) ?? null;
  if (past) return showPast(past);
  track?.hide();
  if (view === "me") return;
  showView("me");
  // One goes on where one was in the list.
  find(`#history a[href="#${before?.gameId}"]`)?.focus();
}

/** Who comes in next may be another player. */
function forgetPast() {
  past = null;
  track?.hide();
}

/** The map comes behind the game's facts. The page's words for it are loaded with it. */
async function showPast(result) {
  showView("past");
  scrollTo(0, 0);
  sayPast();
  find("#past-title").focus();
  try {
    const { TrackView } = await import("./track-view.js");
    track ??= new TrackView(connection, find("#past"));
    const { gameId, mode } = result;
    if (past === result) track.show({ gameId, mode, playerId, board: [{ playerId }] });
  } catch {
    find("#past-fault").textContent = say("line.lost");
    find("#past-fault").hidden = false;
  }
}

function sayPast() {
  if (!past) return;
  find("#past-title").textContent = nameOf(past);
  find("#past-facts").textContent = factsOf(past);
  find("#past-fault").hidden = true;
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
addEventListener("hashchange", route);
beginWords({ ...words, ...meWords }, () => {
  entrance.say();
  show();
  sayPast();
});
entrance.begin();
addEventListener("load", () => import("./install.js").catch(() => undefined));
