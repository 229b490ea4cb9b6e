// The list of everybody in the room, as a dialog: players and spectators, each with what one can do about them, and the
// host's lock. Loaded when it is first opened.
import { make, sayError, seatColour } from "./dom.js";
import { say } from "./language.js";
import { openPlayerSheet } from "./player-sheet.js";

export class RoomPeople {
  #connection;
  #room = null;
  #dialog = make("dialog", "card people-sheet");
  #list = make("ul", "people");
  #locked = make("p", "hint locked");
  #lock = Object.assign(make("button", "quiet"), { type: "button" });

  constructor(connection) {
    this.#connection = connection;
    const title = make("h2");
    title.id = "people-title";
    title.dataset.say = "people";
    this.#dialog.setAttribute("aria-labelledby", title.id);
    this.#lock.addEventListener("click", () => this.#toggleLock());
    const close = Object.assign(make("button", "primary"), { type: "button" });
    close.dataset.say = "close";
    close.addEventListener("click", () => this.#dialog.close());
    this.#dialog.append(title, this.#list, this.#locked, this.#lock, close);
    document.body.append(this.#dialog);
  }

  open(room) {
    this.#room = room;
    for (const element of this.#dialog.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
    this.#dialog.style.setProperty("--seats", room.capacity);
    if (!this.#dialog.open) this.#dialog.showModal();
    this.update();
  }

  /** Shows the room as it is by now. */
  update() {
    if (!this.#dialog.open) return;
    const room = this.#room;
    this.#locked.textContent = room.locked ? say("isLocked") : "";
    this.#lock.hidden = !room.isHost;
    this.#lock.textContent = say(room.locked ? "unlock" : "lock");
    // A list that is drawn anew would take the focus from the button in use.
    const rows = [...room.players.values()].map(({ playerId, nickname, seat, held }) => [playerId, nickname, seat, held]);
    const signature = JSON.stringify([room.host, rows]);
    if (this.#list.dataset.signature === signature) return;
    this.#list.dataset.signature = signature;
    this.#list.replaceChildren(...[...room.seated, ...room.watching].map((player) => this.#person(player)));
  }

  /** A practice opponent is nobody to act on. */
  #person({ seat, playerId, nickname, held, walker }) {
    const room = this.#room;
    const dot = make("i", "dot");
    dot.style.setProperty("--seat", seat === undefined ? "transparent" : seatColour(seat));
    const marks = [
      playerId === room.playerId ? say("you") : null,
      seat !== undefined && seat === room.host ? say("hostMark") : null,
      seat === undefined ? say("watches") : null,
      held ? say("heldMark") : null,
    ].filter(Boolean);
    const person = make("li", held ? "held" : "", dot, make("span", "", nickname));
    person.append(...marks.map((mark) => make("small", "mark", mark)));
    if (!walker && playerId !== room.playerId) person.append(this.#more({ playerId, nickname }));
    return person;
  }

  #more(player) {
    const button = Object.assign(make("button", "more", "⋯"), { type: "button" });
    button.setAttribute("aria-label", say("moreAbout", { name: player.nickname }));
    button.addEventListener("click", () => openPlayerSheet(this.#connection, player, { mayRemove: this.#room.isHost }));
    return button;
  }

  async #toggleLock() {
    this.#lock.disabled = true;
    try {
      await this.#connection.request("lockRoom", { locked: !this.#room.locked });
    } catch (error) {
      sayError(error);
    }
    this.#lock.disabled = false;
  }
}
