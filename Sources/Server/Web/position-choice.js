// How this device says where it is: by its receiver or by a practice walk. Chosen where one comes in and in the lobby, for a
// game and those after it.
import { keep, kept } from "./device.js";
import { find } from "./dom.js";
import { hasReceiver } from "./positions.js";

/** `receiver` or `practice`. Until somebody chooses a phone goes by its receiver; a desk does not move. */
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
    if (!hasReceiver) element.querySelector(".receiver-hint").dataset.say = "needsHttps";
    this.show();
  }

  show() {
    for (const input of this.#inputs) input.checked = input.value === chosenPositions();
  }
}
