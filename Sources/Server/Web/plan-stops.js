// The stops of a plan by day. Its author puts them in order by buttons, or by dragging one to another's place or to
// another day.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { datesOf, dateText, dayNumber, stopsOn } from "./plan-days.js";
import { confirming, placeText } from "./story-texts.js";

export class PlanStops {
  #parent;
  #acts;
  #plan = null;
  #dragged = "";
  /** The button that had the focus before a redraw, by stop and name. */
  #focus = null;

  /** `acts`: `edit(stop)`, `add(date)`, `move(stop, date, index)`, `remove(stop)`, `choose(stop)`. */
  constructor(parent, acts) {
    this.#parent = parent;
    this.#acts = acts;
    parent.addEventListener("dragstart", (event) => {
      this.#dragged = event.target.closest?.("li")?.dataset.stop ?? "";
      event.dataTransfer.effectAllowed = "move";
    });
    parent.addEventListener("dragover", (event) => this.#target(event) && event.preventDefault());
    parent.addEventListener("drop", (event) => this.#drop(event));
  }

  /** Shows the stops of a date, or with an empty one of all dates. */
  show(plan, only, { isMine, chosen }) {
    const focused = document.activeElement;
    if (this.#parent.contains(focused)) {
      this.#focus = [focused.closest("li")?.dataset.stop ?? "", focused.dataset.act ?? ""];
    }
    this.#plan = plan;
    let count = 0;
    const days = datesOf(plan).filter((date) => !only || date === only).map((date) => {
      const stops = stopsOn(plan, date);
      if (stops.length === 0 && !isMine) return null;
      const rows = stops.map((stop, index) => this.#row(stop, index, stops.length, (count += 1), isMine));
      const heading = make("h2", "", say("dayOf", { n: number(dayNumber(plan, date)), date: dateText(date) }));
      const list = make("ol", "", ...rows);
      const day = make("section", "day", make("div", "head", heading, isMine ? this.#addButton(date) : null), list);
      day.dataset.date = date;
      return day;
    });
    const none = (plan.stops ?? []).length === 0 && !isMine ? make("p", "hint none", say("dayNone")) : null;
    this.#parent.replaceChildren(...[...days, none].filter(Boolean));
    this.#parent.querySelector(`[data-stop="${chosen}"]`)?.classList.add("chosen");
    this.#refocus();
  }

  /** Brings a stop into sight. */
  reveal(stopId) {
    this.#parent.querySelector(`[data-stop="${stopId}"]`)?.scrollIntoView({ block: "nearest" });
  }

  #refocus() {
    if (!this.#focus) return;
    const [stopId, act] = this.#focus;
    this.#focus = null;
    const row = stopId && this.#parent.querySelector(`[data-stop="${stopId}"]`);
    if (!row) return;
    const same = row.querySelector(`[data-act="${act}"]:not(:disabled)`);
    (same ?? row.querySelector("button:not(:disabled)"))?.focus({ preventScroll: true });
  }

  #row(stop, index, all, count, isMine) {
    const name = make("button", "name", make("b", "dot-number", number(count)), make("span", "", stop.title));
    name.type = "button";
    name.dataset.act = "choose";
    name.addEventListener("click", () => this.#acts.choose(stop));
    const text = stop.text ? make("p", "said", stop.text) : null;
    const place = stop.latE7 === undefined ? null : make("p", "hint", placeText(stop));
    const row = make("li", "stop", name, text, place, isMine ? this.#buttons(stop, index, all) : null);
    row.dataset.stop = stop.stopId;
    row.draggable = isMine;
    return row;
  }

  #buttons(stop, index, all) {
    const button = (act, text, label, isDisabled, run) => {
      const made = make("button", act === "up" || act === "down" ? "quiet" : "link", text);
      made.type = "button";
      made.dataset.act = act;
      made.disabled = isDisabled;
      if (label) made.setAttribute("aria-label", label);
      made.addEventListener("click", run);
      return made;
    };
    const { title, date } = stop;
    const [earlier, later] = [this.#neighbour(date, -1), this.#neighbour(date, 1)];
    // At the end of a day the next step is the next day.
    const up = () => {
      if (index > 0) this.#acts.move(stop, date, index - 1);
      else this.#acts.move(stop, earlier, stopsOn(this.#plan, earlier).length);
    };
    const down = () => (index < all - 1 ? this.#acts.move(stop, date, index + 1) : this.#acts.move(stop, later, 0));
    const remove = button("remove", "", "", false, () => undefined);
    confirming(remove, "delete", "deleteReally", () => this.#acts.remove(stop));
    return make(
      "div",
      "acts",
      button("up", "▲", say("upOf", { title }), index === 0 && !earlier, up),
      button("down", "▼", say("downOf", { title }), index === all - 1 && !later, down),
      button("edit", say("edit"), "", false, () => this.#acts.edit(stop)),
      remove
    );
  }

  #neighbour(date, step) {
    const dates = datesOf(this.#plan);
    return dates[dates.indexOf(date) + step] ?? null;
  }

  #addButton(date) {
    const button = make("button", "quiet add", say("stopAdd"));
    button.type = "button";
    button.addEventListener("click", () => this.#acts.add(date));
    return button;
  }

  /** The day and the row under a drag; null where nothing is dropped. */
  #target(event) {
    const day = event.target.closest?.(".day");
    return this.#dragged && day ? { date: day.dataset.date, over: event.target.closest("li")?.dataset.stop } : null;
  }

  #drop(event) {
    const target = this.#target(event);
    const stop = this.#plan?.stops?.find(({ stopId }) => stopId === this.#dragged);
    this.#dragged = "";
    if (!target || !stop) return;
    event.preventDefault();
    const others = stopsOn(this.#plan, target.date).filter(({ stopId }) => stopId !== stop.stopId);
    const all = stopsOn(this.#plan, target.date);
    const at = all.findIndex(({ stopId }) => stopId === target.over);
    // Dropped on another stop it takes that one's place, dropped beside them it is the last.
    const index = at < 0 ? others.length : Math.min(at, others.length);
    if (all[index]?.stopId !== stop.stopId) this.#acts.move(stop, target.date, index);
  }
}

