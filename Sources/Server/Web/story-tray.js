// The pictures of a post that is being written: added by a chooser or dropped, each with its progress, put in order by
// buttons or by dragging. Those of an edited post are there from the beginning.
import { find, make } from "./dom.js";
import { number, say } from "./language.js";
import { put } from "./story-texts.js";
import { StoryUpload, thumbnailOf, typeOf, uploadText } from "./story-upload.js";

export const picturesMax = 10;

export class StoryTray {
  #connection;
  #changed;
  #list = find("#tray-list");
  /** Each with `upload` or the `mediaId` of a picture that the post has, its `element` and a `name`. */
  #items = [];
  #dragged = null;

  /** `changed` is called when what `mediaIds` or `isReady` say may be something else. */
  constructor(connection, changed) {
    this.#connection = connection;
    this.#changed = changed;
    const files = find("#tray-files");
    files.addEventListener("change", () => {
      this.add([...files.files]);
      files.value = "";
    });
    this.#takeDrops();
    this.#takeDrags();
  }

  /** Begins with the pictures of a post. */
  reset(pictures = []) {
    for (const { upload } of this.#items) upload?.end();
    this.#items = [];
    for (const picture of pictures) {
      const img = make("img");
      img.alt = "";
      img.src = picture.thumbnailUrl;
      this.#put({ mediaId: picture.mediaId, name: "" }, img);
    }
    this.#said("");
    this.#render();
  }

  /** Takes files, and uploads them. */
  add(files) {
    this.#said("");
    for (const file of files) {
      if (!typeOf(file)) {
        this.#said(say("notPicture", { name: file.name }), true);
      } else if (this.#items.length >= picturesMax) {
        this.#said(say("tooMany", { n: number(picturesMax) }), true);
        break;
      } else {
        this.#upload(file);
      }
    }
    this.#render();
  }

  /** The pictures in their order; those that are not up yet are left out. */
  get mediaIds() {
    return this.#items.map((item) => item.mediaId ?? item.upload.mediaId).filter(Boolean);
  }

  get isReady() {
    return this.#items.every(({ mediaId, upload }) => mediaId || upload.state === "done");
  }

  get hasFailed() {
    return this.#items.some(({ upload }) => upload?.state === "failed");
  }

  /** The words are in another language now. */
  say() {
    for (const item of this.#items) item.sayButtons();
    this.#render();
  }

  #upload(file) {
    const item = { name: file.name };
    item.upload = new StoryUpload(this.#connection, file, () => {
      this.#show(item);
      this.#changed();
    });
    this.#put(item, thumbnailOf(file));
    item.upload.run();
  }

  #put(item, picture) {
    const button = (className, act) => {
      const made = make("button", className);
      made.type = "button";
      made.addEventListener("click", act);
      return made;
    };
    const [earlier, later] = [-1, 1].map((step) => button("quiet", () => this.#move(item, step)));
    const remove = button("quiet", () => this.#remove(item));
    const again = button("quiet again", () => item.upload.run());
    earlier.textContent = "◀";
    later.textContent = "▶";
    remove.textContent = "×";
    const bar = make("progress");
    bar.max = 1;
    const state = make("small", "state");
    Object.assign(item, { earlier, later, again, bar, state });
    item.sayButtons = () => {
      for (const [each, key] of [[earlier, "earlier"], [later, "later"], [remove, "remove"]]) {
        each.setAttribute("aria-label", `${say(key)}: ${this.#label(item)}`);
        each.title = say(key);
      }
      again.textContent = say("again");
    };
    const text = make("div", "body", bar, state, again, make("div", "acts", earlier, later, remove));
    item.element = make("li", "shot", make("span", "thumb", picture), text);
    item.element.draggable = true;
    this.#items.push(item);
  }

  #label(item) {
    return say("pictureName", { n: number(this.#items.indexOf(item) + 1), name: item.name });
  }

  #move(item, step) {
    const from = this.#items.indexOf(item);
    this.#place(item, from + step);
    const button = step < 0 ? item.earlier : item.later;
    (button.disabled ? (step < 0 ? item.later : item.earlier) : button).focus();
  }

  #place(item, to) {
    const others = this.#items.filter((each) => each !== item);
    const at = Math.max(0, Math.min(others.length, to));
    if (this.#items[at] === item) return;
    this.#items = [...others.slice(0, at), item, ...others.slice(at)];
    this.#said(say("placed", { n: number(at + 1) }));
    this.#render();
  }

  #remove(item) {
    item.upload?.end();
    const at = this.#items.indexOf(item);
    this.#items = this.#items.filter((each) => each !== item);
    this.#said("");
    this.#render();
    (this.#items[Math.min(at, this.#items.length - 1)]?.later ?? find("#tray-files")).focus();
  }

  #render() {
    const elements = this.#items.map(({ element }) => element);
    const shown = this.#list.children;
    if (elements.length !== shown.length || elements.some((element, index) => element !== shown[index])) {
      this.#list.replaceChildren(...elements);
    }
    for (const [index, item] of this.#items.entries()) {
      item.earlier.disabled = index === 0;
      item.later.disabled = index === this.#items.length - 1;
      item.sayButtons();
      this.#show(item);
    }
    put(find("#tray-count"), `${number(this.#items.length)}/${number(picturesMax)}`);
    find("#tray-drop").hidden = this.#items.length >= picturesMax;
    this.#changed();
  }

  #show({ upload, bar, state, again }) {
    const isUp = !upload || upload.state === "done";
    bar.hidden = isUp || upload.state === "failed";
    if (!isUp) {
      bar.value = upload.progress;
      bar.setAttribute("aria-label", say("state.sending", { percent: "" }));
    }
    const hasFailed = upload?.state === "failed";
    put(state, upload ? uploadText(upload) : say("state.done"));
    state.classList.toggle("fault", hasFailed);
    state.classList.toggle("good", isUp);
    again.hidden = !hasFailed;
  }

  #said(text, isFault = false) {
    const said = find("#tray-said");
    said.textContent = text;
    said.className = isFault ? "fault" : "unseen";
  }

  // Drops of files, and drags of pictures among each other.

  #takeDrops() {
    const area = find("#tray");
    const hasFiles = ({ dataTransfer }) => [...(dataTransfer?.types ?? [])].includes("Files");
    area.addEventListener("dragover", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      area.classList.add("over");
    });
    area.addEventListener("dragleave", (event) => area.contains(event.relatedTarget) || area.classList.remove("over"));
    area.addEventListener("drop", (event) => {
      area.classList.remove("over");
      if (!hasFiles(event)) return;
      event.preventDefault();
      this.add([...event.dataTransfer.files]);
    });
  }

  #takeDrags() {
    this.#list.addEventListener("dragstart", (event) => {
      this.#dragged = this.#items.find(({ element }) => element === event.target.closest("li")) ?? null;
      event.dataTransfer.effectAllowed = "move";
    });
    this.#list.addEventListener("dragover", (event) => {
      const over = this.#items.findIndex(({ element }) => element === event.target.closest("li"));
      if (!this.#dragged || over < 0) return;
      event.preventDefault();
      this.#place(this.#dragged, over);
    });
    this.#list.addEventListener("dragend", () => (this.#dragged = null));
  }
}
