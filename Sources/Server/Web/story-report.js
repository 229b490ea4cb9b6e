// Reports to the operators, and their warnings. Both are dialogs; texts are put in as text alone.
import { errorText, find, make, toast } from "./dom.js";
import { number, say } from "./language.js";
import { reportWords } from "./story-report-words.js";
import { bytesOf, lengthOf, put } from "./story-texts.js";

const reasons = [
  "SPAM", "HARASSMENT", "HATE", "SEXUAL", "VIOLENCE", "FALSE_INFORMATION", "PRIVACY", "COPYRIGHT", "OTHER",
];
const reasonsMax = 3;
const textMax = 200;
const textBytesMax = 3_200;

/** Begins the dialogs; `app` has `connection` and `table`. */
export function begin(app) {
  Object.assign(app.table, reportWords);
  return new StoryReport(app);
}

class StoryReport {
  #app;
  #dialog = find("#report");
  /** What is reported, as the wire names it: `postId`, `commentId`, `planId` or `playerId`. */
  #subject = {};
  #done = null;
  /** Warnings that wait, and the identifiers of those that the player has seen. */
  #warnings = [];
  #seen = new Set();

  constructor(app) {
    this.#app = app;
    find("#report-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    find("#report-close").addEventListener("click", () => this.#dialog.close());
    find("#report-text").addEventListener("input", () => this.#count());
    find("#report-reasons").addEventListener("change", () => {
      this.#fail("");
      this.#count();
    });
    find("#warning-seen").addEventListener("click", () => this.#see());
    const choices = reasons.map((reason) => {
      const box = Object.assign(make("input"), { type: "checkbox", name: "reason", value: reason });
      const word = make("span");
      word.dataset.say = `reason.${reason}`;
      return make("label", "check", box, " ", word);
    });
    find("#report-reasons").append(...choices);
  }

  /** Opens the form; `done` is called when the operators have the report. */
  open(subject, done) {
    this.#subject = subject;
    this.#done = done;
    find("#report-form").reset();
    this.#fail("");
    this.#count();
    this.#dialog.showModal();
  }

  /** Shows a warning until the player has seen it. It may come more than once. */
  warn(warning) {
    const isWaiting = this.#warnings.some(({ warningId }) => warningId === warning.warningId);
    if (!isWaiting && !this.#seen.has(warning.warningId)) this.#warnings.push(warning);
    this.#showWarning();
  }

  /** The words are in another language now. */
  say() {
    this.#count();
  }

  get #reasons() {
    return [...this.#dialog.querySelectorAll("[name=reason]:checked")].map(({ value }) => value);
  }

  #count() {
    const chosen = this.#reasons;
    for (const box of this.#dialog.querySelectorAll("[name=reason]")) {
      box.disabled = chosen.length >= reasonsMax && !box.checked;
    }
    const length = lengthOf(find("#report-text").value.trim());
    put(find("#report-count"), `${number(length)}/${number(textMax)}`);
    find("#report-count").classList.toggle("over", length > textMax);
  }

  async #send() {
    const text = find("#report-text").value.trim();
    const chosen = this.#reasons;
    if (chosen.length === 0) return this.#fail(say("error.REASON_MISSING"));
    if (lengthOf(text) > textMax || bytesOf(text) > textBytesMax) return this.#fail(say("error.TEXT_TOO_LONG"));
    find("#report-send").disabled = true;
    try {
      await this.#app.connection.request("report", { ...this.#subject, reasons: chosen, text });
      this.#dialog.close();
      toast(say("reported"), "good");
      this.#done?.();
    } catch (error) {
      this.#fail(error.code === "LOST" ? say("line.lost") : errorText(error));
    } finally {
      find("#report-send").disabled = false;
    }
  }

  #showWarning() {
    const [warning] = this.#warnings;
    if (!warning || find("#warning").open) return;
    put(find("#warning-text"), warning.text ?? "");
    find("#warning").showModal();
  }

  async #see() {
    const warning = this.#warnings.shift();
    find("#warning").close();
    if (!warning) return;
    this.#seen.add(warning.warningId);
    // One that is not noted comes again behind the next welcome.
    await this.#app.connection.request("seeWarning", { warningId: warning.warningId }).catch(() => undefined);
    this.#showWarning();
  }

  #fail(text) {
    find("#report-fault").textContent = text;
    find("#report-fault").hidden = text === "";
  }
}
