// A secret that the server shows this once, in a card with a button that copies it. It stands there until the view is left.
import { make } from "./dom.js";
import { say } from "./language.js";
import { button } from "./console-parts.js";

export function showOnce(place, hint, text) {
  const secret = make("input", "secret");
  secret.readOnly = true;
  secret.value = text;
  secret.setAttribute("aria-label", say("shownOnce"));
  secret.addEventListener("focus", () => secret.select());
  const copy = button(say("copy"), async () => {
    secret.select();
    await navigator.clipboard?.writeText(text);
    copy.textContent = say("copied");
  });
  place.replaceChildren(
    make("section", "card shown-once", make("p", "strong", hint), make("div", "shown-line", secret, copy), make("p", "hint", say("shownOnce"))),
  );
  secret.focus();
}
