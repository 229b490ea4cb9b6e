// What a post may have besides text and pictures: countries that are searched, sounds with their volumes, a place.
import { find, make, toast } from "./dom.js";
import { number, say } from "./language.js";
import { countryText, flagOf, nameOf, put } from "./story-texts.js";

const countriesMax = 3;
const effectsMax = 3;
const foundMax = 8;
const typingMs = 250;
const latitudeMax = 85;

export class StoryChoices {
  #connection;
  #codes = [];
  #found = [];
  #sounds = { music: [], effects: [] };
  /** The chosen sounds, the music first; each with its `name`, empty for none, and `volumePercent`. */
  #mix = [];
  #asked = 0;
  #typing = null;

  constructor(connection) {
    this.#connection = connection;
    const query = find("#write-country");
    query.addEventListener("input", () => {
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => this.#search(query.value.trim()), typingMs);
    });
    query.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      if (this.#found[0]) this.#choose(this.#found[0].code);
    });
    find("#place-here").addEventListener("click", () => this.#takePosition());
    find("#place-country").addEventListener("click", () => this.#takeCountry());
    find("#place-none").addEventListener("click", () => this.#setPlace(null));
  }

  /** Asks for the names of the sounds, once. */
  async load() {
    if (this.#sounds.music.length > 0) return;
    try {
      const { music = [], effects = [] } = await this.#connection.request("sounds");
      this.#sounds = { music, effects };
      this.#renderMixer();
    } catch {
      // The next welcome tries again.
    }
  }

  /** Begins with what a post has. */
  fill({ countries = [], soundtrack = {}, latE7, lngE7 }) {
    this.#codes = [...countries];
    const sounds = [soundtrack.music, ...(soundtrack.effects ?? [])];
    this.#mix = Array.from({ length: 1 + effectsMax }, (_, index) => {
      const { name = "", volumePercent = 100 } = sounds[index] ?? {};
      return { name, volumePercent: name ? volumePercent : 70 };
    });
    this.#setPlace(latE7 === undefined ? null : { latE7, lngE7 });
    find("#write-country").value = "";
    this.#found = [];
    this.say();
  }

  /** The words are in another language now. */
  say() {
    this.#renderCountries();
    this.#renderMixer();
  }

  get countries() {
    return [...this.#codes];
  }

  /** The soundtrack as the wire has it; null for silence. */
  get soundtrack() {
    const [music, ...effects] = this.#mix.map(({ name, volumePercent }) => (name ? { name, volumePercent } : null));
    const chosen = effects.filter(Boolean);
    return music || chosen.length > 0 ? { music: music ?? undefined, effects: chosen } : null;
  }

  /** The place in both fields; null for none. */
  get place() {
    const [latitude, longitude] = ["lat", "lng"].map((each) => find(`#place-${each}`).value);
    if (latitude === "" && longitude === "") return null;
    return { latE7: Math.round(Number(latitude) * 1e7), lngE7: Math.round(Number(longitude) * 1e7) };
  }

  /** Whether only one field of the place is there, or one is out of its range. */
  get isPlaceWrong() {
    const fields = ["lat", "lng"].map((each) => find(`#place-${each}`));
    if (fields.some(({ validity }) => validity.badInput)) return true;
    const [latitude, longitude] = fields.map(({ value }) => value);
    if (latitude === "" && longitude === "") return false;
    return latitude === "" || longitude === "" || Math.abs(latitude) > latitudeMax || Math.abs(longitude) > 180;
  }

  // Countries.

  async #search(query) {
    const asked = (this.#asked += 1);
    if (!query) {
      this.#found = [];
      return this.#renderCountries();
    }
    try {
      const { countries = [] } = await this.#connection.request("searchCountries", { query });
      if (asked !== this.#asked) return;
      this.#found = countries.slice(0, foundMax);
      this.#renderCountries();
    } catch {
      // The next letter asks again.
    }
  }

  #choose(code) {
    if (this.#codes.length >= countriesMax && !this.#codes.includes(code)) return toast(say("countriesMost"), "warn");
    this.#codes = [...new Set([...this.#codes, code])];
    this.#found = [];
    find("#write-country").value = "";
    this.#renderCountries();
    find("#write-country").focus();
  }

  #renderCountries() {
    const chosen = this.#codes.map((code) => {
      const button = make("button", "chip", `${flagOf(code)} ${countryText(code)} ×`);
      button.type = "button";
      button.setAttribute("aria-label", say("removeOf", { name: countryText(code) }));
      button.addEventListener("click", () => {
        this.#codes = this.#codes.filter((each) => each !== code);
        this.#renderCountries();
        find("#write-country").focus();
      });
      return make("li", "", button);
    });
    find("#write-countries").replaceChildren(...chosen);
    const found = this.#found.map((country) => {
      const button = make("button", "", `${flagOf(country.code)} ${nameOf(country)}`);
      button.type = "button";
      button.addEventListener("click", () => this.#choose(country.code));
      return make("li", "", button);
    });
    find("#write-found").replaceChildren(...found);
    find("#place-country").disabled = this.#codes.length === 0;
  }

  // Sounds.

  #renderMixer() {
    if (this.#mix.length === 0) return;
    find("#mixer").replaceChildren(...this.#mix.map((sound, index) => this.#channel(sound, index)));
  }

  #channel(sound, index) {
    const names = index === 0 ? this.#sounds.music : this.#sounds.effects;
    const label = index === 0 ? say("music") : say("effectNumber", { n: number(index) });
    const select = make("select");
    select.setAttribute("aria-label", label);
    const none = Object.assign(make("option", "", say(index === 0 ? "noMusic" : "noEffect")), { value: "" });
    // A sound that this server lists no more stays until another is chosen.
    const all = sound.name && !names.includes(sound.name) ? [sound.name, ...names] : names;
    const isTaken = (name) => index > 0 && this.#mix.some((other, at) => at > 0 && at !== index && other.name === name);
    const option = (name) => Object.assign(make("option", "", name), { value: name });
    select.replaceChildren(none, ...all.filter((name) => !isTaken(name)).map(option));
    select.value = sound.name;
    const value = make("output", "", `${number(sound.volumePercent)}%`);
    const slider = Object.assign(make("input"), { type: "range", min: 0, max: 100, step: 5, disabled: !sound.name });
    slider.value = sound.volumePercent;
    slider.setAttribute("aria-label", say("volumeOf", { name: sound.name || label }));
    select.addEventListener("change", () => {
      sound.name = select.value;
      this.#renderMixer();
      find("#mixer").children[index].querySelector("select").focus();
    });
    slider.addEventListener("input", () => {
      sound.volumePercent = Number(slider.value);
      put(value, `${number(sound.volumePercent)}%`);
    });
    return make("div", "channel", select, slider, value);
  }

  // The place.

  #setPlace(place) {
    find("#place-lat").value = place ? place.latE7 / 1e7 : "";
    find("#place-lng").value = place ? place.lngE7 / 1e7 : "";
  }

  #takePosition() {
    if (!window.isSecureContext || !navigator.geolocation) return toast(say("placeDenied"), "warn");
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        this.#setPlace({ latE7: Math.round(coords.latitude * 1e7), lngE7: Math.round(coords.longitude * 1e7) });
      },
      () => toast(say("placeDenied"), "warn"),
      { timeout: 10_000 }
    );
  }

  async #takeCountry() {
    try {
      this.#setPlace(await this.#connection.request("country", { code: this.#codes[0] }));
    } catch {
      toast(say("error.OTHER"), "warn");
    }
  }
}
