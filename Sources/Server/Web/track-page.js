// The page of a link to a game (`/g/…`): it asks for the game that the link shows, and shows its map. The link's token
// stands in the address alone; the page keeps nothing, and names nobody but those who allow it.
import { find } from "./dom.js";
import { beginWords, locale, say } from "./language.js";
import { TrackFilm } from "./track-film.js";
import { TrackMap, legend, pointsText, walkerName } from "./track-map.js";
import { pageWords } from "./track-page-words.js";
import { trackWords } from "./track-words.js";

let track = null;
let map = null;

async function load() {
  try {
    const answer = await fetch(`${location.pathname.replace(/\/$/, "")}.json`, { cache: "no-store", referrerPolicy: "no-referrer" });
    if (answer.status === 404) return fault("gone");
    if (!answer.ok) return fault("busy");
    track = (await answer.json()).gameTrack;
    show();
  } catch {
    fault("busy");
  }
}

function fault(key) {
  find("#game-title").hidden = true;
  const line = find("#game-fault");
  line.dataset.say = key;
  line.textContent = say(key);
  line.hidden = false;
}

function show() {
  if (!track) return;
  map?.hide();
  const { mode, startedAtMs, board = [] } = track;
  const names = new Map(board.map(({ seat = 0, nickname }) => [seat, nickname]));
  const film = new TrackFilm(track);
  const nameOf = (seat) => names.get(seat) || (walkerName(film, seat) ?? say("trackPlayer", { n: seat + 1 }));
  const title = find("#game-title");
  delete title.dataset.say;
  title.textContent = say(mode);
  const time = new Date(Number(startedAtMs));
  find("#game-time").textContent = time.toLocaleString(locale(), { dateStyle: "long", timeStyle: "short" });
  map = new TrackMap(film, { nameOf });
  find("#game").replaceChildren(map.element, legend(film, nameOf, (points) => pointsText(mode, points)));
  find("#game").hidden = false;
  map.show();
}

beginWords({ ...trackWords, ...pageWords }, show);
load();
