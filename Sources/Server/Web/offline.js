// The page that a browser shows by itself where the server is not reached: it says so, and the player walks in practice
// on their own ground. Nothing here is sent or counts anywhere. The page goes away when the server is there again.
import { find, seatColour } from "./dom.js";
import { beginWords, number, say } from "./language.js";
import { GroundMap } from "./map.js";
import { practiceStart, rememberPlace, rememberedPlace } from "./position-choice.js";
import { Walker } from "./positions.js";
import { beginStick } from "./stick.js";
import { words } from "./words.js";

const me = 1;
/** Footprints are at least so far apart, metres. */
const printM = 5;
const retryMs = 10_000;

const map = new GroundMap(find("#ground"));
const printed = new Set();
let walkedM = 0;
let last = null;

function stepped(place) {
  if (last) walkedM += metresBetween(last, place);
  last = place;
  map.place(me, place, true);
  if (!walker.goal) map.setGoal(null);
  const metres = eastNorth(place);
  const cell = `${Math.round(metres.east / printM)} ${Math.round(metres.north / printM)}`;
  if (!printed.has(cell)) {
    printed.add(cell);
    map.print(me, place);
  }
  show();
}

function eastNorth({ latE7, lngE7 }) {
  const metresPerUnit = 0.011119508;
  const cosine = Math.cos((start.latE7 / 1e7) * (Math.PI / 180));
  return { east: (lngE7 - start.lngE7) * metresPerUnit * cosine, north: (latE7 - start.latE7) * metresPerUnit };
}

function metresBetween(a, b) {
  const from = eastNorth(a);
  const to = eastNorth(b);
  return Math.hypot(to.east - from.east, to.north - from.north);
}

function show() {
  find("#walked").textContent = `${number(Math.round(walkedM))} m`;
  find("#prints").textContent = number(printed.size);
}

/** Goes back to the page that was asked for, once the server answers. */
async function retry() {
  try {
    const answer = await fetch("/healthz", { cache: "no-store" });
    if (answer.ok) leave();
  } catch {
    // It is still not there.
  }
}

function leave() {
  rememberPlace(walker.place);
  // Who has opened this page by its own address goes to the start page.
  if (location.pathname === "/offline") location.replace("/");
  else location.reload();
}

const start = rememberedPlace() ?? practiceStart;
const walker = new Walker(() => undefined, () => Date.now(), stepped);
beginWords(
  {
    ...words,
    offline: ["서버에 닿지 않아요. 연습으로 걸어 보세요", "The server is out of reach. Walk in practice meanwhile"],
    retry: ["다시 연결", "Try again"],
    walked: ["걸은 거리", "Walked"],
    prints: ["발자국", "Footprints"],
    ground: ["지도", "Map"],
    me: ["나", "You"],
  },
  () => {
    map.dress(me, { name: say("me"), colour: seatColour(me), isMe: true });
    show();
  },
);
map.dress(me, { name: say("me"), colour: seatColour(me), isMe: true });
map.onTap = (place) => {
  walker.walkTo(place);
  map.setGoal(place);
};
find("#zoom-in").addEventListener("click", () => map.zoom(1.5));
find("#zoom-out").addEventListener("click", () => map.zoom(1 / 1.5));
find("#retry").addEventListener("click", leave);
beginStick(find("#stick"), (east, north) => walker.steer(east, north));
walker.start(start);
map.follow(me);
map.start();
setInterval(retry, retryMs);
addEventListener("online", retry);
