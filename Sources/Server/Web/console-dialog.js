// A dialog that says what will happen, asks for what that needs, and does it when the operator says so. Whatever is done on the
// server goes through here: nothing happens by one press.
import { make } from "./dom.js";
import { say } from "./language.js";
import { button } from "./console-parts.js";

/**
 * Asks, and resolves with what `run` came to, or null when it was not wanted.
 *
 * `who` names whom it is done to. `fields` have `name`, `label`, `kind` (`text`, `number`, `select` with `options` of value and text), and what
 * an input element of their kind takes. With `typed` that word must be typed first. `run(values)` does it, and the dialog stays
 * as long as that takes. What it throws is shown: it may be tried again, unless that `isUncertain`, when it may have been done.
 */
export function ask({ title, who = null, text, fields = [], confirm, isDangerous = false, typed = null, run }) {
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
    who && make("p", "ask-who", who),
    make("p", "ask-text", text),
    ...inputs.map(({ field, input }) => labelled(field.label, input, field.hint)),
    typedInput && labelled(say("typeToConfirm", { word: typed }), typedInput),
    fault,
    make("div", "ask-buttons", cancel, go),
  );
  dialog.append(form);
  heading.id = "ask-title";
  dialog.setAttribute("aria-labelledby", "ask-title");
  let isUnderWay = false;
  let isSpent = false;
  const showWhatMayBe = () => {
    go.disabled = isUnderWay || isSpent || (typed !== null && typedInput.value.trim() !== typed);
    cancel.disabled = isUnderWay;
    dialog.setAttribute("aria-busy", isUnderWay);
  };
  typedInput?.addEventListener("input", showWhatMayBe);
  showWhatMayBe();
  return new Promise((resolve) => {
    let outcome = null;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      showWhatMayBe();
      if (go.disabled) return;
      const values = Object.fromEntries(inputs.map(({ field, input }) => [field.name, input.value.trim()]));
      isUnderWay = true;
      fault.hidden = true;
      showWhatMayBe();
      try {
        outcome = await run(values);
        isUnderWay = false;
        dialog.close();
      } catch (error) {
        isUnderWay = false;
        isSpent = error.isUncertain ?? false;
        fault.textContent = error.message;
        fault.hidden = false;
        if (isSpent) cancel.textContent = say("close");
        showWhatMayBe();
      }
    });
    dialog.addEventListener("cancel", (event) => isUnderWay && event.preventDefault());
    dialog.addEventListener("close", () => {
      // Browsers let nobody be held back who asks twice; what becomes of the act is said all the same.
      if (isUnderWay) return dialog.showModal();
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
