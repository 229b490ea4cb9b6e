// The player's own travel plans, and the form that makes one.
import { errorText, find } from "./dom.js";
import { say } from "./language.js";
import { dayAfter, today } from "./plan-days.js";
import { planRow } from "./plan-rows.js";
import { planWords } from "./plan-words.js";
import { address, lengthOf } from "./story-texts.js";

const titleMax = 31;
const pageLimit = 20;

/** Begins the view; `app` has `connection`, `table` and `go(address)`. */
export function begin(app) {
  Object.assign(app.table, planWords);
  return new PlanList(app);
}

class PlanList {
  #app;
  #plans = [];
  #cursor = "";
  #isLoaded = false;
  #asked = 0;

  constructor(app) {
    this.#app = app;
    find("#plans-more").addEventListener("click", () => this.#load());
    find("#plan-first").addEventListener("change", () => {
      const [first, last] = [find("#plan-first"), find("#plan-last")];
      if (first.value && last.value < first.value) last.value = first.value;
      last.min = first.value;
    });
    find("#plan-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#make();
    });
  }

  show() {
    if (!find("#plan-first").value) {
      find("#plan-first").value = today();
      find("#plan-last").value = dayAfter(today(), 2);
    }
    this.renew();
    this.#render();
  }

  leave() {}

  renew() {
    this.#cursor = "";
    this.#load();
  }

  get title() {
    return say("plans");
  }

  say() {
    this.#render();
  }

  async #load() {
    const asked = (this.#asked += 1);
    const cursor = this.#cursor || undefined;
    try {
      const page = await this.#app.connection.request("listPlans", { limit: pageLimit, cursor });
      if (asked !== this.#asked) return;
      this.#plans = [...(cursor ? this.#plans : []), ...(page.plans ?? [])];
      this.#cursor = page.nextCursor ?? "";
      this.#isLoaded = true;
      this.#fail("");
    } catch (error) {
      if (asked === this.#asked && error.code !== "LOST") this.#fail(errorText(error));
    }
    this.#render();
  }

  #render() {
    find("#plans-list").replaceChildren(...this.#plans.map(planRow));
    find("#plans-more").hidden = this.#cursor === "";
    find("#plans-none").hidden = !this.#isLoaded || this.#plans.length > 0;
  }

  async #make() {
    const title = find("#plan-name").value.trim();
    if (!title) return this.#fail(say("error.TEXT_EMPTY"));
    if (lengthOf(title) > titleMax) return this.#fail(say("error.TEXT_TOO_LONG"));
    const body = { title, firstDate: find("#plan-first").value, lastDate: find("#plan-last").value };
    find("#plan-make").disabled = true;
    try {
      const { planId } = await this.#app.connection.request("writePlan", body);
      find("#plan-name").value = "";
      this.#fail("");
      this.#app.go(address("plan", planId));
    } catch (error) {
      this.#fail(error.code === "LOST" ? say("line.lost") : errorText(error));
    } finally {
      find("#plan-make").disabled = false;
    }
  }

  #fail(text) {
    find("#plans-fault").textContent = text;
    find("#plans-fault").hidden = text === "";
  }
}
