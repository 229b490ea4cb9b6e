// The language of a page, Korean or English, and its words. Elements with `data-say` are filled by their key;
// `data-say-label` names an accessible label, and `data-say-hint` a placeholder. Each page brings its own words.
import { keep, kept } from "./device.js";

let language = kept("language") ?? (navigator.language.startsWith("ko") ? "ko" : "en");
let words = {};
/** The text said last, with its key and values. */
let last = {};
let numbers = new Intl.NumberFormat(language);

export function isKorean() {
  return language === "ko";
}

/** The locale of dates and numbers. */
export function locale() {
  return language;
}

/** The words of a key, with each `{name}` filled in, also by a function. For an `n` of 1 English may have its own words. */
export function say(key, values = {}, otherwise = key) {
  if (!words[key]) return otherwise;
  const [korean, many, one = many] = words[key];
  const chosen = isKorean() ? korean : `${values.n}` === "1" ? one : many;
  const text = chosen.replace(/\{(\w+)\}/g, (_, name) => values[name]?.call?.() ?? values[name] ?? "");
  last = { text, key, values };
  return text;
}

/** Shows a text in an element. One that was said last follows the language. */
export function showSaid(element, text) {
  element.textContent = text;
  if (text === last.text) [element.dataset.say, element.sayValues] = [last.key, last.values];
  else delete element.dataset.say;
}

export function number(value) {
  return numbers.format(Number(value));
}

/** Adds the words of a part that is loaded later. */
export function addWords(table) {
  Object.assign(words, table);
}

/** Fills all elements that have a key. */
export function sayAll(root = document) {
  document.documentElement.lang = language;
  for (const element of root.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say, element.sayValues);
  for (const element of root.querySelectorAll("[data-say-label]")) {
    element.setAttribute("aria-label", say(element.dataset.sayLabel));
  }
  for (const element of root.querySelectorAll("[data-say-hint]")) element.placeholder = say(element.dataset.sayHint);
}

/**
 * Fills the page with `table`, Korean and English by key. The page's button changes the language; `changed` then draws
 * the parts without a key.
 */
export function beginWords(table, changed) {
  words = table;
  const button = document.querySelector("#language");
  const show = () => {
    sayAll();
    button.textContent = isKorean() ? "English" : "한국어";
    button.lang = isKorean() ? "en" : "ko";
  };
  button.addEventListener("click", () => {
    language = isKorean() ? "en" : "ko";
    numbers = new Intl.NumberFormat(language);
    keep("language", language);
    show();
    changed();
  });
  show();
}
