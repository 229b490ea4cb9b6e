// Small parts that several views of the console share: buttons, tags, cards, menus.
import { make } from "./dom.js";
import { say } from "./language.js";

const paths = {
  overview: "M4 13h6V4H4zM14 9h6V4h-6zM14 20h6v-8h-6zM4 20h6v-4H4z",
  rooms: "M4 5h16v14H4zM4 10h16M10 10v9",
  schools: "M6 20V10M12 20V4M18 20v-7",
  suspects: "M12 3l9 17H3zM12 10v4M12 17h.01",
  connections: "M5 8a10 10 0 0 1 14 0M8 12a6 6 0 0 1 8 0M12 17h.01",
  sanctions: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M6 6l12 12",
  proposals: "M4 8l7-4 9 5-3 9-10 2z",
  places: "M12 21c4-4.2 6-7.6 6-10.5a6 6 0 0 0-12 0C6 13.4 8 16.8 12 21zM12 12.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4",
  reports: "M5 21V4h12l-2 4 2 4H5",
  audit: "M6 3h9l4 4v14H6zM9 11h7M9 15h7M9 7h3",
  playerSearch: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.5 15.5L21 21",
  operators: "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8M2 21c0-4 3-7 7-7s7 3 7 7M16 3.5a4 4 0 0 1 0 7M18 14c2.5.8 4 3.500 4 7",
  webhooks: "M5 12h9M10 7l5 5-5 5M19 5v14",
  wall: "M3 4h12v10H3zM18 4h3v4h-3zM18 11h3v3h-3zM3 17h5v3H3zM11 17h4v3h-4zM18 17h3v3h-3z",
  more: "M12 6h.01M12 12h.01M12 18h.01",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  everyone: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  ground: "M4 4h16v16H4zM4 12h16M12 4v16",
  previous: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  back: "M20 12H5M11 6l-6 6 6 6",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}

export function button(text, act, className = "") {
  const element = make("button", className, text);
  element.type = "button";
  element.addEventListener("click", act);
  return element;
}

/** A button with a picture; `label` is its accessible name and its tooltip. */
export function iconButton(name, label, act, className = "") {
  const element = button(icon(name), act, `icon ${className}`);
  element.setAttribute("aria-label", label);
  element.title = label;
  return element;
}

export function link(text, address, className = "") {
  const element = make("a", className, text);
  element.href = address;
  return element;
}

export function tag(text, kind = "") {
  return make("span", `tag ${kind}`, text);
}

/** A part of a view with its heading; `extras` stand beside that. */
export function card(title, className, ...children) {
  const heading = make("h2", "", title);
  return make("section", `card ${className}`, make("header", "card-head", heading), ...children);
}

/** A choice among `options` of value and text. */
export function select(label, options, value, changed) {
  const element = make("select");
  element.setAttribute("aria-label", label);
  element.append(...options.map(([each, text]) => Object.assign(make("option", "", text), { value: each })));
  element.value = value;
  element.addEventListener("change", () => changed(element.value));
  return element;
}

/** A field that filters the view, a moment after the last key. */
export function filterField(label, value, changed) {
  const field = make("input", "filter");
  field.type = "search";
  // Filters are shorter than this, and a message to the feed has a bound.
  field.maxLength = 100;
  field.placeholder = label;
  field.setAttribute("aria-label", label);
  field.value = value;
  let timer = null;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    // A field of a view that was left filters nothing.
    timer = setTimeout(() => field.isConnected && changed(field.value.trim()), 250);
  });
  return field;
}

/** Sets a text only if it differs, so that a selection stays. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Moves and zooms a map by a key; Home calls `home`. */
export function takeMapKey(event, map, home) {
  const ways = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  if (ways[event.key]) map.pan(...ways[event.key]);
  else if (event.key === "+" || event.key === "=") map.zoom(1.5);
  else if (event.key === "-") map.zoom(1 / 1.5);
  else if (event.key === "Home") home();
  else return;
  event.preventDefault();
}

/** A card whose content comes from the store. While the store can't be read, the card shows that instead. */
export class StoredCard {
  element;
  #content;
  #fault = make("p", "fault");

  constructor(content) {
    this.#content = content;
    this.#fault.setAttribute("role", "alert");
    this.#fault.hidden = true;
    this.element = make("section", "card", this.#fault, content);
  }

  /** Takes the body of the view's message; true if it has rows to show. */
  take({ error }) {
    const isRead = error === undefined;
    this.#content.hidden = !isRead;
    this.#fault.hidden = isRead;
    setText(this.#fault, isRead ? "" : say("storeFault", { why: error }));
    return isRead;
  }
}

/** Opens a menu at a button: `items` of `text`, `act` and `isDangerous`. Esc, or a press elsewhere, closes it. */
export function openMenu(anchor, items) {
  const menu = make("div", "menu");
  menu.setAttribute("role", "menu");
  menu.popover = "auto";
  for (const { text, act, isDangerous } of items) {
    const item = button(text, () => {
      menu.hidePopover();
      act();
    }, isDangerous ? "danger" : "");
    item.setAttribute("role", "menuitem");
    menu.append(item);
  }
  menu.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const entries = [...menu.children];
    entries.at((entries.indexOf(document.activeElement) + step) % entries.length).focus();
  });
  menu.addEventListener("toggle", (event) => event.newState === "closed" && menu.remove());
  document.body.append(menu);
  menu.showPopover();
  const at = anchor.getBoundingClientRect();
  const left = Math.max(8, Math.min(at.right - menu.offsetWidth, innerWidth - menu.offsetWidth - 8));
  const isBelow = at.bottom + menu.offsetHeight + 8 < innerHeight;
  menu.style.left = `${left}px`;
  menu.style.top = `${isBelow ? at.bottom + 4 : at.top - menu.offsetHeight - 4}px`;
  menu.firstChild.focus();
}
