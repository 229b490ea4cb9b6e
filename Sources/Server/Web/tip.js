// The word above the joystick: what is missing, or what to do next. One stands at a time, the newest.
import { find } from "./dom.js";

export class Tip {
  #box = find("#tip");
  #text = find("#tip-text");
  #button = find("#tip-offer");
  #timer = null;

  /** Shows a text, for so long or until another one; with `offer`, a button of its `text` that does `act`. */
  show(text, { forMs = 0, offer = null } = {}) {
    clearTimeout(this.#timer);
    // The tip is set again at each refresh. A tip that stands there already is left alone, because a finger may be on it.
    if (this.#text.textContent !== text) this.#text.textContent = text;
    if (offer && this.#button.textContent !== offer.text) this.#button.textContent = offer.text;
    this.#button.onclick = offer?.act ?? null;
    this.#button.hidden = offer === null;
    this.#box.hidden = text === "";
    if (forMs > 0) this.#timer = setTimeout(() => this.clear(), forMs);
  }

  clear() {
    this.show("");
  }

  /** Takes this text away; another one stays. */
  withdraw(text) {
    if (this.#text.textContent === text) this.clear();
  }
}
