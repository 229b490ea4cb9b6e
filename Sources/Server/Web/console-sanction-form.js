// Bans or mutes a player by their identifier alone, for example one from the audit log or a report, connected or not.
import { make } from "./dom.js";
import { say } from "./language.js";
import { isIdentifier } from "./console-format.js";
import { button } from "./console-parts.js";
import { forAct } from "./console-rights.js";

/** `player` is the identifier in the form at first, or nothing. */
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
  return forAct("ban", form);
}
