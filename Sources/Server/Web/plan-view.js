// An open travel plan: its days and stops, their map, for its author the edits, for others the taking over.
import { errorText, find, make, sayError, toast } from "./dom.js";
import { number, say } from "./language.js";
import { datesOf, dateText, dayNumber, spanText, stopsOn, today, withChange } from "./plan-days.js";
import { PlanForms } from "./plan-forms.js";
import { PlanMap } from "./plan-map.js";
import { PlanStops } from "./plan-stops.js";
import { planWords } from "./plan-words.js";
import { address, authorLink, confirming, put } from "./story-texts.js";

/**
 * Begins the view; `app` has `connection`, `book`, `table`, `features`, `go(address)`, `back()`, `report(subject, done)`
 * and `titled()`.
 */
export function begin(app) {
  Object.assign(app.table, planWords);
  return new PlanView(app);
}

class PlanView {
  #app;
  #id = "";
  /** The newest version that is known; null before the first answer. */
  #plan = null;
  #isGone = false;
  /** The date whose stops the map shows; empty for all. */
  #date = "";
  #chosen = "";
  #map;
  #stops;
  #forms;

  constructor(app) {
    this.#app = app;
    this.#map = new PlanMap(find("#plan-ground"), { chose: (stop) => this.#choose(stop) });
    this.#stops = new PlanStops(find("#plan-stops"), {
      edit: (stop) => this.#forms.stop(this.#plan, stop),
      add: (date) => this.#forms.stop(this.#plan, null, date),
      move: (stop, date, index) => this.#move(stop, date, index),
      remove: (stop) => this.#ask("deleteStop", { stopId: stop.stopId }).catch(sayError),
      choose: (stop) => this.#choose(stop),
    });
    this.#forms = new PlanForms((kind, body) => this.#ask(kind, body));
    find("#plan-back").addEventListener("click", () => app.back());
    find("#plan-edit").addEventListener("click", () => this.#forms.plan(this.#plan));
    find("#plan-report").addEventListener("click", () => this.#report());
    find("#plan-zoom-in").addEventListener("click", () => this.#map.zoom(1.6));
    find("#plan-zoom-out").addEventListener("click", () => this.#map.zoom(1 / 1.6));
    find("#take-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#takeOver();
    });
  }

  show(_, id) {
    if (id !== this.#id) this.#plan = null;
    this.#id = id;
    this.#isGone = false;
    this.#date = "";
    this.#chosen = "";
    find("#take-date").value = today();
    this.#map.start();
    this.#render();
    this.renew();
  }

  leave() {
    this.#map.stop();
    this.#forms.close();
  }

  async renew() {
    const id = this.#id;
    try {
      const plan = await this.#app.connection.request("readPlan", { planId: id });
      if (id !== this.#id) return;
      this.#take(plan);
      this.#app.titled();
    } catch (error) {
      if (id !== this.#id || error.code === "LOST") return;
      this.#isGone = error.code === "PLAN_NOT_FOUND";
      if (!this.#isGone) sayError(error);
      this.#render();
    }
  }

  get title() {
    return this.#plan?.title ?? say("planTitle");
  }

  say() {
    this.#render();
    this.#forms.say();
  }

  #take(plan) {
    this.#plan = plan;
    if (this.#date && (this.#date < plan.firstDate || this.#date > plan.lastDate)) this.#date = "";
    this.#render();
  }

  get #isMine() {
    return this.#plan !== null && this.#app.book.isMine(this.#plan);
  }

  // What is shown.

  #render() {
    const plan = this.#plan;
    find("#plan-gone").hidden = !this.#isGone;
    find("#plan-whole").hidden = this.#isGone || !plan;
    find("#plan-busy").hidden = this.#isGone || plan !== null;
    if (!plan || this.#isGone) return;
    put(find("#plan-title"), plan.title);
    const facts = [spanText(plan), say("stops", { n: number(plan.stopCount ?? 0) })];
    if (plan.takenOver) facts.push(say("takenBy", { n: number(plan.takenOver) }));
    const marks = facts.map((fact) => make("span", "", fact));
    find("#plan-meta").replaceChildren(authorLink(plan), ...marks, ...this.#credit());
    find("#plan-hidden").hidden = !plan.hidden;
    find("#plan-own").hidden = !this.#isMine;
    find("#plan-take").hidden = this.#isMine;
    find("#plan-report").hidden = this.#isMine || !this.#app.features.has("moderation");
    find("#take-before").hidden = !plan.taken;
    if (this.#isMine) {
      find("#plan-share").href = address("write", plan.planId);
      confirming(find("#plan-delete"), "delete", "deleteReally", () => this.#delete());
    }
    this.#renderDays();
    this.#renderStops();
  }

  #credit() {
    const { takenFrom } = this.#plan;
    if (!takenFrom) return [];
    const text = say("takenFrom", { name: takenFrom.nickname });
    if (!takenFrom.planId) return [make("span", "", text)];
    return [Object.assign(make("a", "", text), { href: address("plan", takenFrom.planId) })];
  }

  #renderDays() {
    const plan = this.#plan;
    const dates = datesOf(plan).filter((date) => stopsOn(plan, date).length > 0);
    const days = ["", ...dates].map((date) => {
      const text = date ? say("dayOf", { n: number(dayNumber(plan, date)), date: dateText(date) }) : say("allDays");
      const button = make("button", "chip", text);
      button.type = "button";
      button.setAttribute("aria-pressed", String(date === this.#date));
      button.addEventListener("click", () => {
        this.#date = date;
        this.#chosen = "";
        this.#render();
        find("#plan-days [aria-pressed=true]")?.focus();
      });
      return make("li", "", button);
    });
    find("#plan-days").replaceChildren(...days);
    find("#plan-days").hidden = dates.length < 2;
  }

  #renderStops() {
    const plan = this.#plan;
    const shown = this.#date ? stopsOn(plan, this.#date) : (plan.stops ?? []);
    find("#plan-chart").hidden = !shown.some(({ latE7 }) => latE7 !== undefined);
    this.#map.show(shown, this.#chosen);
    this.#stops.show(plan, this.#date, { isMine: this.#isMine, chosen: this.#chosen });
  }

  #choose(stop) {
    this.#chosen = stop.stopId;
    this.#renderStops();
    this.#stops.reveal(stop.stopId);
  }

  // The edits.

  /** Asks for an edit of the version that is shown, and takes what comes of it. Throws where it is refused. */
  async #ask(kind, body) {
    const plan = this.#plan;
    try {
      const answer = await this.#app.connection.request(kind, { planId: plan.planId, version: plan.version, ...body });
      if (plan.planId !== this.#id) return;
      const isWhole = answer.title !== undefined;
      const next = isWhole ? answer : withChange(this.#plan, answer);
      if (next) this.#take(next);
      else await this.renew();
      this.#app.titled();
    } catch (error) {
      // Another device was first: its version is shown, and what was typed stays in its form.
      if (error.plan && plan.planId === this.#id) this.#take(error.plan);
      throw error;
    }
  }

  async #move(stop, date, index) {
    try {
      await this.#ask("moveStop", { stopId: stop.stopId, date, index });
      put(find("#plan-said"), say("movedTo", { title: stop.title, date: dateText(date), n: number(index + 1) }));
    } catch (error) {
      if (error.code === "STALE_VERSION") toast(say("planStaleMove"), "warn");
      else sayError(error);
      this.#renderStops();
    }
  }

  async #delete() {
    try {
      await this.#app.connection.request("deletePlan", { planId: this.#id });
      toast(say("deleted"), "good");
      this.#app.go("#/plans", true);
    } catch (error) {
      sayError(error);
    }
  }

  #report() {
    const planId = this.#id;
    this.#app.report({ planId }, () => {
      if (planId !== this.#id) return;
      // A reported plan is gone for its reporter.
      this.#plan = null;
      this.#isGone = true;
      this.#render();
      find("#plan-gone h1").focus();
    });
  }

  async #takeOver() {
    find("#take-button").disabled = true;
    find("#take-fault").hidden = true;
    try {
      const body = { planId: this.#id, firstDate: find("#take-date").value };
      const { planId } = await this.#app.connection.request("takeOverPlan", body);
      toast(say("takenDone"), "good");
      this.#app.go(address("plan", planId));
    } catch (error) {
      find("#take-fault").textContent = error.code === "LOST" ? say("line.lost") : errorText(error);
      find("#take-fault").hidden = false;
    } finally {
      find("#take-button").disabled = false;
    }
  }
}
