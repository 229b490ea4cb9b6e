// The card beside the map while an operator draws: name, dwelling, corners, and the preview of what would change, which
// the server is asked for after each change. Saving goes through a dialog, as every act.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { Draft, metresBetween } from "./console-draft.js";
import { placeText, plain } from "./console-format.js";
import { button, setText, tag } from "./console-parts.js";
import { refusalText } from "./console-refusals.js";
import { Table } from "./console-table.js";
import { faultText } from "./console-told.js";

/** The server is asked when the operator has stopped for so long. */
const restMs = 400;

export class DraftCard {
  element = make("section", "card draft");
  draft;
  #app;
  #wants;
  #fields = {};
  #corners;
  #undo;
  #save;
  #preview = make("div", "draft-preview");
  #timer = null;
  /** Goes up with each change: answers about an earlier shape are dropped. */
  #number = 0;
  /** The server's row about the present shape; null while it is unknown. */
  #row = null;

  /** `wants`: `changed()`, `chose()`, `done()`, `cancel()`. */
  constructor(app, draft, wants) {
    this.#app = app;
    this.draft = draft;
    this.#wants = wants;
    this.#preview.setAttribute("role", "status");
    const heading = make("h2", "", say(`draft.${draft.kind}${draft.before ? ".edit" : ""}`));
    this.#undo = button(say("draft.undo"), () => this.#change(() => draft.undo()));
    this.#save = button(say("draft.save"), () => this.#confirm(), "primary");
    const tools = make("div", "ask-buttons", button(say("cancel"), () => wants.cancel()), this.#undo, this.#save);
    this.#corners = this.#cornerTable();
    this.element.append(
      make("header", "card-head", heading),
      make("p", "hint", say(draft.isCircle ? "draft.circleHint" : "draft.ringHint")),
      make("div", "draft-fields", ...this.#inputs()),
      draft.isCircle ? "" : this.#corners.element,
      this.#preview,
      tools,
    );
    this.show();
  }

  /** Leaves the card: nothing is asked any more. */
  end() {
    clearTimeout(this.#timer);
    this.#number += 1;
  }

  focus() {
    this.#fields.name.focus();
  }

  #inputs() {
    const { draft } = this;
    const field = (name, label, settings, take, hint) => {
      const input = Object.assign(make("input"), { name, value: draft[name], autocomplete: "off", ...settings });
      input.addEventListener("input", () => this.#change(() => take(input.value.trim())));
      this.#fields[name] = input;
      return make("label", "field", make("span", "", say(label)), input, hint ? make("small", "", say(hint)) : "");
    };
    const isLand = draft.kind === "land";
    const name = field("name", isLand ? "landName" : "fenceName", { type: "text", maxLength: 100, required: true }, (text) => (draft.name = text));
    if (isLand) return [name];
    return [
      name,
      field("topic", "topic", { type: "text", maxLength: 100 }, (text) => (draft.topic = text)),
      ...(draft.isCircle
        ? [field("radiusM", "draft.radius", { type: "number", min: 5, max: 50_000, step: 1 }, (text) => draft.setRadius(Number(text)))]
        : []),
      field("dwellS", "draft.dwell", { type: "number", min: 1, max: 86_400, step: 1 }, (text) => (draft.dwellS = text), "draft.dwellHint"),
    ];
  }

  #cornerTable() {
    const { draft } = this;
    const table = new Table({
      label: say("draft.corners"),
      empty: say("draft.noCorners"),
      keyOf: ({ at }) => at,
      columns: [
        { label: "draft.corner", className: "number", once: (cell, rowOf) => cell.append(this.#cornerButton(rowOf)), fill: (cell, { at }) => setText(cell.firstChild, `${at}`) },
        { label: "position", className: "mono", text: ({ place }) => placeText(place) },
        { label: "draft.side", className: "number", text: ({ sideM }) => (sideM === null ? "–" : `${number(sideM)} m`) },
        { className: "tools", once: (cell, rowOf) => cell.append(button(say("draft.delete"), () => this.#change(() => draft.remove(rowOf().at)), "danger")) },
      ],
    });
    return table;
  }

  #cornerButton(rowOf) {
    return button("", () => {
      this.draft.chosen = rowOf().at;
      this.show();
      this.#wants.chose();
    }, "as-link");
  }

  #change(body) {
    body();
    this.show();
    this.#wants.changed();
  }

  /** Shows the draft as it is now; to be called after each change on the map. */
  show() {
    const { draft } = this;
    const { corners } = draft;
    this.#undo.disabled = !draft.canUndo;
    if (draft.isCircle && document.activeElement !== this.#fields.radiusM) this.#fields.radiusM.value = Math.round(draft.radiusM);
    this.#corners.show(
      corners.map((place, at) => {
        const next = corners[(at + 1) % corners.length];
        return { at, place, sideM: corners.length > 1 ? Math.round(metresBetween(place, next)) : null };
      }),
    );
    for (const [at] of corners.entries()) this.#corners.elementOf(at)?.classList.toggle("is-chosen", at === draft.chosen);
    this.#ask();
  }

  /** Asks the server what would change, once the operator rests. */
  #ask() {
    const offer = JSON.stringify(this.draft.offer);
    if (this.#preview.dataset.offer === offer) return;
    this.#preview.dataset.offer = offer;
    clearTimeout(this.#timer);
    this.#number += 1;
    this.#take(null);
    if (!this.draft.isWhole) return this.#say("soft", say(this.draft.isCircle ? "draft.needsCentre" : "draft.needsCorners"));
    this.#say("soft", say("draft.asking"));
    this.#timer = setTimeout(() => this.#query(this.#number), restMs);
  }

  async #query(asked) {
    const query = this.draft.kind === "land" ? "previewLands" : "previewFences";
    try {
      const { preview } = await this.#app.feed.query(query, this.draft.offer);
      if (asked === this.#number) this.#take(preview[0]);
    } catch (error) {
      if (asked !== this.#number) return;
      this.#say("bad", faultText(error));
      this.#timer = setTimeout(() => this.#query(this.#number), 10 * restMs);
    }
  }

  #take(row) {
    this.#row = row;
    this.#save.disabled = !row || row.change === "refused" || row.change === "unchanged";
    if (!row) return;
    if (row.change === "refused") return this.#say("bad", plain(refusalText(row.error)));
    const lines = [tag(say(`change.is.${row.change}`), row.change === "unchanged" ? "" : "good"), ...this.#changes().map((line) => make("span", "", line))];
    if (row.playersInside !== undefined) lines.push(make("span", "", say("draft.inside", { n: number(row.playersInside) })));
    if (row.lengthM !== undefined) lines.push(make("span", "", say("draft.length", { n: number(row.lengthM) })));
    this.#preview.dataset.kind = "good";
    this.#preview.replaceChildren(...lines.map((line) => make("p", "", line)));
  }

  /** The differences from the fence of before, in words. */
  #changes() {
    const { draft } = this;
    const { before } = draft;
    if (!before) return [];
    const pairs = [
      ["fenceName", plain(before.name), plain(draft.name)],
      ["topic", plain(before.topic ?? ""), plain(draft.topic)],
      ["draft.dwell", before.dwellS ?? "", draft.dwellS],
    ];
    const told = pairs.filter(([, from, to]) => `${from}` !== `${to}`).map(([key, from, to]) => `${say(key)}: ${from === "" ? "–" : from} → ${to === "" ? "–" : to}`);
    const isSame = JSON.stringify(shapeOf(draft.offer.fences[0])) === JSON.stringify(shapeOf(new Draft(draft.kind, before).offer.fences[0]));
    return isSame ? told : [...told, say("change.shape")];
  }

  #say(kind, text) {
    this.#preview.dataset.kind = kind;
    this.#preview.replaceChildren(make("p", "", text));
  }

  async #confirm() {
    const lines = [...this.#preview.querySelectorAll("p")].map((line) => line.textContent);
    if (await this.#app.actions.saveDraft(this.draft, lines)) this.#wants.done();
  }
}

/** The parts of an offered fence that are its shape. */
function shapeOf({ latE7, lngE7, radiusMm, ringLatE7, ringLngE7 }) {
  return { latE7, lngE7, radiusMm, ringLatE7, ringLngE7 };
}
