// What a room's page shows of the room before the player comes in: the game, its host and players, whether it runs and
// for how long, and whether a newcomer plays or watches. Loaded when the form for the nickname is shown. It asks again
// while the form is looked at.
import { clockText, find, make, seatColour } from "./dom.js";
import { isKorean, say } from "./language.js";
import { durationText } from "./lobby.js";

const againMs = 10_000;
const facesMax = 7;
const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("invitation.css", import.meta.url).href });
document.head.append(style);

const words = (korean, english) => (isKorean() ? korean : english);

/** A practice opponent gives its seat to whoever comes into the lobby. */
const isSeated = ({ seat, walker }) => seat !== undefined && !walker;

export class Invitation {
  #symbols;
  #room = null;
  /** The time at which the room's clock stood at `gameMs`. */
  #takenAt = 0;
  #place = find("#invitation");
  #timer = null;

  constructor(symbols) {
    this.#symbols = symbols;
    setInterval(() => this.#isSeen && this.#say(), 1_000);
    document.addEventListener("visibilitychange", () => this.ask());
  }

  get #isSeen() {
    return document.body.dataset.view === "enter" && !document.hidden;
  }

  /** Asks for the room, now and every ten seconds while the form is shown. */
  async ask() {
    clearTimeout(this.#timer);
    if (!this.#isSeen) return;
    this.#timer = setTimeout(() => this.ask(), againMs);
    try {
      const answer = await fetch(`/r/${this.#symbols}`, { cache: "no-store" });
      // Who comes too late hears it from the join.
      if (!answer.ok) return;
      this.#room = await answer.json();
      this.#takenAt = performance.now();
      this.#show();
    } catch {
      // Without a network the next time may have it.
    }
  }

  /** The words are in another language now. */
  #show() {
    const { mode, players = [], host, durationS = 0 } = this.#room;
    const seated = players.filter(isSeated);
    const leader = seated.find(({ seat }) => seat === host);
    const game = make("p", "invitation-game", make("b", "", say(mode)), make("span", "", durationText(durationS)));
    const by = leader && words(`${leader.nickname} 님의 방`, `${leader.nickname} invites you`);
    const faces = make("ul", "faces", ...this.#faces(seated, host));
    find("#watch-button").hidden = !this.#room.spectators;
    const isFilled = this.#place.children.length > 0;
    this.#place.replaceChildren(
      game,
      make("p", "hint", say(`${mode}Hint`)),
      by ? make("p", "invitation-host", by) : null,
      faces,
      make("p", "invitation-now"),
    );
    this.#place.classList.toggle("comes", !isFilled);
    this.#place.lang = isKorean() ? "ko" : "en";
    this.#say();
  }

  #faces(seated, host) {
    const named = seated.filter(({ nickname }) => nickname).sort((a, b) => Number(b.seat === host) - Number(a.seat === host));
    const shown = named.slice(0, facesMax).map(({ seat, nickname, held }) => {
      const face = make("i", "", [...nickname][0]);
      face.setAttribute("aria-hidden", "true");
      const item = make("li", held ? "held" : "", face, make("span", "", nickname));
      item.style.setProperty("--seat", seatColour(seat ?? 0));
      return item;
    });
    const rest = seated.length - shown.length;
    if (rest > 0) shown.push(make("li", "rest", `+${rest}`));
    return shown;
  }

  /** Says what goes on now, and what a newcomer does. */
  #say() {
    if (!this.#room) return;
    if (this.#place.lang !== (isKorean() ? "ko" : "en")) return this.#show();
    const line = find(".invitation-now", this.#place);
    const text = [this.#phase(), this.#part()].filter(Boolean).join(" ");
    if (line.textContent !== text) line.textContent = text;
  }

  #phase() {
    const { phase, players = [], capacity, fill = 0, endsAtGameMs, gameMs = 0, boardAtGameMs } = this.#room;
    const seated = players.filter(isSeated).length;
    const watching = players.filter(({ spectator }) => spectator !== undefined).length;
    const walkers = phase === "LOBBY" ? Math.min(fill, capacity - seated) : players.filter(({ walker }) => walker).length;
    const practice = walkers > 0 ? words(`, 연습 상대 ${walkers}명`, `, with ${walkers} practice opponent${walkers === 1 ? "" : "s"}`) : "";
    const people = words(`${seated}/${capacity}명`, `${seated} of ${capacity} players`) + practice;
    const watchers = watching > 0 ? words(`, 구경 ${watching}명`, `, ${watching} watching`) : "";
    if (phase === "LOBBY") return words(`대기실 · ${people}${watchers}.`, `In the lobby: ${people}${watchers}.`);
    if (phase === "ENDED" || boardAtGameMs !== undefined) {
      return words(`한 판이 막 끝났어요 · ${people}${watchers}.`, `A game has just ended: ${people}${watchers}.`);
    }
    const left = clockText(Math.max(0, endsAtGameMs - gameMs - (performance.now() - this.#takenAt)));
    return words(`놀이 중 · ${left} 남음 · ${people}${watchers}.`, `Playing, ${left} left: ${people}${watchers}.`);
  }

  #part() {
    const { phase, players = [], capacity, spectators, consent, accountsOnly, locked } = this.#room;
    const seated = players.filter(isSeated).length;
    if (locked) return words("방장이 방을 잠가서 지금은 들어갈 수 없어요.", "The host has locked the room: nobody comes in now.");
    if (accountsOnly) return words("계정이 있는 사람만 들어가요.", "For players with an account.");
    if (phase !== "LOBBY" && !spectators) return words("끝나면 들어갈 수 있어요.", "You can come in when it is over.");
    if (phase !== "LOBBY" && consent) {
      return words("방장이 들여보내 주면 구경하고 다음 판부터 함께해요.", "You watch when the host lets you in, and play the next game.");
    }
    if (phase !== "LOBBY") return words("지금은 구경하고 다음 판부터 함께해요.", "You watch now, and play the next game.");
    if (seated >= capacity) return words("자리가 다 찼어요.", "All seats are taken.");
    if (consent) return words("방장이 들여보내 주면 함께 놀아요.", "You play when the host lets you in.");
    return words("바로 함께 놀아요.", "You play.");
  }
}
