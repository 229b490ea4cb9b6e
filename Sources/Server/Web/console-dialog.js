// A dialog that says what will happen, asks for what that needs, and does it when the operator says so. Whatever is done on the
// server goes through here: nothing happens by one press.
import { make } from "./dom.js";
import { say } from "./language.js";
import { button } from "./console-parts.js";

/**
 * Asks, and resolves with what `run` came to, or null when it was not wanted.
 *
 * `fields` have `name`, `label`, `kind` (`text`, `textarea`, `number`, `select` with `options` of value and text), and what
 * an input element of their kind takes. With `typed` that word must be typed first. `run(values)` does it; what it throws is
 * shown, and the dialog stays.
 */
export function ask({ title, text, fields = [], confirm, isDangerous = false, typed = null, run }) {
  const heading = make("h2", "", title);
  const inputs = fields.map((field) => ({ field, input: inputOf(field) }));
  const typedInput = typed && inputOf({ kind: "text", autocomplete: "off", name: "typed" });
  const fault = make("p", "fault");
  fault.setAttribute("role", "alert");
  fault.hidden = true;
  const go = make("button", isDangerous ? "primary danger" : "primary", confirm);
  go.type = "submit";
  const dialog = make("dialog", "ask");
  const cancel = button(say("cancel"), () => dialog.close());
  const form = make(
    "form",
    "",
    heading,
    make("p", "ask-text", text),
    ...inputs.map(({ field, input }) => labelled(field.label, input, field.hint)),
    typedInput && labelled(say("typeToConfirm", { word: typed }), typedInput),
    fault,
    make("div", "ask-buttons", cancel, go),
  );
  dialog.append(form);
  heading.id = "ask-title";
  dialog.setAttribute("aria-labelledby", "ask-title");
  if (typedInput) {
    go.disabled = true;
    typedInput.addEventListener("input", () => (go.disabled = typedInput.value.trim() !== typed));
  }
  return new Promise((resolve) => {
    let outcome = null;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (typed && typedInput.value.trim() !== typed) return;
      go.disabled = true;
      fault.hidden = true;
      try {
        outcome = await run(Object.fromEntries(inputs.map(({ field, input }) => [field.name, input.value.trim()])));
        dialog.close();
      } catch (error) {
        fault.textContent = error.message;
        fault.hidden = false;
        go.disabled = false;
      }
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(outcome);
    });
    document.body.append(dialog);
    dialog.showModal();
    // What can't be undone is not done by one press of a key too many.
    (inputs[0]?.input ?? typedInput ?? (isDangerous ? cancel : go)).focus();
  });
}

function inputOf({ kind, name, label: _, hint: __, options, ...settings }) {
  const isText = kind === "text" || kind === "number";
  const input = make(isText ? "input" : kind);
  if (isText) input.type = kind;
  if (options) input.append(...options.map(([value, text]) => Object.assign(make("option", "", text), { value })));
  return Object.assign(input, { name, ...settings });
}

function labelled(text, input, hint) {
  return make("label", "field", make("span", "", text), input, hint && make("small", "", hint));
}
