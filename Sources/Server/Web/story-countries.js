// Countries: found by a part of their name, listed by continent, recommended; and the facts of one above its posts.
import { errorText, find, make } from "./dom.js";
import { isKorean, number, say } from "./language.js";
import { countryWords } from "./story-country-words.js";
import { address, flagOf, nameOf, placeText, put } from "./story-texts.js";

const continents = ["ASIA", "EUROPE", "AFRICA", "OCEANIA", "NORTH_AMERICA", "SOUTH_AMERICA"];
const typingMs = 250;
/** The country's most liked posts of so many last days, at most so many of them. */
const hotDays = 30;
const hotMax = 3;

/** Begins the view; `app` has `connection`, `book` and `table`. */
export function begin(app) {
  Object.assign(app.table, countryWords);
  return new StoryCountries(app);
}

class StoryCountries {
  #app;
  #continent = "ASIA";
  #countries = [];
  /** What the list is of: `recommended`, `all` or `found`. */
  #what = "recommended";
  /** The country above its posts; null before it is known. */
  #country = null;
  #code = "";
  #asked = 0;
  #typing = null;

  constructor(app) {
    this.#app = app;
    find("#country-query").addEventListener("input", () => {
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => this.#load(), typingMs);
    });
    find("#country-photo").addEventListener("error", () => (find("#country-figure").hidden = true));
    find("#country-photo").addEventListener("load", () => (find("#country-figure").hidden = false));
    const buttons = continents.map((continent) => {
      const button = make("button", "chip");
      button.type = "button";
      button.dataset.continent = continent;
      button.addEventListener("click", () => {
        this.#what = this.#continent === continent && this.#what === "recommended" ? "all" : "recommended";
        this.#continent = continent;
        find("#country-query").value = "";
        this.#load();
      });
      return button;
    });
    find("#continents").replaceChildren(...buttons);
    this.say();
  }

  show() {
    this.#load();
  }

  leave() {}

  renew() {
    this.#load();
  }

  get title() {
    return say("countries");
  }

  say() {
    for (const button of find("#continents").children) {
      button.textContent = say(`continent.${button.dataset.continent}`);
    }
    this.#render();
    this.#renderCountry();
  }

  /** Shows the facts of a country above its posts; with an empty code there is none. */
  async showCountry(code) {
    if (this.#code !== code) this.#country = null;
    this.#code = code;
    find("#country-figure").hidden = find("#country-top").hidden = find("#country-hot").hidden = true;
    find("#country-photo").removeAttribute("src");
    put(find("#country-by"), "");
    this.#renderCountry();
    if (!code) return;
    try {
      const country = await this.#app.connection.request("country", { code });
      if (code !== this.#code) return;
      this.#country = country;
      this.#renderCountry();
      // A server without photos names none.
      if (country.photoUrl) this.#showPhoto(code, country.photoUrl);
      await this.#showTop(code);
    } catch {
      // The list below says what is wrong.
    }
  }

  /** Shows a country's photo with its maker, who comes with it: the answer knows of the photo before it alone. */
  async #showPhoto(code, url) {
    try {
      const answer = await fetch(url);
      // The picture below is the same answer, out of the browser's cache.
      await answer.blob();
      // There may be none of this country.
      if (code !== this.#code || !answer.ok) return;
      put(find("#country-by"), displayString(answer.headers.get("Photo-Attribution")));
      find("#country-photo").src = url;
    } catch {
      // A country is as good without a photo.
    }
  }

  /** The most liked post of the country, and the hot ones beside it, as far as somebody likes them. */
  async #showTop(code) {
    const [top] = await this.#liked(code, { country: code });
    const hot = await this.#liked(code, { country: code, days: hotDays, limit: hotMax });
    if (code !== this.#code) return;
    this.#showLinks("#country-top", top ? [top] : []);
    this.#showLinks("#country-hot", hot.filter(({ postId }) => postId !== top?.postId));
  }

  /** Those of the most liked posts that somebody likes; none for another country than the one that is shown. */
  async #liked(code, question) {
    if (code !== this.#code) return [];
    const { posts = [] } = await this.#app.connection.request("topPosts", question);
    const liked = code === this.#code ? posts.filter(({ likes }) => likes) : [];
    this.#app.book.learn(liked);
    return liked;
  }

  #showLinks(row, posts) {
    const links = posts.map(({ postId, title }) => {
      return Object.assign(make("a", "", title), { href: address("post", postId) });
    });
    find(`${row} span`).replaceChildren(...links);
    find(row).hidden = posts.length === 0;
  }

  #renderCountry() {
    const facts = this.#country ? factsOf(this.#country) : [];
    const rows = facts.map(([key, value]) => make("div", "", make("dt", "label", say(key)), make("dd", "", value)));
    find("#country-facts").replaceChildren(...rows);
    if (!this.#country) return;
    find("#country").hidden = false;
    find("#country-photo").alt = say("photoOf", { name: nameOf(this.#country) });
  }

  async #load() {
    const asked = (this.#asked += 1);
    const query = find("#country-query").value.trim();
    const continent = this.#continent;
    const [kind, body] = query
      ? ["searchCountries", { query }]
      : this.#what === "all" ? ["searchCountries", { continent }] : ["recommendedCountries", { continent }];
    if (query) this.#what = "found";
    else if (this.#what === "found") this.#what = "recommended";
    try {
      const { countries = [] } = await this.#app.connection.request(query ? "searchCountries" : kind, body);
      if (asked !== this.#asked) return;
      this.#countries = countries;
      find("#countries-fault").hidden = true;
    } catch (error) {
      if (asked !== this.#asked || error.code === "LOST") return;
      find("#countries-fault").textContent = errorText(error);
      find("#countries-fault").hidden = false;
    }
    this.#render();
  }

  #render() {
    for (const button of find("#continents").children) {
      const isChosen = this.#what !== "found" && button.dataset.continent === this.#continent;
      button.setAttribute("aria-pressed", String(isChosen));
    }
    const name = say(`continent.${this.#continent}`);
    put(find("#countries-what"), say(`countries.${this.#what}`, { name, n: number(this.#countries.length) }));
    const rows = this.#countries.map((country) => {
      const link = make("a", "", `${flagOf(country.code)} ${nameOf(country)}`);
      link.href = address("country", country.code);
      return make("li", "", link);
    });
    if (this.#what === "recommended" && this.#countries.length > 0) rows.push(make("li", "", this.#allButton(name)));
    find("#countries-list").replaceChildren(...rows);
  }

  #allButton(name) {
    const button = make("button", "quiet", say("allOf", { name }));
    button.type = "button";
    button.addEventListener("click", () => {
      this.#what = "all";
      this.#load();
    });
    return button;
  }
}

/** What the catalogue knows of a country, by the keys of its words. */
function factsOf(country) {
  const capital = isKorean() ? country.koreanCapital : country.englishCapital;
  const { population, populationYear: year = "" } = country;
  return [
    ["capital", capital],
    ["continent", country.continent && say(`continent.${country.continent}`)],
    ["population", population && say("people", { n: number(population), year })],
    ["otherName", isKorean() ? country.englishName : country.koreanName],
    ["place", placeText(country)],
  ].filter(([, value]) => value);
}

/** The text of a display string of a header field (RFC 9651): UTF-8 in percent signs; empty for another field. */
function displayString(field) {
  const [, encoded] = /^%"(.*)"$/.exec(field ?? "") ?? [];
  return encoded === undefined ? "" : decodeURIComponent(encoded);
}
