// Lists of capsules, with a button for each. Rows stay while their texts change, so that a finger or a focus on one
// does not lose it.
import { factsText } from "./capsule-texts.js";
import { make } from "./dom.js";
import { say } from "./language.js";

export class CapsuleRows {
  #parent;
  #book;
  #choose;
  /** By label and identifier. */
  #rows = new Map();

  /** `choose` is called with the capsule of a button. */
  constructor(parent, book, choose) {
    this.#parent = parent;
    this.#book = book;
    this.#choose = choose;
  }

  /** Shows these capsules, each with the label of its place in `labels`, if there is one. */
  show(capsules, labels = []) {
    const before = this.#rows;
    this.#rows = new Map();
    const rows = capsules.map((capsule, index) => {
      const label = labels[index] ?? "";
      const key = `${label} ${capsule.capsuleId}`;
      const row = before.get(key) ?? this.#make(capsule.capsuleId, label);
      this.#rows.set(key, row);
      this.#fill(row, capsule);
      return row;
    });
    const shown = this.#parent.children;
    if (rows.length === shown.length && rows.every((row, index) => row === shown[index])) return;
    const focused = document.activeElement;
    const hadFocus = this.#parent.contains(focused);
    this.#parent.replaceChildren(...rows);
    if (hadFocus) (this.#parent.contains(focused) ? focused : this.#parent.querySelector("button"))?.focus();
  }

  #make(id, label) {
    const state = make("i", "state");
    state.setAttribute("role", "img");
    const text = make("span", "", label && make("small", "label", label), make("b"), make("small", "facts"));
    const button = make("button", "capsule", state, text);
    button.type = "button";
    button.addEventListener("click", () => this.#choose(this.#book.get(id)));
    return make("li", "", button);
  }

  #fill(row, capsule) {
    const isOpen = this.#book.isOpenable(capsule);
    const state = row.querySelector(".state");
    state.classList.toggle("open", isOpen);
    state.setAttribute("aria-label", say(isOpen ? "isOpen" : "isClosed"));
    for (const [part, text] of [["b", capsule.title], [".facts", factsText(capsule, this.#book)]]) {
      const element = row.querySelector(part);
      if (element.textContent !== text) element.textContent = text;
    }
  }
}
