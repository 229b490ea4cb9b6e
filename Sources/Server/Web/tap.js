// The page of the schools' race: the school, a pad for any number of fingers, and the live ranking.
import { Connection } from "./connection.js";
import { forget, keep, kept } from "./device.js";
import { announce, errorText, find, lineBanner, make, sayError, toast, untilText } from "./dom.js";
import { beginWords, number, say, showSaid } from "./language.js";
import { SchoolSearch } from "./schools.js";
import { tapWords } from "./tap-words.js";
import { Tapping } from "./tapping.js";
import { drawNickname, words } from "./words.js";

/** The time after which a race that did not come is asked for again; milliseconds. */
const raceAgainMs = 5_000;

let mySchool = kept("school") ?? "";
let schoolId = "";
let ranking = null;
let isChoosing = false;
let raceAgain = null;
/** The school is closed, and takes no taps. */
let isClosed = false;
/** The end of the race on this page: `reason` and `error` of the connection's end; null before. */
let ending = null;

const connection = new Connection({
  welcome: welcomed,
  notified,
  end: ended,
  status: lineBanner(),
  lastEvent: () => undefined,
});
const tapping = new Tapping(connection, { changed: showCounts, trouble });
const search = new SchoolSearch(connection, choose);

async function welcomed(welcome) {
  schoolId = welcome.player?.schoolId ?? "";
  tapping.welcome(welcome);
  isClosed = false;
  isChoosing = schoolId === "";
  showParts();
  if (isChoosing) search.begin();
  watchRace();
}

/** Shows the race from now on. One that does not come says so in its place, and is asked for again. */
async function watchRace() {
  clearTimeout(raceAgain);
  try {
    showRanking(await connection.request("watchRanking", { top: 10 }));
  } catch (error) {
    // After a lost connection the next welcome asks again.
    if (error.code === "LOST") return;
    const fault = make("li", "gap");
    showSaid(fault, errorText(error));
    if (ranking) sayError(error);
    else find("#race").replaceChildren(fault);
    raceAgain = setTimeout(() => connection.isOpen && watchRace(), error.retryAfterMs ?? raceAgainMs);
  }
}

function notified(kind, body) {
  if (kind === "ranking") showRanking(body);
  if (kind === "announcement") announce(body.text ?? "");
}

function ended(reason, error) {
  if (reason === "misnamed") forget("nickname");
  if (reason === "stranger" || reason === "misnamed") return connection.begin(guestName());
  ending = { reason, error };
  showEnding();
}

/** Shows the reason for the end in place of the race, and a button that reloads the page. */
function showEnding() {
  const { reason, error } = ending;
  // Taps would not count now, and a search would find nothing.
  for (const part of ["#own", "#choose", "#change", "#tallies", "#wait"]) find(part).hidden = true;
  find("#race-card").hidden = false;
  const [text, go] = {
    elsewhere: [say("elsewhereText"), "elsewhereGo"],
    removed: [say("removedTaps"), "removedGo"],
    banned: [untilText("banned", error ?? {}), null],
    outdated: [say("outdatedText"), "reload"],
  }[reason];
  const rows = [make("li", "gap", make("b", "", say(`${reason}Title`))), make("li", "gap", text)];
  if (go) {
    const button = make("button", "primary", say(go));
    button.addEventListener("click", () => location.reload());
    rows.push(make("li", "gap", button));
  }
  find("#race").replaceChildren(...rows);
}

async function choose(school) {
  const { schoolId: wanted } = school;
  try {
    const lost = await tapping.change(wanted, () => connection.request("chooseSchool", { schoolId: wanted }));
    if (lost > 0) toast(say("tapsLost", { n: lost }), "warn");
  } catch (error) {
    return sayError(error);
  }
  schoolId = wanted;
  isClosed = false;
  mySchool = school.name;
  keep("school", mySchool);
  isChoosing = false;
  showParts();
  watchRace();
}

function trouble(code, lost) {
  if (code === "ABNORMAL_TAPS") return toast(say("tooManyTaps"), "warn");
  isClosed = code === "SCHOOL_CLOSED";
  if (isClosed) toast(say("schoolClosed"), "warn");
  toast(say("tapsLost", { n: lost }), "warn");
  isChoosing = true;
  showParts();
  search.begin();
}

function showParts() {
  const hasSchool = schoolId !== "";
  find("#wait").hidden = true;
  find("#race-card").hidden = false;
  find("#choose").hidden = !isChoosing;
  find("#choose-close").hidden = !hasSchool || isClosed;
  find("#choose-hint").dataset.say = hasSchool ? "changeWarns" : "tapHint";
  find("#choose-hint").textContent = say(find("#choose-hint").dataset.say);
  find("#own").hidden = isChoosing || !hasSchool;
  find("#tallies").hidden = find("#change").hidden = isChoosing || !hasSchool;
  find("#tap").classList.toggle("has-school", hasSchool || isChoosing);
  showCounts();
}

function showCounts() {
  const { waiting } = tapping;
  find("#my-count").textContent = number(tapping.myCount + waiting);
  find("#waiting").textContent = waiting > 0 ? say("waiting", { n: waiting }) : "";
  const told = Number(ranking?.mine?.schoolId === schoolId ? (ranking.mine.count ?? 0) : 0);
  find("#school-count").textContent = number(Math.max(told, tapping.schoolCount));
  find("#school-name-own").textContent = ranking?.mine?.name ?? mySchool;
}

function showRanking(next) {
  if (ranking && next.season !== ranking.season) tapping.beginAtZero();
  // A count falls within a season only when taps are voided. Then the count of the last batch's answer is outdated.
  if (hasFallen(ranking?.mine, next.mine)) tapping.schoolCount = 0;
  ranking = next;
  find("#season").textContent = say("season", { n: next.season });
  const top = next.top ?? [];
  const best = Number(top[0]?.count ?? 1);
  const rows = top.map((school) => rankRow(school, best));
  // My school and its neighbours, unless they are among the first.
  const around = [...(next.neighbours ?? []), next.mine].filter((school) => school?.rank > top.length);
  around.sort((a, b) => a.rank - b.rank);
  if (around.length > 0) rows.push(make("li", "gap", "···"), ...around.map((school) => rankRow(school, best)));
  find("#race").replaceChildren(...(rows.length > 0 ? rows : [make("li", "gap", say("raceNone"))]));
  showCounts();
}

function hasFallen(before, now) {
  return before?.schoolId === now?.schoolId && Number(now?.count ?? 0) < Number(before?.count ?? 0);
}

function rankRow(school, best) {
  const name = make("span", "", school.name, make("small", "", school.region ?? ""));
  const count = make("b", "", number(school.count));
  const row = make("li", school.schoolId === schoolId ? "mine" : "", make("span", "", `${school.rank}`), name, count);
  row.style.setProperty("--share", `${Number(school.count) / best}`);
  return row;
}

/** Counts each finger that touches the pad, beside any number of others. */
function beginPad() {
  const pad = find("#pad");
  pad.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    tapping.tap();
    const ring = make("i");
    const box = pad.getBoundingClientRect();
    ring.style.left = `${event.clientX - box.left}px`;
    ring.style.top = `${event.clientY - box.top}px`;
    pad.append(ring);
    setTimeout(() => ring.remove(), 500);
  });
  pad.addEventListener("keydown", (event) => {
    if (event.repeat || !["Enter", "Space"].includes(event.code)) return;
    event.preventDefault();
    tapping.tap();
  });
  pad.addEventListener("contextmenu", (event) => event.preventDefault());
}

function guestName() {
  return kept("nickname") ?? drawNickname();
}

find("#change").addEventListener("click", () => {
  isChoosing = true;
  showParts();
  search.begin();
});
find("#choose-close").addEventListener("click", () => {
  isChoosing = false;
  showParts();
});
beginPad();
beginWords({ ...words, ...tapWords }, () => {
  if (ending) return showEnding();
  if (!find("#wait").hidden) return;
  showParts();
  if (isChoosing) search.begin();
  if (ranking) showRanking(ranking);
});
connection.begin(guestName());
