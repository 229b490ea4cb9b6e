// The soundtrack of an open post. The sounds themselves are the apps': the page names them, lets their volumes be
// mixed, and moves a silent meter for each.
import { find, make } from "./dom.js";
import { number, say } from "./language.js";

const frameMs = 120;

export class StorySound {
  #rows = [];
  #shown = "";
  #timer = null;

  constructor() {
    find("#sound-move").addEventListener("click", () => (this.#timer === null ? this.#start() : this.stop()));
  }

  /** Shows the sounds of a post; `undefined` is silence. */
  show(soundtrack) {
    const text = JSON.stringify(soundtrack ?? null);
    if (text === this.#shown) return;
    this.stop();
    this.#shown = text;
    const sounds = soundtrack ? [soundtrack.music, ...(soundtrack.effects ?? [])].filter(Boolean) : [];
    this.#rows = sounds.map((sound) => this.#row(sound, sound === soundtrack.music));
    find("#sounds").replaceChildren(...this.#rows.map(({ element }) => element));
    find("#soundtrack").hidden = sounds.length === 0;
    this.say();
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = null;
    for (const row of this.#rows) row.meter.style.setProperty("--share", row.volume / 100);
    this.say();
  }

  /** The words are in another language now. */
  say() {
    find("#sound-move").textContent = say(this.#timer === null ? "metersMove" : "metersRest");
    for (const { kind, isMusic, slider, name } of this.#rows) {
      kind.textContent = say(isMusic ? "music" : "effect");
      slider.setAttribute("aria-label", say("volumeOf", { name }));
    }
  }

  #row({ name, volumePercent = 100 }, isMusic) {
    const kind = make("small");
    const value = make("output", "", `${number(volumePercent)}%`);
    const slider = Object.assign(make("input"), { type: "range", min: 0, max: 100, step: 5 });
    slider.value = volumePercent;
    const meter = make("i", "meter");
    meter.setAttribute("aria-hidden", "true");
    meter.style.setProperty("--share", volumePercent / 100);
    const row = { name, isMusic, kind, slider, meter, volume: volumePercent, level: volumePercent / 100 };
    slider.addEventListener("input", () => {
      row.volume = Number(slider.value);
      value.textContent = `${number(row.volume)}%`;
      if (this.#timer === null) meter.style.setProperty("--share", row.volume / 100);
    });
    row.element = make("li", "sound", make("span", "", kind, make("b", "", name)), value, slider, meter);
    return row;
  }

  #start() {
    this.#timer = setInterval(() => this.#move(), frameMs);
    this.say();
  }

  /** Each meter wanders below its volume, as a sound's level does. */
  #move() {
    for (const row of this.#rows) {
      const most = row.volume / 100;
      row.level = Math.min(most, Math.max(0.35 * most, row.level + (Math.random() - 0.5) * 0.35 * most));
      row.meter.style.setProperty("--share", row.level);
    }
  }
}
