// The page of capsules: the map with those around the player, one that is opened or buried, the list beside them. It
// passes what the server says on to the parts; each part is a module. Those that only some visits need are loaded when
// they are first needed.
import { CapsuleBook } from "./capsule-book.js";
import { CapsuleLayer } from "./capsule-layer.js";
import { CapsuleList } from "./capsule-list.js";
import { CapsuleLoader } from "./capsule-loader.js";
import { CapsuleRows } from "./capsule-rows.js";
import { CapsuleWalk } from "./capsule-walk.js";
import { capsuleWords } from "./capsule-words.js";
import { find, sayError, showView, toast } from "./dom.js";
import { Entrance } from "./entrance.js";
import { beginWords, number, say } from "./language.js";
import { GroundMap } from "./map.js";
import { PositionChoice } from "./position-choice.js";
import { metresBetween } from "./positions.js";
import { words } from "./words.js";

/** Capsules nearer to each other than this are offered as a list, because no scale would part them. */
const oneSpotM = 40;
const rowsMax = 3;
/** What can be opened is named again within this time of a new watch. */
const renameMs = 3_000;
const watchEveryMs = 10_000;

const book = new CapsuleBook();
const map = new GroundMap(find("#ground"));
/** Whether the player is in a room, whose members may be let in. */
let isInRoom = false;
let watchedAt = -Infinity;
let isStale = false;
/** The capsule of the address that has been looked for. */
let linkedId = "";
/** The capsules that were announced on this page. */
const announced = new Set();

const entrance = new Entrance({ welcomed, notified, left });
const { connection } = entrance;
const loader = new CapsuleLoader(connection, book);
const layer = new CapsuleLayer(book, (box) => loader.see(box));
const walk = new CapsuleWalk(connection, map, book, lookForMissing);
const dialogActs = {
  edit: (capsule, text) => withForm(() => form.edit(capsule, text)),
  walkTo: (capsule) => {
    closePanel();
    walk.follow();
    walk.walkTo(capsule);
  },
  canWalk: () => walk.isPractice,
  lookAt: (capsule) => {
    closePanel();
    map.lookAt(capsule);
    book.learn([capsule], true);
  },
  deleted: () => list.load(),
  missing: (id) => book.close([id]),
};
/** The dialog of one capsule, and the form that buries and edits; null before they are first needed. */
let dialog = null;
let form = null;
const show = (capsule) => withDialog(() => dialog.show(capsule));
const list = new CapsuleList(connection, book, show);
const openableRows = new CapsuleRows(find("#openable"), book, show);
let positionChoices = [];

function welcomed(welcome) {
  book.playerId = welcome.playerId;
  isInRoom = welcome.room !== undefined;
  showView("play");
  walk.start();
  watch();
  loader.renew();
  list.load();
  showLinked();
}

/** What a module has that only some visits need; nothing where an older page may not load a newer one. */
async function load(module) {
  try {
    return await module;
  } catch {
    entrance.end("outdated");
    return {};
  }
}

/** Does something with the dialog; `act` gets the function that offers several capsules. */
async function withDialog(act) {
  const { CapsuleDialog, chooseAmong } = await load(import("./capsule-dialog.js"));
  if (!CapsuleDialog) return;
  dialog ??= new CapsuleDialog(connection, book, dialogActs);
  act(chooseAmong);
}

/** Does something with the form. */
async function withForm(act) {
  const { CapsuleForm } = await load(import("./capsule-form.js"));
  if (!CapsuleForm) return;
  form ??= new CapsuleForm(connection, book, stored);
  act();
}

/** Shows the capsule that the address names: on the map, and what is known of it. */
async function showLinked() {
  if (location.hash.length < 2) return;
  const { findCapsule, linkedCapsule } = await load(import("./capsule-link.js"));
  const link = linkedCapsule?.();
  if (!connection.isOpen || !link || link.capsuleId === linkedId) return;
  linkedId = link.capsuleId;
  try {
    const capsule = book.get(linkedId) ?? (await findCapsule(connection, link));
    if (link.capsuleId !== linkedId) return;
    if (!capsule) return toast(say("linkedNone"), "warn");
    closePanel();
    map.lookAt(capsule);
    book.learn([capsule], true);
    show(capsule);
  } catch (error) {
    // The next welcome looks again.
    if (link.capsuleId === linkedId) linkedId = "";
    sayError(error);
  }
}

/** Has the server judge the player's places, and name what can be opened from them. */
async function watch() {
  watchedAt = performance.now();
  book.beginWatch();
  try {
    await connection.request("watchPlaces");
    setTimeout(() => book.endOldWatches(), renameMs);
  } catch (error) {
    sayError(error);
  }
}

/** Begins a new watch when somebody has buried a capsule here, of which the server's present watch does not know. */
function lookForMissing() {
  if (book.lacksSome && performance.now() - watchedAt > watchEveryMs) watch();
}

function notified(kind, body) {
  if (kind === "roomClosed") isInRoom = false;
  if (kind === "openable") opened(body.capsules ?? []);
  if (kind === "closed") book.close(body.capsuleIds ?? []);
  if (kind === "verdict") walk.judge(body);
  if (kind === "fence" && ["ENTERED", "LEFT"].includes(body.change)) {
    toast(say(`fence.${body.change}`, { name: body.fence?.name ?? "" }));
  }
}

function opened(capsules) {
  const fresh = book.open(capsules).filter(({ capsuleId }) => !announced.has(capsuleId));
  for (const { capsuleId } of capsules) announced.add(capsuleId);
  if (fresh.length === 1) toast(say("nowOpen", { title: fresh[0].title }), "good");
  if (fresh.length > 1) toast(say("nowOpenMany", { n: fresh.length }), "good");
}

/** The server has taken a new or changed capsule. */
function stored(capsule, isNew) {
  book.learn([capsule], true);
  if (isNew) announced.add(capsule.capsuleId);
  toast(say(isNew ? "buried" : "saved"), "good");
  list.load();
}

function left() {
  walk.stop();
  book.closeAll();
}

// The map's parts.

/** Shows the changes of the book, at most four times a second. */
function refresh() {
  if (!isStale) return;
  isStale = false;
  map.redraw();
  const openable = book.openable;
  const count = number(openable.length);
  if (find("#openable-count").textContent !== count) find("#openable-count").textContent = count;
  openableRows.show(openable.slice(0, rowsMax));
  if (isPanelShown()) list.show();
  if (dialog?.isShown) dialog.refresh();
}

function tapped(place, point) {
  const mark = layer.at(point);
  if (!mark) return walk.walkTo(place);
  if (mark.count === 1 && mark.isWhole) return show(mark.capsules[0]);
  const isOneSpot = mark.capsules.every((capsule) => metresBetween(capsule, mark.place) < oneSpotM);
  if (mark.isWhole && isOneSpot) return withDialog((choose) => choose(mark.capsules, book, show));
  map.lookAt(mark.place);
  map.zoom(2.5);
}

const isWide = matchMedia("(min-width: 62rem)");

function isPanelShown() {
  return isWide.matches || document.body.classList.contains("panel-is-open");
}

function openPanel() {
  document.body.classList.add("panel-is-open");
  find("#panel-open").setAttribute("aria-expanded", "true");
  list.load();
  find("#panel-close").focus();
}

function closePanel() {
  if (!document.body.classList.contains("panel-is-open")) return;
  document.body.classList.remove("panel-is-open");
  find("#panel-open").setAttribute("aria-expanded", "false");
  find("#panel-open").focus();
}

function begin() {
  map.scaleMin = 0.01;
  // The circle inside of which capsules open has room on a phone.
  map.zoom(0.25);
  map.layer = (view) => layer.draw(view);
  map.onTap = tapped;
  // A tap opens a dialog. Its click, which would follow, must not hit a button of that.
  find("#ground").addEventListener("touchend", (event) => event.cancelable && event.preventDefault());
  map.onFollow = (isFollowing) => find("#follow").classList.toggle("on", isFollowing);
  book.changed = () => (isStale = true);
  setInterval(() => {
    // Distances change while one walks.
    isStale ||= document.body.dataset.view === "play";
    for (const choice of positionChoices) choice.show();
    refresh();
  }, 1_000);
  setInterval(refresh, 250);
  const on = (button, act) => find(button).addEventListener("click", act);
  on("#zoom-in", () => map.zoom(1.6));
  on("#zoom-out", () => map.zoom(1 / 1.6));
  on("#follow", () => walk.follow());
  on("#bury-open", () => withForm(() => form.bury(isInRoom)));
  on("#panel-open", openPanel);
  on("#panel-close", closePanel);
  addEventListener("hashchange", showLinked);
  // Inside of a dialog the arrow keys scroll and choose, and nobody walks by them.
  for (const element of document.querySelectorAll("dialog")) {
    element.addEventListener("keydown", (event) => event.stopPropagation());
  }
  find("#panel").addEventListener("keydown", (event) => event.key === "Escape" && closePanel());
  positionChoices = ["#enter-positions", "#panel-positions"].map((element) => new PositionChoice(find(element)));
  beginWords({ ...words, ...capsuleWords }, () => {
    entrance.say();
    form?.say();
    walk.say();
    isStale = true;
    refresh();
  });
  entrance.begin();
}

begin();
