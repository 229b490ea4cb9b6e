// The dialogs of a plan: one stop, and the plan's own title and dates. What was typed stays while the plan is
// brought to its newest version.
import { errorText, find, make, toast } from "./dom.js";
import { say } from "./language.js";
import { datesOf, dateText, dayNumber, hasPlace, stopsOn } from "./plan-days.js";
import { PlanMap } from "./plan-map.js";
import { bytesOf, lengthOf, put } from "./story-texts.js";

const titleMax = 31;
const textMax = 1_000;
const textBytesMax = 4_000;
const latitudeMax = 85;

export class PlanForms {
  #ask;
  #dialog = find("#stop");
  #planDialog = find("#plan-dates");
  #map;
  #plan = null;
  /** The stop that is edited; null for a new one. */
  #stop = null;

  /** `ask(kind, body)` sends an edit, and throws where it is refused. */
  constructor(ask) {
    this.#ask = ask;
    this.#map = new PlanMap(find("#stop-ground"), { placed: (place) => this.#setPlace(place) });
    find("#stop-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#sendStop();
    });
    find("#dates-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#sendPlan();
    });
    find("#stop-close").addEventListener("click", () => this.#dialog.close());
    find("#dates-close").addEventListener("click", () => this.#planDialog.close());
    find("#stop-date").addEventListener("change", () => this.#showMap());
    for (const field of ["#stop-lat", "#stop-lng"]) find(field).addEventListener("input", () => this.#showMap());
    find("#stop-here").addEventListener("click", () => this.#takePosition());
    find("#stop-nowhere").addEventListener("click", () => this.#setPlace(null));
    this.#dialog.addEventListener("close", () => this.#map.stop());
  }

  /** Opens the form of a stop, or of a new one on a date. */
  stop(plan, stop, date = stop.date) {
    this.#plan = plan;
    this.#stop = stop;
    const options = datesOf(plan).map((each) => {
      const text = say("dayOf", { n: dayNumber(plan, each), date: dateText(each) });
      return Object.assign(make("option", "", text), { value: each });
    });
    find("#stop-date").replaceChildren(...options);
    find("#stop-date").value = date;
    find("#stop-name").value = stop?.title ?? "";
    find("#stop-text").value = stop?.text ?? "";
    this.#put(stop && hasPlace(stop) ? stop : null);
    this.#fail("#stop-fault", "");
    this.say();
    this.#dialog.showModal();
    this.#map.start();
    this.#showMap();
    find("#stop-name").focus();
  }

  /** Opens the form of the plan's title and dates. */
  plan(plan) {
    this.#plan = plan;
    find("#dates-name").value = plan.title;
    find("#dates-first").value = plan.firstDate;
    find("#dates-last").value = plan.lastDate;
    find("#dates-shift").checked = true;
    this.#fail("#dates-fault", "");
    this.#planDialog.showModal();
  }

  close() {
    for (const dialog of [this.#dialog, this.#planDialog]) if (dialog.open) dialog.close();
  }

  /** The words are in another language now. */
  say() {
    put(find("#stop-title"), say(this.#stop ? "stopEdit" : "stopAdd"));
  }

  async #sendStop() {
    const [title, text] = ["#stop-name", "#stop-text"].map((field) => find(field).value.trim());
    const [place, date] = [this.#place, find("#stop-date").value];
    const isLong = lengthOf(title) > titleMax || lengthOf(text) > textMax || bytesOf(text) > textBytesMax;
    if (!title) return this.#fail("#stop-fault", say("error.TEXT_EMPTY"));
    if (isLong) return this.#fail("#stop-fault", say("error.TEXT_TOO_LONG"));
    if (place === undefined) return this.#fail("#stop-fault", say("placeHalf"));
    const stop = this.#stop;
    const body = { title, text, ...(place ?? (stop ? { withoutPlace: true } : {})) };
    const edit = () => {
      if (!stop) return this.#ask("addStop", { stop: { ...body, date } });
      return this.#ask("editStop", { stopId: stop.stopId, ...body, date: date === stop.date ? undefined : date });
    };
    await this.#send(this.#dialog, "#stop-send", "#stop-fault", edit);
  }

  async #sendPlan() {
    const title = find("#dates-name").value.trim();
    if (!title) return this.#fail("#dates-fault", say("error.TEXT_EMPTY"));
    if (lengthOf(title) > titleMax) return this.#fail("#dates-fault", say("error.TEXT_TOO_LONG"));
    const body = {
      title,
      firstDate: find("#dates-first").value,
      lastDate: find("#dates-last").value,
      shiftStops: find("#dates-shift").checked,
    };
    await this.#send(this.#planDialog, "#dates-send", "#dates-fault", () => this.#ask("editPlan", body));
  }

  async #send(dialog, button, fault, edit) {
    find(button).disabled = true;
    this.#fail(fault, "");
    try {
      await edit();
      dialog.close();
      toast(say("saved"), "good");
    } catch (error) {
      if (error.code === "STALE_VERSION") this.#fail(fault, say("planStale"));
      else this.#fail(fault, error.code === "LOST" ? say("line.lost") : errorText(error));
    } finally {
      find(button).disabled = false;
    }
  }

  // The place.

  /** The place in the fields: null for none, `undefined` for half of one or one that is out of range. */
  get #place() {
    const fields = ["#stop-lat", "#stop-lng"].map((field) => find(field));
    const [latitude, longitude] = fields.map(({ value }) => value);
    if (fields.some(({ validity }) => validity.badInput)) return undefined;
    if (latitude === "" && longitude === "") return null;
    if (latitude === "" || longitude === "") return undefined;
    if (Math.abs(latitude) > latitudeMax || Math.abs(longitude) > 180) return undefined;
    return { latE7: Math.round(latitude * 1e7), lngE7: Math.round(longitude * 1e7) };
  }

  #put(place) {
    find("#stop-lat").value = place ? (place.latE7 / 1e7).toFixed(6) : "";
    find("#stop-lng").value = place ? (place.lngE7 / 1e7).toFixed(6) : "";
  }

  #setPlace(place) {
    this.#put(place);
    this.#showMap();
  }

  /** The day's stops, with this one among them where it has a place. */
  #showMap() {
    const others = stopsOn(this.#plan, find("#stop-date").value).filter(({ stopId }) => stopId !== this.#stop?.stopId);
    const place = this.#place;
    const own = place ? [{ stopId: "own", ...place }] : [];
    const near = others.some(hasPlace) ? [] : (this.#plan.stops ?? []).filter(hasPlace).slice(-1);
    this.#map.show([...others, ...own], "own", near);
  }

  #takePosition() {
    if (!window.isSecureContext || !navigator.geolocation) return this.#fail("#stop-fault", say("placeDenied"));
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => this.#setPlace({ latE7: coords.latitude * 1e7, lngE7: coords.longitude * 1e7 }),
      () => this.#fail("#stop-fault", say("placeDenied")),
      { timeout: 10_000 }
    );
  }

  #fail(fault, text) {
    find(fault).textContent = text;
    find(fault).hidden = text === "";
  }
}
