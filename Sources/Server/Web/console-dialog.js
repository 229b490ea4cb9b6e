// A dialog that states an action's consequences, asks for its fields, and runs it after the operator's confirmation.
// Every action on the server goes through this dialog, so no single press has an effect.
import { make } from "./dom.js";
import { say } from "./language.js";
import { button } from "./console-parts.js";
import { faultText } from "./console-told.js";

/**
 * Asks, and resolves with the result of `run`, or with null if the operator cancels.
 *
 * `who` names the action's target, `details` are lines below the text. `preview(values)` has the lines of what will
 * change, which are shown while the operator types; without a line there is nothing to confirm. With `isPossible`
 * false it can only be cancelled. `fields` have `name`, `label`, `kind` (`text`, `number`, `select` with `options` of
 * value and text), and attributes of the input element. With `typed` the operator must type that word first.
 * `run(values)` does the action, and the dialog stays open meanwhile. An error is shown, and the operator may retry.
 * After an `isUncertain` error the action may have been done, so there is no retry.
 */
export function ask({ title, who = null, text, details = [], preview = null, isPossible = true, fields = [], confirm, isDangerous = false, typed = null, run }) {
  const heading = make("h2", "", title);
  const inputs = fields.map((field) => ({ field, input: inputOf(field) }));
  const typedInput = typed && inputOf({ kind: "text", autocomplete: "off", name: "typed" });
  const fault = make("p", "fault");
  fault.setAttribute("role", "alert");
  fault.hidden = true;
  const go = make("button", isDangerous ? "primary danger" : "primary", confirm);
  go.type = "submit";
  const changes = preview && make("ul", "ask-changes");
  changes?.setAttribute("aria-live", "polite");
  const dialog = make("dialog", "ask");
  const cancel = button(say("cancel"), () => dialog.close());
  const form = make(
    "form",
    "",
    heading,
    who && make("p", "ask-who", who),
    make("p", "ask-text", text),
    details.length > 0 ? make("ul", "ask-details", ...details.map((line) => make("li", "", line))) : null,
    ...inputs.map(({ field, input }) => labelled(field.label, input, field.hint)),
    typedInput && labelled(say("typeToConfirm", { word: typed }), typedInput),
    changes,
    fault,
    make("div", "ask-buttons", cancel, go),
  );
  dialog.append(form);
  heading.id = "ask-title";
  dialog.setAttribute("aria-labelledby", "ask-title");
  let isUnderWay = false;
  let isSpent = !isPossible;
  const answers = () => Object.fromEntries(inputs.map(({ field, input }) => [field.name, input.value.trim()]));
  const showWhatMayBe = () => {
    const lines = preview?.(answers());
    changes?.replaceChildren(...lines.map((line) => make("li", "", line)));
    go.disabled = isUnderWay || isSpent || lines?.length === 0 || (typed !== null && typedInput.value.trim() !== typed);
    cancel.disabled = isUnderWay;
    dialog.setAttribute("aria-busy", isUnderWay);
  };
  form.addEventListener("input", showWhatMayBe);
  showWhatMayBe();
  return new Promise((resolve) => {
    let outcome = null;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      showWhatMayBe();
      if (go.disabled) return;
      const values = answers();
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
        fault.textContent = faultText(error);
        fault.hidden = false;
        if (isSpent) cancel.textContent = say("close");
        showWhatMayBe();
      }
    });
    dialog.addEventListener("cancel", (event) => isUnderWay && event.preventDefault());
    dialog.addEventListener("close", () => {
      // Browsers close a dialog at a second Esc in any case. It is opened again, so the action's result is shown.
      if (isUnderWay) return dialog.showModal();
      dialog.remove();
      resolve(outcome);
    });
    document.body.append(dialog);
    dialog.showModal();
    // A dangerous action has the focus on Cancel, so that one key too many does not confirm it.
    const first = inputs[0]?.input;
    const isAsking = first && !(isDangerous && first.type === "text" && !first.required);
    (isAsking ? first : (typedInput ?? (isDangerous || !isPossible ? cancel : go))).focus();
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
