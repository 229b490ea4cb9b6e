// The chat of a room, the same in lobby, game and result: lines, a count of the unread, and the read cursor.
import { errorText, find, make, sayError, seatColour } from "./dom.js";
import { say, showSaid } from "./language.js";

const hasRoomBeside = matchMedia("(min-width: 62rem)");

export class ChatView {
  #connection;
  #room = null;
  #phase = null;
  #isOpen = false;
  #drawn = 0;
  #read = 0;
  #mutedTimer = null;

  constructor(connection) {
    this.#connection = connection;
    find("#chat-open").addEventListener("click", () => this.#open(true));
    find("#chat-close").addEventListener("click", () => this.#open(false));
    find("#chat-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#say();
    });
    hasRoomBeside.addEventListener("change", () => this.#room && this.#open(hasRoomBeside.matches));
  }

  /** Shows all lines of the room. */
  show(room) {
    const isNew = this.#room === null;
    this.#room = room;
    this.#drawn = 0;
    find("#chat-lines").replaceChildren();
    if (isNew) this.#read = room.me?.readUpTo ?? 0;
    // An open sheet would hide the board and the next game, so it is closed at the end of a game.
    const isEnd = room.phase === "ENDED" && this.#phase !== "ENDED";
    this.#phase = room.phase;
    if (isNew || isEnd) this.#open(hasRoomBeside.matches);
    this.update();
  }

  hide() {
    this.#room = null;
    find("#chat").hidden = true;
    document.body.classList.remove("has-chat", "chat-is-open");
  }

  /** Adds the new lines. */
  update() {
    const room = this.#room;
    if (!room) return;
    const lines = find("#chat-lines");
    const fresh = room.chats.filter(({ number }) => number > this.#drawn);
    if (this.#drawn === 0) {
      lines.replaceChildren(...(fresh.length === 0 ? [make("li", "hint none", say("chatNone"))] : []));
    }
    if (fresh.length > 0) {
      find(".none", lines)?.remove();
      lines.append(...fresh.map((chat) => this.#line(chat)));
      while (lines.children.length > 200) lines.firstChild.remove();
      this.#drawn = fresh.at(-1).number;
      lines.scrollTop = lines.scrollHeight;
    }
    this.#countUnread();
  }

  #line({ place, name, text, withheld }) {
    const room = this.#room;
    const isMine = place.seat !== undefined ? place.seat === room.mySeat : place.spectator === room.you.spectator;
    const author = make("b", "", name);
    if (place.seat !== undefined) {
      // The seat's colour beside the name: as the colour of a text it would be too light.
      const dot = make("i", "dot");
      dot.style.setProperty("--seat", seatColour(place.seat));
      author.prepend(dot);
    }
    const said = make("span", withheld ? "hint" : "", withheld ? say("withheld") : text);
    return make("li", isMine ? "mine" : "", author, said);
  }

  #countUnread() {
    const newest = this.#room.chats.at(-1)?.number ?? 0;
    if (this.#isOpen && newest > this.#read) {
      this.#read = newest;
      this.#connection.send("readChat", { upTo: newest });
    }
    const unread = this.#room.chats.filter(({ number }) => number > this.#read).length;
    const count = find("#chat-count");
    count.hidden = unread === 0;
    count.textContent = unread > 9 ? "9+" : `${unread}`;
  }

  #open(isOpen) {
    this.#isOpen = isOpen;
    find("#chat").hidden = !isOpen;
    document.body.classList.add("has-chat");
    document.body.classList.toggle("chat-is-open", isOpen);
    const lines = find("#chat-lines");
    lines.scrollTop = lines.scrollHeight;
    if (this.#room) this.#countUnread();
    if (isOpen && !hasRoomBeside.matches) find("#chat-text").focus();
  }

  /** Shows at the chat that the player is muted, until the mute ends. */
  #sayMuted(error) {
    const line = find("#chat-muted");
    clearTimeout(this.#mutedTimer);
    line.hidden = error === null;
    if (error === null) return;
    showSaid(line, errorText(error));
    const { retryAfterMs } = error;
    // A timer of a browser lasts at most 24 days.
    if (retryAfterMs < 2 ** 31) this.#mutedTimer = setTimeout(() => this.#sayMuted(null), retryAfterMs);
  }

  async #say() {
    const input = find("#chat-text");
    const text = input.value.trim();
    if (!text) return;
    input.value = "";
    try {
      await this.#connection.request("chat", { text });
      this.#sayMuted(null);
    } catch (error) {
      // An unsent text is put back into the field. One that may still be written is not: it would be there twice.
      if (!input.value && !error.mayBeDone) input.value = text;
      if (error.code === "MUTED") this.#sayMuted(error);
      else sayError(error);
    }
  }
}
