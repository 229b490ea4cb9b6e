// The tip above the joystick: a missing condition or the next step. Only the newest tip is shown.
import { find } from "./dom.js";
import { showSaid } from "./language.js";

export class Tip {
  #box = find("#tip");
  #text = find("#tip-text");
  #button = find("#tip-offer");
  #timer = null;

  /** Shows a text, for `forMs` or until another one; with `offer`, a button with its `text` that calls `act`. */
  show(text, { forMs = 0, offer = null } = {}) {
    clearTimeout(this.#timer);
    // The tip is set again at each refresh. A tip that stands there already is left alone, because a finger may be on it.
    if (this.#text.textContent !== text) showSaid(this.#text, text);
    if (offer && this.#button.textContent !== offer.text) this.#button.textContent = offer.text;
    this.#button.onclick = offer?.act ?? null;
    this.#button.hidden = offer === null;
    this.#box.hidden = text === "";
    if (forMs > 0) this.#timer = setTimeout(() => this.clear(), forMs);
  }

  get isFree() {
    return this.#box.hidden;
  }

  clear() {
    this.show("");
  }

  /** Removes the tip if it has this text. */
  withdraw(text) {
    if (this.#text.textContent === text) this.clear();
  }
}
