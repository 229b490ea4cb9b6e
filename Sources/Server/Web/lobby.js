// The view of a room's lobby: the players, the invitation, and the start.
import { find, make, sayError, seatColour, toast } from "./dom.js";
import { say } from "./language.js";
import { PositionChoice } from "./position-choice.js";

const isLoopback = /^(localhost|127\..*|\[::1\])$/.test(location.hostname);

export class LobbyView {
  #connection;
  #room = null;
  /** On the server's own machine the host chooses the address that is shared. */
  #reach = null;
  #base = null;
  #positions = new PositionChoice(find("#lobby-positions"));

  constructor(connection) {
    this.#connection = connection;
    find("#start").addEventListener("click", async () => {
      find("#start").disabled = true;
      try {
        await connection.request("startGame");
      } catch (error) {
        sayError(error);
      }
      this.update();
    });
    find("#lock").addEventListener("click", async () => {
      find("#lock").disabled = true;
      try {
        await connection.request("lockRoom", { locked: !this.#room?.locked });
      } catch (error) {
        sayError(error);
      }
      find("#lock").disabled = false;
    });
    find("#copy").addEventListener("click", () => share(this.#address));
    beginScreenLinks(() => this.#base);
  }

  show(room) {
    this.#room = room;
    find("#lobby-title").textContent = say(room.mode);
    find("#lobby-positions").hidden = room.mySeat === undefined;
    this.#positions.show();
    find(".lobby-people").style.setProperty("--seats", room.capacity);
    find("#lobby-rules").textContent = `${say(`${room.mode}Hint`)} · ${durationText(room.durationS)}`;
    this.update();
    if (isLoopback && room.isHost) this.#offerAddresses();
  }

  get #address() {
    return `${this.#base ?? new URL(this.#room.joinUrl).origin}${location.pathname}`;
  }

  async #offerAddresses() {
    try {
      const { Reach } = await import("./reach.js");
      this.#reach ??= new Reach((base) => (this.#base = base));
      await this.#reach.show();
    } catch {
      // The connection's banner tells of a server that is away.
    }
  }

  hide() {
    this.#room = null;
  }

  update() {
    const room = this.#room;
    if (!room) return;
    const seated = room.seated;
    find("#lobby").classList.toggle("hosts", room.isHost);
    for (const link of screenLinks()) link.hidden = !room.isHost || !room.spectators;
    find("#lobby-count").textContent = `${seated.length} / ${room.capacity}`;
    find("#lobby-players").replaceChildren(...seated.map((player) => this.#person(player)));
    const watching = room.watching.length;
    find("#lock").hidden = !room.isHost;
    find("#lock").textContent = say(room.locked ? "unlock" : "lock");
    find("#lobby-locked").hidden = !room.locked;
    const walkers = Math.min(room.fill, room.capacity - seated.length);
    const beside = [
      watching > 0 ? say("watching", { n: watching }) : null,
      walkers > 0 ? say("fillJoins", { n: walkers, strength: say(room.fillStrength) }) : null,
    ];
    find("#lobby-watching").textContent = beside.filter(Boolean).join(" · ");
    const hasEnough = seated.length + walkers >= 2 || room.solo;
    const start = find("#start");
    start.hidden = !room.mayLead;
    start.disabled = !hasEnough;
    find("#lobby-hint").textContent = this.#hint(hasEnough);
  }

  #hint(hasEnough) {
    const room = this.#room;
    if (room.mySeat === undefined) return say(room.me?.watching ? "watchOnly" : "youWatch");
    if (!room.mayLead) return say("waitHost", { name: room.nameAt({ seat: room.host }) });
    return hasEnough ? "" : say("needTwo");
  }

  #person({ seat, playerId, nickname, held }) {
    const room = this.#room;
    const dot = make("i", "dot");
    dot.style.setProperty("--seat", seatColour(seat));
    const marks = [
      seat === room.mySeat ? say("you") : null,
      seat === room.host ? say("hostMark") : null,
      held ? say("heldMark") : null,
    ].filter(Boolean);
    const person = make("li", held ? "held" : "", dot, make("span", "", nickname));
    person.append(...marks.map((mark) => make("small", "mark", mark)));
    if (seat !== room.mySeat) person.append(this.#more({ playerId, nickname }));
    return person;
  }

  #more(player) {
    const button = make("button", "more", "⋯");
    button.type = "button";
    button.setAttribute("aria-label", say("moreAbout", { name: player.nickname }));
    button.addEventListener("click", async () => {
      try {
        const { openPlayerSheet } = await import("./player-sheet.js");
        openPlayerSheet(this.#connection, player, { mayRemove: this.#room?.isHost });
      } catch {
        // The connection's banner tells of a server that is away.
      }
    });
    return button;
  }
}

/** Shares the address: by the phone's share sheet if it has one, else by the clipboard, else by hand. */
async function share(url) {
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) return await navigator.share({ url });
    await navigator.clipboard.writeText(url);
    toast(say("copied"), "good");
  } catch (error) {
    // A dismissed share sheet needs no fallback. A page that is not secure has neither sheet nor clipboard.
    if (error.name !== "AbortError") showAddress(url);
  }
}

const screenLinks = () => document.querySelectorAll("#big-screen, #game-screen");

/** The big screen opens in a window of its own; a phone, which is none, shares its address. */
function beginScreenLinks(base) {
  for (const link of screenLinks()) {
    link.addEventListener("click", (event) => {
      const url = new URL(link.getAttribute("href"), location.href);
      if (base()) url.search = new URLSearchParams({ host: base().split("//")[1] });
      link.href = url;
      if (!matchMedia("(pointer: coarse)").matches) return;
      event.preventDefault();
      share(`${url}`);
    });
  }
}

/** Shows the address, selected, until it is dismissed. */
function showAddress(url) {
  const field = find("#address-text");
  field.value = url;
  find("#address").showModal();
  field.focus();
  field.select();
}

export function durationText(seconds) {
  return seconds % 60 === 0 ? say("minutes", { n: seconds / 60 }) : say("seconds", { n: seconds });
}
