// The page of solo runs: lands near the player and their rankings, a run around one or without a land, and its result.
// A run is a room with one seat: the views of the running game are those of a shared room. It owns the connection and
// the copy of the room.
import { forget } from "./device.js";
import { errorText, find, make, sayError, showView, toast } from "./dom.js";
import { Entrance } from "./entrance.js";
import { beginWords, say } from "./language.js";
import { LateView } from "./late-view.js";
import { PositionChoice } from "./position-choice.js";
import { RoomCopy } from "./room.js";
import { roomWords } from "./room-words.js";
import { RunLands } from "./run-lands.js";
import { runWords } from "./run-words.js";
import { words } from "./words.js";

const durations = [60, 180, 300, 600, 900, 1_800, 3_600];

let playerId = null;
/** The solo room; null while there is none. */
let room = null;
/** The player is in a room with others. */
let isInOther = false;
/** A run is being begun. */
let isBeginning = false;

const entrance = new Entrance({ welcomed, notified, left });
const { connection } = entrance;
const lands = new RunLands(connection, (land) => begin(around(land)), (land) => invite(around(land)));
const game = new LateView(async () => new (await import("./game.js")).GameView(connection), outdated);
const panel = new LateView(async () => new (await import("./run-panel.js")).RunPanel(connection), outdated);
const result = new LateView(async () => new (await import("./run-result.js")).RunResult(connection), outdated);
const positions = new PositionChoice(find("#runs-positions"));

function welcomed(welcome) {
  playerId = welcome.playerId;
  const state = welcome.room;
  isInOther = state !== undefined && !state.solo;
  if (!state || isInOther) {
    // A run that the server has ended meanwhile has its result in the records.
    room = null;
    return showLands();
  }
  connection.send("setPace", {});
  enter(state);
  // The page was closed before the game began.
  if (room.phase === "LOBBY") start();
}

function left() {
  for (const view of [game, panel, result]) view.hide();
}

function outdated() {
  entrance.end("outdated");
}

function showLands() {
  left();
  positions.show();
  find("#other-leave").hidden = !isInOther;
  showView("runs");
  if (isInOther) fault(say("inOther"));
  lands.show();
}

function fault(text) {
  find("#runs-fault").textContent = text;
  find("#runs-fault").hidden = text === "";
}

/** Makes a room by `make`, unless the player is in another one; `undo` follows a failure. */
async function makeRoom(make, undo = () => undefined) {
  if (isBeginning) return;
  if (isInOther) return fault(say("inOther"));
  isBeginning = true;
  fault("");
  try {
    await make();
  } catch (error) {
    if (error.code === "ALREADY_IN_ROOM") isInOther = true;
    if (error.code !== "LOST") {
      await undo();
      fault(errorText(error));
    }
  }
  isBeginning = false;
}

/** Makes a solo room and starts its game. */
function begin(settings) {
  return makeRoom(async () => {
    enter(await connection.request("createRoom", { ...settings, solo: true }));
    await connection.request("startGame");
  }, leave);
}

function around(land) {
  return { mode: "LAND", landIds: [land.landId] };
}

/** Makes a room with a code, and goes to its page: a game with friends is played there. */
function invite(settings) {
  return makeRoom(async () => {
    const { code } = await connection.request("createRoom", settings);
    location.assign(`/j/${code.replace("-", "")}`);
  });
}

/** Starts the game of the room. */
async function start() {
  try {
    await connection.request("startGame");
  } catch (error) {
    if (error.code !== "LOST") sayError(error);
  }
}

function enter(state) {
  if (room) room.replace(state);
  else room = new RoomCopy(state, playerId);
  showPhase();
}

function showPhase() {
  if (room.phase !== "PLAYING") for (const view of [game, panel]) view.hide();
  if (room.phase !== "ENDED") result.hide();
  if (room.phase === "LOBBY") return showView("wait");
  showView(room.phase === "PLAYING" ? "play" : "result");
  if (room.phase === "ENDED") return result.show(room);
  game.show(room);
  panel.show(room);
}

function notified(kind, body) {
  if (!room) return;
  if (kind === "roomClosed") {
    toast(say("runClosed"), "warn");
    room = null;
    return showLands();
  }
  if (kind !== "tick") {
    game.notified(kind, body);
    panel.notified(kind, body);
    return;
  }
  const events = room.apply(body);
  if (events.some(({ phase }) => phase)) {
    showPhase();
    // The next game was asked for: nobody else is waited for.
    if (room.phase === "LOBBY") start();
  } else if (room.phase === "PLAYING") {
    game.update(body, events);
  }
}

/** Leaves the room for good, and shows the lands again. */
async function leave() {
  try {
    await connection.request("leaveRoom");
  } catch (error) {
    if (error.code === "LOST") return;
    if (error.code !== "NOT_IN_ROOM") return sayError(error);
  }
  room = null;
  isInOther = false;
  forget("fixes");
  fault("");
  showLands();
}

function fillChoices() {
  const select = find("#free-duration");
  const value = select.value || "300";
  const text = (seconds) => say("minutes", { n: seconds / 60 });
  select.replaceChildren(...durations.map((each) => Object.assign(make("option", "", text(each)), { value: each })));
  select.value = value;
}

for (const button of document.querySelectorAll(".leave")) button.addEventListener("click", leave);
find("#other-leave").addEventListener("click", leave);
find("#free-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const mode = new FormData(event.target).get("mode");
  begin({ mode, durationS: Number(find("#free-duration").value) });
});
document.addEventListener("visibilitychange", () => {
  if (room) connection.send("setPace", document.hidden ? { maxHz: 0 } : {});
});
beginWords({ ...words, ...roomWords, ...runWords }, () => {
  fillChoices();
  entrance.say();
  lands.say();
  if (room) showPhase();
});
fillChoices();
lands.say();
entrance.begin();
addEventListener("load", () => import("./install.js").catch(() => undefined));
