// The page of one room: from the nickname to the result. It owns the connection and the copy of the room, and passes
// updates to the view of the phase; each view is a module.
import { ChatView } from "./chat.js";
import { Connection } from "./connection.js";
import { forget, keep, kept } from "./device.js";
import { announce, errorText, find, lineBanner, sayError, showView, toast, untilText } from "./dom.js";
import { beginWords, number, say, sayAll, showSaid } from "./language.js";
import { LateView } from "./late-view.js";
import { LobbyView } from "./lobby.js";
import { PositionChoice } from "./position-choice.js";
import { roomWords } from "./room-words.js";
import { RoomCopy } from "./room.js";
import { drawNickname, words } from "./words.js";

const { symbols } = document.body.dataset;
/** The time in the lobby after which the views of the game are loaded. */
const prepareMs = 400;
let room = null;
let playerId = null;
/** The player has asked to join. */
let wantsIn = false;
/** The player has asked to watch alone. */
let watches = false;
let joinsAgain = null;
/** The members of a room's state that another one of the same kind is made from, by `new-room.js`. */
const kindOfRoom = [
  "symbols", "state", "mode", "capacity", "durationS", "tickMs", "lateS", "holdS", "hostOnly", "spectators", "accountsOnly",
  "consent", "cutting", "fill", "fillStrength", "arena", "cellM", "cells", "lands", "landId",
];
/** The host is asked whether this player may come in. */
let isAsking = false;
/** The view of those who ask this player, once there is one. */
let asks = null;
/** The list of everybody in the room, once it was opened. */
let people = null;
/** The place of a player whom the host has removed: their `left` is told already. */
let removedPlace = null;
/** The room as it is shown with the form for the nickname. */
let invitation = null;
/** The nickname typed last; null on a page that has only resumed. */
let wishedNickname = null;
const banner = lineBanner();

const connection = new Connection({
  welcome: welcomed,
  notified,
  end: ended,
  status: lineChanged,
  lastEvent: () => room?.lastEvent,
});
const chat = new ChatView(connection);
const lobby = new LobbyView(connection);
const game = new LateView(async () => new (await import("./game.js")).GameView(connection), outdated);
const result = new LateView(async () => new (await import("./result.js")).ResultView(connection), outdated);
const phases = { LOBBY: ["lobby", lobby], PLAYING: ["play", game], ENDED: ["result", result] };

function lineChanged(trouble) {
  banner(trouble);
  // The form for the nickname shows the trouble too, because its player waits there.
  if (wantsIn && document.body.dataset.view === "enter") sayFault(trouble ? say(`line.${trouble}`) : "");
}

async function welcomed(welcome) {
  playerId = welcome.playerId;
  const { nickname, nicknameRefused } = welcome.player ?? {};
  if (nicknameRefused && welcome.room) toast(say("nicknameRefused", { name: nickname }), "warn");
  if (welcome.room) {
    const there = welcome.room.code?.replace("-", "") ?? "";
    if (there === symbols) return enterRoom(welcome.room);
    room = null;
    return offerChange(there);
  }
  // After an expired hold a join returns seat and points while the game is on.
  // A nickname that the server refuses is sent again, so that its refusal is told.
  if (wantsIn || room) return join(wantsIn && nicknameRefused ? "…" : nickname);
  showEnter();
}

async function join(calledSoFar) {
  clearTimeout(joinsAgain);
  const nickname = wishedNickname ?? kept("nickname");
  try {
    if (nickname && calledSoFar && nickname !== calledSoFar) {
      await connection.request("setNickname", { nickname });
      keep("nickname", nickname);
    }
    enterRoom(await connection.request("joinRoom", { code: symbols, watch: watches || undefined }));
  } catch (error) {
    // After a lost connection the next welcome shows whether the join was done.
    if (error.code === "LOST") return;
    const hasAsked = isAsking;
    isAsking = false;
    room = null;
    if (error.code === "STORE_UNAVAILABLE") {
      wantsIn = true;
      joinsAgain = setTimeout(() => connection.isOpen && join(calledSoFar), error.retryAfterMs ?? 2_000);
      return showEnter(say("line.failing"));
    }
    wantsIn = false;
    if (error.code === "ROOM_NOT_FOUND") return offerNewRoom();
    if (error.code === "BARRED") return notice("barred", "home", () => location.assign("/"));
    if (error.code === "ROOM_LOCKED") return showLocked(calledSoFar);
    showEnter(hasAsked && error.code === "RATE_LIMITED" ? say("hostSilent") : errorText(error));
  }
}

/** The room has closed while the player was away: there is a new one, or another one's code. */
async function offerNewRoom() {
  const { showGone } = await import("./gone-room.js").catch(() => ({}));
  if (showGone) showGone(symbols, notice);
  else notice("gone", "home", () => location.assign("/"));
}

/** The host has closed the room for newcomers: the player may try again. */
function showLocked(calledSoFar) {
  const again = () => {
    wantsIn = true;
    join(calledSoFar);
  };
  notice("locked", "lockedGo", again);
}

function enterRoom(state) {
  clearTimeout(joinsAgain);
  wantsIn = false;
  isAsking = false;
  asks?.clear();
  if (room) room.replace(state);
  else room = new RoomCopy(state, playerId, (name) => name.replace("Practice", () => say("walkerName")));
  watches = room.me?.watching ?? false;
  keep("room", JSON.stringify({ symbols, state }, kindOfRoom));
  // The pace of a new connection is the room's own.
  if (document.hidden || room.mySeat === undefined) setPace();
  showPhase();
}

/**
 * Takes nothing but events while nobody looks. A shown page takes the room's own pace, a spectator's all positions as
 * they come: nobody is near a spectator, so they would see a large room's players every 2.5 s only.
 */
function setPace() {
  if (!room) return;
  if (document.hidden) connection.send("setPace", { maxHz: 0 });
  else connection.send("setPace", room.mySeat === undefined ? { maxHz: 20 } : {});
}

function showPhase() {
  for (const [phase, [, view]] of Object.entries(phases)) if (phase !== room.phase) view.hide();
  const [name, view] = phases[room.phase] ?? phases.LOBBY;
  showView(name);
  view.show(room);
  chat.show(room);
  // The lobby comes first, and there is time before a game.
  if (room.phase === "LOBBY") setTimeout(() => Promise.all([game, result].map((late) => late.prepare())), prepareMs);
}

function notified(kind, body) {
  if (kind === "announcement") return announce(body.text ?? "");
  if (kind === "joinWaits") {
    isAsking = true;
    return showEnter(say("asking"));
  }
  if (kind === "joinAsked") return asked(body);
  if (!room) return;
  if (kind === "kicked") return removedByHost(body);
  // The start page shows the notice.
  if (kind === "roomClosed") return location.assign("/#closed");
  if (kind !== "tick") return game.notified(kind, body);
  const events = room.apply(body);
  const isNewPhase = events.some(({ phase }) => phase);
  // They have another place in the next view, and would jump to it.
  if (isNewPhase) find("#toasts").replaceChildren();
  for (const event of events) mention(event);
  if (isNewPhase) showPhase();
  else phases[room.phase]?.[1].update(body, events);
  people?.update();
  chat.update();
}

function removedByHost({ code }) {
  if (code !== room.code) return;
  room = null;
  for (const [, view] of Object.values(phases)) view.hide();
  chat.hide();
  forget("fixes");
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  notice("kicked", "home", () => location.assign("/"));
}

/** Opens the list of everybody in the room, with what the host can do about it. */
async function showPeople() {
  try {
    const { RoomPeople } = await import("./room-people.js");
    people ??= new RoomPeople(connection);
    if (room) people.open(room);
  } catch {
    // The connection's banner tells of a server that is away.
  }
}

async function asked(ask) {
  const { JoinAsks } = await import("./join-asks.js");
  asks ??= new JoinAsks(connection);
  asks.take(ask);
}

/** Shows a toast for an event that is not otherwise visible. */
function mention({ joined, left, host, captured, phase, hostAct }) {
  if (joined?.walker || room.walkerSeats.has(left?.seat)) return;
  if (hostAct?.kicked) removedPlace = JSON.stringify(hostAct.kicked);
  if (hostAct) {
    // The host sees what they do.
    if (room.isHost) return;
    if (hostAct.kicked) return toast(say("kickedPlayer", { name: room.nameAt(hostAct.kicked) }), "warn");
    return toast(say(hostAct.locked ? "isLocked" : "isOpen"));
  }
  const isTold = left && JSON.stringify(left) === removedPlace;
  removedPlace = null;
  if (joined && joined.playerId !== playerId) toast(say("joined", { name: joined.nickname }));
  if (left && !isTold) toast(say("leftRoom", { name: room.nameAt(left) }));
  if (host?.seat !== undefined && room.phase === "LOBBY") toast(say("newHost", { name: room.nameAt(host) }));
  if (phase?.phase === "PLAYING") toast(say("begin"), "good");
  if (!captured) return;
  const seat = captured.seat ?? 0;
  // A practice opponent has a name in each language.
  const name = () => room?.nameAt({ seat });
  if (captured.land) {
    const land = room.lands.find(({ landId }) => landId === captured.land.landId);
    return toast(say("capturedLand", { name, land: land?.name ?? "" }), "good");
  }
  const area = number(captured.areaM2 ?? 0);
  if (seat === room.mySeat) toast(say("capturedMine", { n: area }), "good");
  else toast(say("captured", { name, n: area }));
}

function ended(reason, error) {
  for (const [, view] of Object.values(phases)) view.hide();
  chat.hide();
  if (reason === "stranger" || reason === "misnamed") {
    room = null;
    wantsIn = false;
    return showEnter(reason === "misnamed" ? errorText(error) : "");
  }
  if (reason === "elsewhere") return notice("elsewhere", "elsewhereGo", () => connection.begin());
  if (reason === "removed") return notice("removed", "home", () => location.assign("/"));
  if (reason === "banned") {
    notice("banned", "home", () => location.assign("/"));
    showSaid(find("#notice-text"), untilText("banned", error));
    return;
  }
  outdated();
}

function outdated() {
  notice("outdated", "reload", () => location.reload());
}

function offerChange(otherSymbols) {
  const change = async () => {
    try {
      await connection.request("leaveRoom");
    } catch (error) {
      if (error.code !== "NOT_IN_ROOM") return sayError(error);
    }
    wantsIn = true;
    join();
  };
  notice("other", "otherGo", change, otherSymbols ? () => location.assign(`/j/${otherSymbols}`) : null);
}

function notice(name, goText, go, back = null, backText = "otherBack") {
  find("#code-form")?.remove();
  showSaid(find("#notice-title"), say(`${name}Title`));
  showSaid(find("#notice-text"), say(`${name}Text`));
  const goButton = find("#notice-go");
  showSaid(goButton, say(goText));
  goButton.onclick = go;
  const backButton = find("#notice-back");
  backButton.hidden = back === null;
  showSaid(backButton, say(backText));
  backButton.onclick = back;
  showView("notice");
}

function showEnter(fault = "") {
  for (const button of document.querySelectorAll(".enter-ways button")) button.disabled = wantsIn;
  sayFault(fault);
  showView("enter");
  invite();
}

async function invite() {
  try {
    const { Invitation } = await import("./invitation.js");
    invitation ??= new Invitation(symbols);
    invitation.ask();
  } catch {
    // Without it the player comes in all the same.
  }
}

function sayFault(fault) {
  const line = find("#enter-fault");
  line.hidden = fault === "";
  showSaid(line, fault);
}

function beginEnter() {
  const nickname = find("#nickname");
  nickname.value = kept("nickname") ?? drawNickname();
  find("#dice").addEventListener("click", () => (nickname.value = drawNickname()));
  new PositionChoice(find("#enter-positions"));
  find("#enter-form").addEventListener("submit", (event) => {
    event.preventDefault();
    for (const button of document.querySelectorAll(".enter-ways button")) button.disabled = true;
    wantsIn = true;
    watches = event.submitter?.id === "watch-button";
    wishedNickname = nickname.value.trim();
    if (connection.isOpen) join("…");
    else connection.begin(wishedNickname);
  });
}

for (const button of document.querySelectorAll(".leave")) {
  button.addEventListener("click", async () => {
    try {
      await connection.request("leaveRoom");
    } catch (error) {
      if (error.code !== "NOT_IN_ROOM") return sayError(error);
    }
    forget("place");
    forget("fixes");
    location.assign("/");
  });
}
for (const button of document.querySelectorAll(".people-open")) button.addEventListener("click", showPeople);
document.addEventListener("visibilitychange", setPace);
beginEnter();
beginWords({ ...words, ...roomWords }, () => {
  room?.renameWalkers();
  sayAll(find("#toasts"));
  if (room) showPhase();
});
if (kept("session")) connection.begin();
else showEnter();
addEventListener("load", () => import("./install.js").catch(() => undefined));
