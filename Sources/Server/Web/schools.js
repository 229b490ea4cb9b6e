// The choice of a school: searched while the player types, by region, page by page, within the server's rate limit.
import { errorText, find, make, sayError } from "./dom.js";
import { say, showSaid } from "./language.js";

const askEveryMs = 600;
const regions = [
  "서울특별시", "부산광역시", "대구광역시", "인천광역시", "광주광역시", "대전광역시", "울산광역시", "세종특별자치시", "경기도",
  "강원특별자치도", "충청북도", "충청남도", "전북특별자치도", "전라남도", "경상북도", "경상남도", "제주특별자치도",
];

export class SchoolSearch {
  #connection;
  #choose;
  #cursor = "";
  #timer = null;
  #askedAt = -Infinity;
  /** The number of the newest question. Answers to older ones are not shown. */
  #question = 0;

  /** `choose(school)` is called with the one that was picked. */
  constructor(connection, choose) {
    this.#connection = connection;
    this.#choose = choose;
    find("#school-name").addEventListener("input", () => this.#soon(350));
    find("#region").addEventListener("change", () => this.#soon(0));
    find("#more").addEventListener("click", () => this.#ask(this.#cursor));
  }

  /** Shows the first schools, or draws everything in another language. */
  begin() {
    const select = find("#region");
    const chosen = select.value;
    const all = Object.assign(make("option", "", say("allRegions")), { value: "" });
    select.replaceChildren(all, ...regions.map((region) => make("option", "", region)));
    select.value = chosen;
    this.#soon(0);
  }

  #soon(afterMs) {
    clearTimeout(this.#timer);
    const wait = Math.max(afterMs, askEveryMs - (performance.now() - this.#askedAt));
    this.#timer = setTimeout(() => this.#ask(), wait);
  }

  async #ask(cursor = "") {
    this.#askedAt = performance.now();
    const question = ++this.#question;
    const asked = { query: find("#school-name").value.trim(), region: find("#region").value, cursor, limit: 20 };
    try {
      const { schools = [], nextCursor = "" } = await this.#connection.request("searchSchools", asked);
      if (question !== this.#question) return;
      this.#cursor = nextCursor;
      find("#more").hidden = nextCursor === "";
      const rows = schools.map((school) => this.#row(school));
      if (cursor) find("#schools").append(...rows);
      else find("#schools").replaceChildren(...(rows.length > 0 ? rows : [make("li", "hint", say("noSchools"))]));
    } catch (error) {
      if (error.code === "RATE_LIMITED") return this.#soon(error.retryAfterMs ?? 1_000);
      if (error.code === "LOST" || find("#schools").children.length > 0) return sayError(error);
      // The rest of the page waits for the list, and goes on without it.
      const fault = make("li", "fault");
      showSaid(fault, errorText(error));
      find("#schools").append(fault);
      if (error.retryAfterMs !== undefined) this.#soon(error.retryAfterMs);
    }
  }

  #row(school) {
    const { name, level, region, address } = school;
    // Many schools share a name; level and address tell them apart.
    const where = [level && say(level), address || region].filter(Boolean).join(" · ");
    const button = make("button", "", make("b", "", name), make("small", "", where));
    button.type = "button";
    button.addEventListener("click", () => this.#choose(school));
    return make("li", "", button);
  }
}
