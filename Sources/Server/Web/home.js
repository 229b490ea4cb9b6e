// The start page: make a room, or go to one by its code. A new room opens on its own page, with the session that this
// browser stores.
import { beginCodeForm } from "./code.js";
import { Connection } from "./connection.js";
import { keep, keepsForLong, kept } from "./device.js";
import { announce, errorText, find, lineBanner, make, untilText } from "./dom.js";
import { homeWords } from "./home-words.js";
import { beginWords, say, showSaid } from "./language.js";
import { durationText } from "./lobby.js";
import { drawNickname, words } from "./words.js";

const durations = [30, 60, 180, 300, 600, 900, 1_800];
const capacities = [2, 4, 8, 16, 30, 60, 100, 200];
const fills = [0, 1, 2, 3, 5, 10];
const strengths = ["EASY", "EVEN", "HARD"];
/** The room of one who plays at once, alone with practice opponents. */
const quickRoom = { mode: "TERRITORY", durationS: 180, capacity: 4, hostOnly: true, fill: 3, fillStrength: "EASY" };
let wish = null;
/** The player's nickname on the server; undefined before the welcome. */
let calledSoFar;

const connection = new Connection({
  welcome: ({ player }) => {
    // One that the server refuses is sent again, so that its refusal is told.
    calledSoFar = player?.nicknameRefused ? undefined : player?.nickname;
    if (wish) makeRoom();
  },
  notified: () => {},
  end: ended,
  status: lineBanner(),
  lastEvent: () => undefined,
});

function ended(reason, error) {
  if (reason === "stranger" && wish) return connection.begin(find("#nickname").value.trim());
  wish = null;
  if (reason === "banned") return fault(untilText("banned", error));
  if (reason === "misnamed") return fault(errorText(error));
  fault(say(reason === "removed" ? "removedTitle" : "error.OTHER"));
}

async function makeRoom() {
  try {
    await leaveRoom();
    await changeName(find("#nickname").value.trim());
    const room = await connection.request("createRoom", wish);
    if (wish === quickRoom) await connection.request("startGame");
    location.assign(`/j/${room.code.replace("-", "")}`);
  } catch (error) {
    if (error.code === "LOST") return;
    wish = null;
    fault(errorText(error));
  }
}

/** Sends the nickname if it differs from the session's. */
async function changeName(nickname) {
  if (nickname === calledSoFar) return;
  await connection.request("setNickname", { nickname });
  calledSoFar = nickname;
  keep("nickname", nickname);
}

/** Leaves the present room, because a player is in one room at a time. */
async function leaveRoom() {
  try {
    await connection.request("leaveRoom");
  } catch (error) {
    if (error.code !== "NOT_IN_ROOM") throw error;
  }
}

function fault(text) {
  for (const button of [find("#make"), find("#quick")]) button.disabled = false;
  showSaid(find("#make-fault"), text);
  find("#make-fault").hidden = false;
}

function fillChoices() {
  const fill = (select, values, chosen, text) => {
    const value = select.value || `${chosen}`;
    const options = values.map((each) => Object.assign(make("option", "", text(each)), { value: each }));
    select.replaceChildren(...options);
    select.value = value;
  };
  fill(find("#duration"), durations, 180, durationText);
  fill(find("#capacity"), capacities, 8, (n) => say("upTo", { n }));
  fill(find("#fill"), fills, 0, (n) => (n > 0 ? say("fillUpTo", { n }) : say("fillNone")));
  fill(find("#fill-strength"), strengths, "EVEN", say);
}

find("#nickname").value = kept("nickname") ?? drawNickname();
find("#dice").addEventListener("click", () => (find("#nickname").value = drawNickname()));
find("#make-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  beginRoom({
    mode: form.get("mode"),
    durationS: Number(form.get("duration")),
    capacity: Number(form.get("capacity")),
    hostOnly: true,
    consent: form.get("consent") !== null,
    fill: Number(form.get("fill")),
    fillStrength: form.get("fill-strength"),
  });
});
find("#quick").addEventListener("click", () => beginRoom(quickRoom));

/** Makes a room with these settings, when the connection is there. */
function beginRoom(settings) {
  if (!keepsForLong) return fault(say("keepsNothing"));
  for (const button of [find("#make"), find("#quick")]) button.disabled = true;
  find("#make-fault").hidden = true;
  wish = settings;
  if (connection.isOpen) makeRoom();
  else connection.begin(find("#nickname").value.trim());
}

beginCodeForm(() => say("error.BAD_CODE"));
beginWords({ ...words, ...homeWords }, fillChoices);
// `play.js` brings players here when an operator has closed their room.
if (location.hash === "#closed") {
  history.replaceState(null, "", "/");
  const text = make("span");
  showSaid(text, say("closedText"));
  announce(text, say("closedTitle"));
}
// A page whose room is gone leads here to make one like it.
if (location.hash === "#again") {
  history.replaceState(null, "", "/");
  import("./new-room.js")
    .then(({ rememberedSettings }) => {
      const settings = rememberedSettings();
      if (settings) beginRoom(settings);
    })
    .catch(() => fault(say("error.OTHER")));
}
fillChoices();
addEventListener("load", () => import("./install.js").catch(() => undefined));
