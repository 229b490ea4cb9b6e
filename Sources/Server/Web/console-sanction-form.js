// Bans or mutes somebody by their identifier alone: who is known from the audit log or from a report need not be connected.
import { make } from "./dom.js";
import { say } from "./language.js";
import { isIdentifier } from "./console-format.js";
import { button } from "./console-parts.js";

/** `player` is whom the form begins with; an identifier or nothing. */
export function sanctionForm(actions, player) {
  const field = make("input");
  field.name = "player";
  field.placeholder = say("identifierHint");
  field.maxLength = 40;
  field.autocomplete = "off";
  field.spellcheck = false;
  field.value = isIdentifier(player) ? player : "";
  const named = () => ({ player: field.value.trim().toLowerCase() });
  const mute = button(say("muteThem"), () => actions.mute(named()));
  const ban = button(say("banThem"), () => actions.ban(named()), "danger");
  const showWhatMayBe = () => (mute.disabled = ban.disabled = !isIdentifier(named().player));
  field.addEventListener("input", showWhatMayBe);
  showWhatMayBe();
  const form = make("form", "card sanction-form", make("label", "", say("identifier"), field), mute, ban);
  form.addEventListener("submit", (event) => event.preventDefault());
  return form;
}
