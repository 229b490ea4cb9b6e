// Keys of the whole console: to a view, to its filter, to its rows, one step back, and the list of all keys. A letter is
// taken by its place on the keyboard where the layout has none of the Latin ones, as a Korean one has not.
import { find, make } from "./dom.js";
import { say } from "./language.js";
import { button } from "./console-parts.js";

/** The second key of each view, behind `g`. */
export const letters = {
  overview: "o",
  rooms: "r",
  schools: "s",
  suspects: "u",
  connections: "c",
  sanctions: "b",
  proposals: "l",
  places: "p",
  reports: "f",
  audit: "a",
  operators: "t",
  webhooks: "h",
  playerSearch: "n",
  wall: "w",
};
/** The time for the second key. */
const secondKeyMs = 2_000;
const typing = "input:not([type=range]), textarea, select";
/** The element to which arrows lead from the view itself. */
const firstRow = "#view tbody tr[tabindex='0'], #view [data-rows] > [tabindex='0'], #view .wall-tile a";

export class Keys {
  #sidebar;
  #begunAt = -Infinity;

  /** `sidebar` are the views in the order of their digits. */
  constructor(sidebar) {
    this.#sidebar = sidebar;
    addEventListener("keydown", (event) => this.#take(event));
  }

  #take(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    // Keys of a dialog and of a menu are their own, also where nothing of them has the focus.
    if (find("dialog[open], [role=menu]:popover-open")) return;
    if (event.key === "Escape") return this.#back(event);
    if (event.target.closest?.(typing)) return;
    const isSecond = event.timeStamp - this.#begunAt < secondKeyMs;
    this.#begunAt = -Infinity;
    const letter = letterOf(event);
    if (isSecond && letter) {
      const name = Object.keys(letters).find((each) => letters[each] === letter);
      if (name) this.#go(event, name);
    } else if (letter === "g") this.#begunAt = event.timeStamp;
    else if (event.key === "?") this.#help(event);
    else if (event.key === "/") focusOn(event, find("#view .filter") ?? find("#view input[type=search]"));
    else if (letter === "v") focusOn(event, find("#nav [aria-current]") ?? find("#nav a"));
    else if (letter === "t") focusOn(event, topTool());
    else if (/^\d$/.test(event.key)) this.#go(event, this.#sidebar[event.key === "0" ? 9 : Number(event.key) - 1]);
    else if (event.key === "ArrowDown" && isNowhere(event.target)) focusOn(event, find(firstRow));
  }

  #go(event, name) {
    event.preventDefault();
    if (location.hash.split("?")[0] === `#/${name}`) return find("#view").focus();
    location.hash = `#/${name}`;
    addEventListener("hashchange", () => find("#view").focus(), { once: true });
  }

  /** From a field to its rows, from a room to the rooms, from anywhere else to the view. */
  #back(event) {
    if (event.target.closest?.("input:not([type=range]), textarea, select")) return focusOn(event, find(firstRow) ?? find("#view"));
    const back = find("#view a.back");
    if (back && isNowhere(event.target)) return back.click();
    focusOn(event, find("#view"));
  }

  #help(event) {
    event.preventDefault();
    showKeys();
  }
}

/** Shows the list of all keys in a dialog. */
export function showKeys() {
  const row = (keys, text) => make("div", "", make("dt", "", ...keys.map((key) => make("kbd", "", key))), make("dd", "", text));
  const part = (title, ...rows) => make("section", "", make("h3", "", say(title)), make("dl", "", ...rows));
  const dialog = make("dialog", "ask keys");
  const heading = make("h2", "", say("keys.title"));
  heading.id = "keys-title";
  dialog.setAttribute("aria-labelledby", "keys-title");
  const close = button(say("close"), () => dialog.close());
  dialog.append(
    heading,
    make(
      "div",
      "keys-parts",
      part("keys.views", ...Object.entries(letters).map(([name, letter]) => row(["g", letter], say(name)))),
      make(
        "div",
        "",
        part(
          "keys.anywhere",
          row(["?"], say("keys.help")),
          row(["/"], say("keys.filter")),
          row(["v"], say("keys.nav")),
          row(["t"], say("keys.top")),
          row(["Esc"], say("keys.back")),
        ),
        part(
          "keys.inLists",
          row(["↑", "↓"], say("keys.rows")),
          row(["Home", "End"], say("keys.ends")),
          row(["Enter"], say("keys.open")),
          row(["→", "←"], say("keys.parts")),
        ),
        part(
          "keys.onMaps",
          row(["←", "↑", "→", "↓"], say("keys.move")),
          row(["+", "−"], say("keys.zoom")),
          row(["Home"], say("keys.home")),
          row(["Enter"], say("keys.add")),
          row([",", "."], say("keys.choose")),
          row(["Delete"], say("keys.delete")),
        ),
      ),
    ),
    make("div", "ask-buttons", close),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  close.focus();
}

function focusOn(event, element) {
  if (!element) return;
  event.preventDefault();
  element.focus();
}

/** The first of the bar's acts that is shown; on a phone its menu. */
function topTool() {
  return [...document.querySelectorAll(".top-tools button")].find((each) => each.checkVisibility() && !each.disabled) ?? null;
}

function isNowhere(element) {
  return element === document.body || element === find("#view");
}

/** The Latin letter of a key; null for another key. */
function letterOf({ key, code, shiftKey }) {
  if (shiftKey) return null;
  if (/^[a-z]$/.test(key)) return key;
  const isLatin = /^[\x20-\x7e]$/.test(key);
  return !isLatin && key.length === 1 && code.startsWith("Key") ? code.slice(3).toLowerCase() : null;
}
