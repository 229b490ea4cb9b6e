// The pictures of an open post: a strip to swipe or step through, and each in full in a dialog.
import { find, make } from "./dom.js";
import { number, say } from "./language.js";
import { pictureOf } from "./story-cards.js";
import { put } from "./story-texts.js";

export class StoryPictures {
  #strip = find("#pictures");
  #dialog = find("#picture");
  #pictures = [];
  #title = "";
  #shown = "";
  /** The picture in the dialog. */
  #index = 0;
  #failed;

  /** `failed` is called when a picture does not come, as behind the end of its address. */
  constructor(failed) {
    this.#failed = failed;
    const on = (button, act) => find(button).addEventListener("click", act);
    on("#pictures-before", () => this.#turn(-1));
    on("#pictures-after", () => this.#turn(1));
    on("#picture-before", () => this.#open(this.#index - 1));
    on("#picture-after", () => this.#open(this.#index + 1));
    this.#strip.addEventListener("scroll", () => this.#count(), { passive: true });
    this.#dialog.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) this.#open(this.#index + step);
    });
    find("#picture-whole").addEventListener("error", () => this.#dialog.open && this.#failed());
  }

  /** Shows the pictures of a post. */
  show({ pictures = [], title }) {
    const text = pictures.map(({ url }) => url).join();
    const isSame = this.#shown === text && this.#title === title;
    this.#pictures = pictures;
    this.#title = title;
    this.#shown = text;
    find("#gallery").hidden = pictures.length === 0;
    if (!isSame) {
      const [{ width, height } = { width: 4, height: 3 }] = pictures;
      // All have the room of the first, within bounds.
      this.#strip.style.setProperty("--ratio", Math.min(1.8, Math.max(0.8, width / height)));
      this.#strip.replaceChildren(...pictures.map((picture, index) => this.#slide(picture, index)));
      this.#strip.scrollLeft = 0;
    }
    this.#count();
  }

  close() {
    if (this.#dialog.open) this.#dialog.close();
    this.show({ pictures: [], title: "" });
  }

  /** The words are in another language now. */
  say() {
    for (const [index, button] of this.#strip.querySelectorAll("button").entries()) {
      button.setAttribute("aria-label", this.#label(index));
    }
  }

  #label(index) {
    return say("pictureOf", { n: number(index + 1), all: number(this.#pictures.length), title: this.#title });
  }

  #slide(picture, index) {
    const img = pictureOf(picture, "(min-width: 62rem) 40rem, 100vw");
    img.addEventListener("error", () => this.#failed());
    const button = make("button", "slide", img);
    button.type = "button";
    button.setAttribute("aria-label", this.#label(index));
    button.addEventListener("click", () => this.#open(index));
    return make("li", "", button);
  }

  get #at() {
    return Math.round(this.#strip.scrollLeft / Math.max(1, this.#strip.clientWidth));
  }

  #turn(step) {
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#strip.scrollTo({ left: (this.#at + step) * this.#strip.clientWidth, behavior: isCalm ? "auto" : "smooth" });
  }

  #count() {
    const all = this.#pictures.length;
    find("#pictures-steps").hidden = all < 2;
    put(find("#pictures-at"), `${number(this.#at + 1)} / ${number(all)}`);
    find("#pictures-before").disabled = this.#at === 0;
    find("#pictures-after").disabled = this.#at >= all - 1;
  }

  #open(index) {
    const picture = this.#pictures[index];
    if (!picture) return;
    this.#index = index;
    const whole = find("#picture-whole");
    whole.alt = this.#label(index);
    whole.width = picture.width;
    whole.height = picture.height;
    whole.src = picture.url;
    put(find("#picture-at"), `${number(index + 1)} / ${number(this.#pictures.length)}`);
    find("#picture-before").disabled = index === 0;
    find("#picture-after").disabled = index === this.#pictures.length - 1;
    if (!this.#dialog.open) this.#dialog.showModal();
  }
}
