// The map of a game that is over, on its board: the final map, its time, a picture and links of it. It is loaded with the
// board, and asks the server for the game's track.
import { make, sayError, toast } from "./dom.js";
import { addWords, say, sayAll } from "./language.js";
import { TrackFilm } from "./track-film.js";
import { TrackMap, legend, pointsText, walkerName } from "./track-map.js";
import { trackWords } from "./track-words.js";

/** The map of a larger game is shown only to those who ask for it: each costs the server a moment. */
const playersMax = 16;
const triesMax = 4;

addWords(trackWords);
loadStyle("track.css");

export class TrackView {
  #connection;
  #element = make("section", "card track-card");
  #gameId = "";
  #room = null;
  #film = null;
  /** By seat, the points at the end: those of the film follow the shown moment. */
  #ends = new Map();
  #map = null;
  #sharing = null;
  #link = "";
  #tries = 0;
  #timer = null;

  /** The map stands behind `place`, a view of the page: it stays while a view follows that. */
  constructor(connection, place) {
    this.#connection = connection;
    this.#element.hidden = true;
    place.after(this.#element);
    // Behind the page's own listener, which changes the language.
    document.querySelector("#language").addEventListener("click", () => this.#sayAgain());
  }

  /** Shows the map of the game that has ended in this room. A spectator has none. */
  show(room) {
    this.#room = room;
    if (room.gameId === this.#gameId) return;
    this.hide();
    this.#room = room;
    this.#gameId = room.gameId;
    const isMine = room.board.some(({ playerId }) => playerId === room.playerId);
    this.#element.hidden = !isMine;
    if (!isMine) return;
    if (room.board.length <= playersMax) this.#load();
    else this.#offer("trackOpen");
  }

  hide() {
    clearTimeout(this.#timer);
    this.#map?.hide();
    this.#map = this.#film = null;
    this.#gameId = this.#link = "";
    this.#tries = 0;
    this.#element.hidden = true;
    this.#element.replaceChildren();
  }

  #offer(key, hint = null) {
    const open = button("quiet", key, () => this.#load());
    this.#fill(title(), hint && said("p", "hint", hint), open);
  }

  async #load() {
    const gameId = this.#gameId;
    this.#fill(title(), make("p", "spinner"));
    try {
      const track = await this.#connection.request("gameTrack", { gameId });
      if (gameId === this.#gameId) this.#present(track);
    } catch (error) {
      if (gameId !== this.#gameId) return;
      this.#tries += 1;
      if (error.code === "RATE_LIMITED" && this.#tries < triesMax) {
        // All players of a game ask at once.
        this.#timer = setTimeout(() => this.#load(), (error.retryAfterMs ?? 2_000) * (1 + Math.random()));
        return;
      }
      if (error.code === "TRACK_NOT_KEPT" || error.code === "GAME_NOT_FOUND") this.#fill(title(), said("p", "hint", "trackGone"));
      else this.#offer("trackOpen", "trackLater");
    }
  }

  #present(track) {
    this.#film = new TrackFilm(track);
    this.#ends = new Map(this.#film.points);
    this.#sharing = track.sharing ?? {};
    const { nameOf, mySeat } = this.#people(track);
    this.#map = new TrackMap(this.#film, { nameOf, mySeat });
    const picture = button("quiet", "trackPicture", () => this.#sharePicture(picture));
    const link = button("quiet", "trackLink", () => this.#shareLink(link));
    this.#fill(
      title(),
      this.#map.element,
      this.#legend(),
      make("div", "row", picture, link),
      said("p", "hint", "trackSees"),
      make("div", "track-links"),
      this.#consent()
    );
    this.#map.show();
    this.#showLinks();
  }

  #people(track) {
    const names = new Map(track.board.map(({ seat = 0, nickname }) => [seat, nickname]));
    const mine = track.board.find(({ playerId }) => playerId === this.#room.playerId);
    const nameOf = (seat) => names.get(seat) ?? walkerName(this.#film, seat) ?? say("trackPlayer", { n: seat + 1 });
    return { nameOf, mySeat: mine?.seat ?? (mine ? 0 : undefined) };
  }

  /** Says everything without a key in the language of now; the shown moment stays. */
  #sayAgain() {
    if (!this.#film) return;
    this.#map.rename();
    this.#element.querySelector(".track-legend").replaceWith(this.#legend());
    this.#showLinks();
  }

  #legend() {
    const { board, walkers, track } = this.#film;
    const { nameOf } = this.#people(track);
    return legend({ board, walkers, points: this.#ends }, nameOf, (points) => pointsText(this.#room.mode, points));
  }

  #consent() {
    const box = make("input");
    box.type = "checkbox";
    box.checked = this.#sharing.showsWay ?? false;
    box.addEventListener("change", async () => {
      box.disabled = true;
      try {
        this.#sharing = await this.#connection.request("showWay", { gameId: this.#gameId, show: box.checked });
      } catch (error) {
        sayError(error);
      }
      box.checked = this.#sharing.showsWay ?? false;
      box.disabled = false;
    });
    return make("label", "track-consent", box, said("span", "", "trackConsent"));
  }

  async #shareLink(opener) {
    opener.disabled = true;
    try {
      if (!this.#link) {
        this.#sharing = await this.#connection.request("shareGame", { gameId: this.#gameId });
        this.#link = this.#sharing.url;
      }
      this.#showLinks();
      await passOn(this.#link);
    } catch (error) {
      sayError(error);
    }
    opener.disabled = false;
  }

  /** Shows the new link, which can be copied by hand too, and the way to close all. */
  #showLinks() {
    const links = this.#element.querySelector(".track-links");
    const count = this.#sharing.links ?? 0;
    links.hidden = count === 0;
    const address = make("input");
    address.readOnly = true;
    address.value = this.#link;
    address.hidden = this.#link === "";
    address.dataset.sayLabel = "trackAddress";
    address.setAttribute("aria-label", say("trackAddress"));
    address.addEventListener("focus", () => address.select());
    const revoke = button("quiet", "trackRevoke", async () => {
      revoke.disabled = true;
      try {
        this.#sharing = await this.#connection.request("unshareGame", { gameId: this.#gameId });
        this.#link = "";
        toast(say("trackRevoked"), "good");
      } catch (error) {
        sayError(error);
      }
      this.#showLinks();
    });
    links.replaceChildren(address, make("p", "hint", say("trackLinks", { n: count })), revoke);
  }

  async #sharePicture(opener) {
    opener.disabled = true;
    try {
      const { drawPicture } = await import("./track-picture.js");
      const { nameOf, mySeat } = this.#people(this.#film.track);
      const film = new TrackFilm(this.#film.track);
      const { mode } = this.#room;
      const blob = await drawPicture(film, { title: say(mode), nameOf, mySeat, pointsText: (points) => pointsText(mode, points) });
      await givePicture(new File([blob], "madang.png", { type: "image/png" }));
    } catch (error) {
      if (error.name !== "AbortError") toast(say("trackPictureFails"), "warn");
    }
    opener.disabled = false;
  }

  #fill(...children) {
    this.#element.replaceChildren(...children.filter(Boolean));
    sayAll(this.#element);
  }
}

/** Shares a link by the phone's share sheet, else by the clipboard; else it stands on the page. */
async function passOn(url) {
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) return await navigator.share({ url });
    await navigator.clipboard.writeText(url);
    toast(say("trackCopied"), "good");
  } catch {
    // The link stands on the page.
  }
}

/** Shares a picture by the phone's share sheet, else as a file. */
async function givePicture(file) {
  if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] })) {
    return navigator.share({ files: [file] });
  }
  const link = make("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function loadStyle(name) {
  const link = make("link");
  link.rel = "stylesheet";
  link.href = new URL(name, import.meta.url).href;
  if (![...document.styleSheets].some(({ href }) => href === link.href)) document.head.append(link);
}

function title() {
  return said("h2", "label", "track");
}

function said(name, className, key) {
  const element = make(name, className, say(key));
  element.dataset.say = key;
  return element;
}

function button(className, key, act) {
  const element = said("button", className, key);
  element.type = "button";
  element.addEventListener("click", act);
  return element;
}
