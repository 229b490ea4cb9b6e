// The players who ask the host to let them in, each with two buttons, in whatever phase the room is. Loaded when the
// first one asks: few rooms have them.
import { find, make, sayError } from "./dom.js";
import { say, showSaid } from "./language.js";

export class JoinAsks {
  #connection;
  #shown = new Map();

  constructor(connection) {
    this.#connection = connection;
  }

  /** Takes a `joinAsked` of the server. */
  take({ playerId, nickname, registered, leftMs, over }) {
    this.#remove(playerId);
    if (over) return;
    const name = make("p", "", said("b", "", "asksIn"), nickname ?? "", registered ? said("small", "mark", "hasAccount") : null);
    const element = make("div", "announcement ask-in", name);
    for (const [word, admit] of [["admit", true], ["refuse", false]]) {
      const button = said("button", admit ? "primary" : "quiet", word);
      button.type = "button";
      button.addEventListener("click", () => this.#answer(playerId, admit));
      element.append(button);
    }
    find("#announcements").append(element);
    const timer = setTimeout(() => this.#remove(playerId), leftMs ?? 0);
    this.#shown.set(playerId, { element, timer });
  }

  /** Forgets all: the server tells a host anew who asks. */
  clear() {
    for (const playerId of [...this.#shown.keys()]) this.#remove(playerId);
  }

  #remove(playerId) {
    const { element, timer } = this.#shown.get(playerId) ?? {};
    clearTimeout(timer);
    element?.remove();
    this.#shown.delete(playerId);
  }

  async #answer(playerId, admit) {
    const buttons = this.#shown.get(playerId)?.element.querySelectorAll("button") ?? [];
    for (const button of buttons) button.disabled = true;
    try {
      await this.#connection.request("answerJoin", { playerId, admit });
    } catch (error) {
      // Where the player is busy, or the server, the host may press again.
      if (error.retryAfterMs !== undefined) for (const button of buttons) button.disabled = false;
      else this.#remove(playerId);
      return error.code === "PLAYER_NOT_FOUND" ? undefined : sayError(error);
    }
    this.#remove(playerId);
  }
}

function said(name, className, key) {
  const element = make(name, className);
  showSaid(element, say(key));
  return element;
}
