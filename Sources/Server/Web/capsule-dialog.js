// The dialog of one capsule: what is known of it, its text once the server has opened it, and for its owner the
// changes. Texts are put in as text alone.
import { reachM } from "./capsule-book.js";
import { CapsuleRows } from "./capsule-rows.js";
import { distanceText, factsText } from "./capsule-texts.js";
import { errorText, find } from "./dom.js";
import { number, say } from "./language.js";

export class CapsuleDialog {
  #dialog = find("#capsule");
  #connection;
  #book;
  #acts;
  #id = null;
  /** The opened text; null before. */
  #text = null;
  #fault = "";
  /** The owner has asked to delete, and is asked whether that is meant. */
  #isDeleting = false;
  #isBusy = false;
  /** The owner's wish for everyone, while the server has not answered it; null without one. */
  #everyone = null;

  /** `acts` has `edit(capsule, text)`, `walkTo(capsule)`, `canWalk`, `lookAt(capsule)`, `deleted` and `missing(id)`. */
  constructor(connection, book, acts) {
    this.#connection = connection;
    this.#book = book;
    this.#acts = acts;
    const on = (button, act) => find(button).addEventListener("click", act);
    on("#capsule-open", () => this.#open());
    on("#capsule-walk", () => this.#leaveFor(() => acts.walkTo(this.#capsule)));
    on("#capsule-look", () => this.#leaveFor(() => acts.lookAt(this.#capsule)));
    on("#capsule-edit", () => this.#leaveFor(() => acts.edit(this.#capsule, this.#text)));
    on("#capsule-delete", () => this.#delete());
    find("#capsule-everyone").addEventListener("change", () => this.#share());
    this.#dialog.addEventListener("close", () => {
      // A closed capsule shows its text no more.
      this.#text = null;
      find("#capsule-text").textContent = "";
    });
  }

  /** Shows a capsule. */
  show({ capsuleId }) {
    this.#id = capsuleId;
    this.#text = null;
    this.#fault = "";
    this.#isDeleting = false;
    this.refresh();
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  /** Shows what has changed: distance, state, words. */
  refresh() {
    const capsule = this.#capsule;
    if (!capsule) return this.#dialog.close();
    const isOpen = this.#book.isOpenable(capsule);
    const isRead = this.#text !== null;
    const distance = distanceText(this.#book.distanceM(capsule));
    put("#capsule-title", capsule.title);
    put("#capsule-facts", factsText(capsule, this.#book));
    // The server tells its owner, and who has opened it.
    const { opens } = capsule;
    put("#capsule-opens", opens == null ? "" : say(opens > 0 ? "opens" : "opensNone", { n: number(opens) }));
    put("#capsule-state", say(isOpen ? "openNow" : distance ? "closedAway" : "closedNow", { reach: reachM, distance }));
    find("#capsule-state").classList.toggle("open", isOpen);
    find("#capsule-state").hidden = isRead;
    find("#capsule-open").hidden = !isOpen || isRead;
    find("#capsule-walk").hidden = isOpen || isRead || !this.#acts.canWalk();
    put("#capsule-text", this.#text ?? "");
    find("#capsule-text").hidden = !isRead;
    put("#capsule-fault", this.#fault);
    find("#capsule-fault").hidden = this.#fault === "";
    find("#capsule-own").hidden = !this.#book.isMine(capsule);
    find("#capsule-everyone").checked = this.#everyone ?? capsule.everyone ?? false;
    put("#capsule-delete", say(this.#isDeleting ? "deleteReally" : "delete"));
    find("#capsule-delete").classList.toggle("sure", this.#isDeleting);
    for (const button of this.#dialog.querySelectorAll("button, input")) button.disabled = this.#isBusy;
  }

  get isShown() {
    return this.#dialog.open;
  }

  get #capsule() {
    return this.#book.get(this.#id);
  }

  async #open() {
    const opened = await this.#ask("openCapsule", { capsuleId: this.#id });
    if (!opened) return;
    this.#text = opened.text ?? "";
    this.#book.learn([opened.capsule]);
    this.refresh();
    find("#capsule-text").focus();
  }

  async #share() {
    const everyone = find("#capsule-everyone").checked;
    this.#everyone = everyone;
    const capsule = await this.#ask("shareCapsule", { capsuleId: this.#id, everyone });
    this.#everyone = null;
    if (capsule) this.#book.learn([capsule]);
    this.refresh();
  }

  async #delete() {
    if (!this.#isDeleting) {
      this.#isDeleting = true;
      return this.refresh();
    }
    const id = this.#id;
    if (!(await this.#ask("deleteCapsule", { capsuleId: id }))) return;
    this.#dialog.close();
    this.#book.forget(id);
    this.#acts.deleted();
  }

  #leaveFor(act) {
    // The text is there until the event of the close.
    this.#dialog.close();
    if (this.#capsule) act();
  }

  /** The answer; null after a refusal, which is shown in words. */
  async #ask(kind, body) {
    this.#isBusy = true;
    this.#fault = "";
    this.refresh();
    try {
      return await this.#connection.request(kind, body);
    } catch (error) {
      this.#fault = error.code === "LOST" ? say("line.lost") : errorText(error);
      // Somebody has deleted it, or it is not shared any more.
      if (error.code === "CAPSULE_NOT_FOUND") this.#acts.missing(this.#id);
      return null;
    } finally {
      this.#isBusy = false;
      this.refresh();
    }
  }
}

/** Lets the player choose among capsules at one place. */
export function chooseAmong(capsules, book, choose) {
  const dialog = find("#choice");
  const pick = (capsule) => {
    dialog.close();
    choose(capsule);
  };
  const near = [...capsules].sort((a, b) => book.distanceM(a) - book.distanceM(b));
  new CapsuleRows(find("#choice-list"), book, pick).show(near);
  dialog.showModal();
}

/** Sets a text, unless it stands there already: a reader of the screen would read it again. */
function put(selector, text) {
  const element = find(selector);
  if (element.textContent !== text) element.textContent = text;
}
