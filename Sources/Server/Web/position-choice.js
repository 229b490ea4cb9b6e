// The choice of this device's positions: its receiver or a practice walk. The player chooses when joining and in the
// lobby; the choice holds for later games too. A practice walk begins where the last one ended.
import { keep, kept } from "./device.js";
import { find, streets } from "./dom.js";
import { hasReceiver } from "./positions.js";

/** The start of practice without any other place: the middle of the map, or the lawn before Seoul's city hall. */
export const practiceStart = streets ?? { latE7: 375655000, lngE7: 1269780000 };

export function rememberPlace({ latE7, lngE7 }) {
  keep("place", JSON.stringify({ latE7: Math.round(latE7), lngE7: Math.round(lngE7) }));
}

/** The place that was remembered last; null without one. */
export function rememberedPlace() {
  try {
    return JSON.parse(kept("place"));
  } catch {
    return null;
  }
}

/** `receiver` or `practice`. The default is the receiver on a phone, and practice on a desk, which does not move. */
export function chosenPositions() {
  if (!hasReceiver) return "practice";
  return kept("positions") ?? (matchMedia("(pointer: coarse)").matches ? "receiver" : "practice");
}

export function choosePositions(value) {
  keep("positions", value);
}

/** The page's template of the choice, put into `element`. */
export class PositionChoice {
  #inputs;

  constructor(element) {
    element.append(find("#position-choice").content.cloneNode(true));
    this.#inputs = [...element.querySelectorAll("input")];
    for (const input of this.#inputs) input.addEventListener("change", () => choosePositions(input.value));
    this.#inputs.find(({ value }) => value === "receiver").disabled = !hasReceiver;
    if (!hasReceiver) {
      element.querySelector(".receiver-hint").dataset.say = "needsHttps";
      import("./insecure.js").then(({ explain }) => explain(element), () => undefined);
    }
    this.show();
  }

  show() {
    for (const input of this.#inputs) input.checked = input.value === chosenPositions();
  }
}
