// The form that buries a capsule where the player stands, and that edits one of the player's own.
import { today } from "./capsule-texts.js";
import { errorText, find } from "./dom.js";
import { say } from "./language.js";

const limits = { title: 15, text: 1_000 };
/** Below the server's limit of a message, whose other parts are short. */
const bytesMax = 3_900;

export class CapsuleForm {
  #dialog = find("#bury");
  #form = find("#bury-form");
  #connection;
  #book;
  #done;
  /** The capsule that is edited; null while one is buried. */
  #edited = null;

  /** `done` is called with the new state of the capsule, and with whether it is a new one. */
  constructor(connection, book, done) {
    this.#connection = connection;
    this.#book = book;
    this.#done = done;
    for (const name of Object.keys(limits)) this.#field(name).addEventListener("input", () => this.#count());
    find("#bury-close").addEventListener("click", () => this.#dialog.close());
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
  }

  /** Opens the form for a new capsule; `inRoom` offers those in the player's room. */
  bury(inRoom) {
    this.#form.reset();
    this.#show(null);
    find("#who-room").hidden = !inRoom;
    this.#field("date").value = today();
  }

  /** Opens the form with a capsule of the player's; its `text` is null unless it is open, and then stays as it is. */
  edit(capsule, text) {
    this.#form.reset();
    this.#field("title").value = capsule.title;
    this.#field("text").value = text ?? "";
    this.#field("date").value = capsule.memoryDate;
    this.#show(capsule);
    this.#field("text").required = text !== null;
    find("#bury-text-hint").hidden = text !== null;
  }

  /** The words are in another language now. */
  say() {
    find("#bury-title").textContent = say(this.#edited ? "edit" : "buryHere");
    find("#bury-send").textContent = say(this.#edited ? "save" : "bury");
    this.#count();
  }

  #show(edited) {
    this.#edited = edited;
    find("#who").hidden = edited !== null;
    find("#bury-place").hidden = edited !== null;
    find("#bury-text-hint").hidden = true;
    this.#field("text").required = true;
    this.#field("date").max = today();
    this.#fail("");
    this.say();
    this.#dialog.showModal();
    this.#field("title").focus();
  }

  #field(name) {
    return this.#form.elements.namedItem(name);
  }

  #count() {
    for (const [name, max] of Object.entries(limits)) {
      const length = lengthOf(this.#field(name).value);
      const count = find(`#count-${name}`);
      count.textContent = `${length}/${max}`;
      count.classList.toggle("over", length > max);
    }
  }

  async #send() {
    const [title, text, memoryDate] = ["title", "text", "date"].map((name) => this.#field(name).value);
    const isLong = lengthOf(title) > limits.title || lengthOf(text) > limits.text;
    const body = { title, text: text || undefined, memoryDate };
    if (isLong || bytesOf(body) > bytesMax) return this.#fail(say("error.TEXT_TOO_LONG"));
    find("#bury-send").disabled = true;
    try {
      const isNew = this.#edited === null;
      const capsule = isNew ? await this.#bury(body) : await this.#edit(body);
      if (!capsule) return this.#fail(say("missing"));
      this.#dialog.close();
      this.#done(capsule, isNew);
    } catch (error) {
      this.#fail(error.code === "LOST" ? say("line.lost") : errorText(error));
    } finally {
      find("#bury-send").disabled = false;
    }
  }

  /** The new capsule; null while the player's place is unknown. */
  async #bury(body) {
    const { here } = this.#book;
    if (!here) return null;
    const who = this.#field("who").value;
    const place = { latE7: Math.round(here.latE7), lngE7: Math.round(here.lngE7) };
    const forWhom = { everyone: who === "everyone", withRoom: who === "room" };
    return this.#connection.request("buryCapsule", { ...body, ...place, ...forWhom });
  }

  #edit(body) {
    return this.#connection.request("editCapsule", { capsuleId: this.#edited.capsuleId, ...body });
  }

  #fail(text) {
    find("#bury-fault").textContent = text;
    find("#bury-fault").hidden = text === "";
  }
}

/** The number of characters as people count them, and the server does. */
function lengthOf(text) {
  if (!Intl.Segmenter) return [...text].length;
  return [...new Intl.Segmenter().segment(text)].length;
}

function bytesOf(body) {
  return new TextEncoder().encode(JSON.stringify(body)).length;
}
