// The page of a room on a big screen, for a projector or a stream: lobby, game, board and the next lobby without a touch.
// It watches the room as a guest of its own and takes no seat. It owns the connection and the copy of the room; each
// phase's view is a module.
import { Connection } from "./connection.js";
import { keep, kept } from "./device.js";
import { find, lineBanner, showView, toast, untilText } from "./dom.js";
import { beginWords, say } from "./language.js";
import { LateView } from "./late-view.js";
import { RoomCopy } from "./room.js";
import { ScreenLobby } from "./screen-lobby.js";
import { screenWords } from "./screen-words.js";
import { words } from "./words.js";

const { symbols } = document.body.dataset;
const prepareMs = 400;
const againMs = 5_000;
const reloadMs = 15_000;
/** The pointer and the buttons are hidden after so long without a move. */
const pointerMs = 3_000;
let room = null;
let playerId = null;
let again = null;
let notice = null;
let wakeLock = null;
let stillness = null;

const connection = new Connection({
  welcome: welcomed,
  notified,
  end: ended,
  status: lineBanner(),
  lastEvent: () => room?.lastEvent,
});
const lobby = new ScreenLobby();
const game = new LateView(async () => new (await import("./screen-game.js")).ScreenGame(connection), outdated);
const board = new LateView(async () => new (await import("./screen-board.js")).ScreenBoard(), outdated);
const phases = { LOBBY: ["lobby", lobby], PLAYING: ["play", game], ENDED: ["result", board] };

/** The notice for a refused way in, and whether the screen tries again. */
const refusals = {
  ROOM_NOT_FOUND: ["gone", false],
  BAD_CODE: ["gone", false],
  NO_SPECTATORS: ["alone", false],
  ACCOUNT_NEEDED: ["account", false],
  BARRED: ["barred", false],
  ROOM_LOCKED: ["locked", true],
  ROOM_FULL: ["crowded", true],
};

async function welcomed(welcome) {
  playerId = welcome.playerId;
  const isHere = welcome.room?.code?.replace("-", "") === symbols;
  if (isHere) return enter(welcome.room);
  // The browser's screen was in another room.
  if (welcome.room) await connection.request("leaveRoom").catch(() => undefined);
  join();
}

async function join() {
  clearTimeout(again);
  try {
    enter(await connection.request("joinRoom", { code: symbols, watch: true }));
  } catch (error) {
    // After a lost connection the next welcome asks again.
    if (error.code === "LOST") return;
    leave();
    const [name, triesAgain] = refusals[error.code] ?? ["wait", true];
    showNotice(name);
    if (triesAgain) again = setTimeout(() => connection.isOpen && join(), Math.max(againMs, error.retryAfterMs ?? 0));
  }
}

function enter(state) {
  notice = null;
  if (room) room.replace(state);
  else room = new RoomCopy(state, playerId, (name) => name.replace("Practice", () => say("walkerName")));
  setPace();
  showPhase();
}

function leave() {
  room = null;
  for (const [, view] of Object.values(phases)) view.hide();
}

/** Takes all positions as they come: nobody is near a spectator. Nothing but events while nobody looks. */
function setPace() {
  if (room) connection.send("setPace", { maxHz: document.hidden ? 0 : 20 });
}

function showPhase() {
  for (const [phase, [, view]] of Object.entries(phases)) if (phase !== room.phase) view.hide();
  const [name, view] = phases[room.phase] ?? phases.LOBBY;
  showView(name);
  view.show(room);
  if (room.phase === "LOBBY") setTimeout(() => Promise.all([game, board].map((late) => late.prepare())), prepareMs);
}

function notified(kind, body) {
  if (kind === "joinWaits") return showNotice("wait", () => say("asking"));
  if (!room) return;
  if (kind === "roomClosed") {
    leave();
    return showNotice("gone");
  }
  if (kind !== "tick") return;
  const events = room.apply(body);
  if (events.some(({ phase }) => phase)) showPhase();
  else phases[room.phase]?.[1].update(body, events);
}

function ended(reason, error) {
  leave();
  // A session that ended elsewhere begins anew.
  if (reason === "stranger") return begin();
  if (reason === "outdated") return outdated();
  showNotice(reason === "misnamed" ? "wait" : reason, reason === "banned" ? () => untilText("banned", error) : null);
  const go = find("#notice-go");
  go.hidden = reason !== "elsewhere";
  go.textContent = say("elsewhereGo");
  go.onclick = () => begin();
}

/** The server has changed: a page that nobody touches loads itself anew. */
function outdated() {
  leave();
  showNotice("outdated");
  setTimeout(() => location.reload(), reloadMs);
}

/** `text` makes the notice's text in the language of now; without it the notice has its own. */
function showNotice(name, text = null) {
  notice = { name, text };
  find("#notice-title").textContent = say(`${name}Title`);
  find("#notice-text").textContent = text?.() ?? say(`${name}Text`, {}, "");
  find("#notice-go").hidden = true;
  showView("notice");
}

function begin() {
  connection.begin(kept("session") ? null : say("screenName"));
}

async function stayAwake() {
  if (document.hidden || (wakeLock && !wakeLock.released)) return;
  try {
    wakeLock = await navigator.wakeLock?.request("screen");
  } catch {
    // The browser may refuse it, for example on low power.
  }
}

function toggleFull() {
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.();
  done?.catch(() => undefined);
}

function toggleSound() {
  const isOn = kept("sound") === "on";
  keep("sound", isOn ? "off" : "on");
  showSound();
  toast(say(isOn ? "soundOff" : "soundOn"));
}

function showSound() {
  find("#sound").setAttribute("aria-pressed", `${kept("sound") === "on"}`);
}

/** Shows the pointer and the buttons while somebody moves it, or goes to a button by a key. */
function stir() {
  document.body.classList.remove("still");
  clearTimeout(stillness);
  stillness = setTimeout(() => document.body.classList.add("still"), pointerMs);
}

function beginControls() {
  const keys = { f: toggleFull, l: () => find("#language").click(), m: toggleSound };
  addEventListener("keydown", (event) => {
    stir();
    if (!event.repeat && !event.ctrlKey && !event.metaKey && !event.altKey) keys[event.key.toLowerCase()]?.();
  });
  for (const kind of ["pointermove", "pointerdown"]) addEventListener(kind, stir);
  find("main").addEventListener("click", (event) => event.target.closest("button, a") === null && toggleFull());
  find("#full").addEventListener("click", toggleFull);
  find("#sound").addEventListener("click", toggleSound);
  stir();
}

// The address that the host has chosen on the server's own machine.
const host = new URLSearchParams(location.search).get("host") ?? "";
const isAddress = /^[\w.:[\]-]+$/.test(host);
if (isAddress) for (const picture of document.querySelectorAll(".qr")) picture.src += `?host=${host}`;
// A hall has its own music: sound is for who asks for it.
if (kept("sound") === null) keep("sound", "off");
document.addEventListener("visibilitychange", () => {
  setPace();
  stayAwake();
});
beginWords({ ...words, ...screenWords }, () => {
  room?.renameWalkers();
  if (room) showPhase();
  else if (notice) showNotice(notice.name, notice.text);
});
showSound();
beginControls();
stayAwake();
begin();
