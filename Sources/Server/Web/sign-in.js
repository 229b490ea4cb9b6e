// Operators come in: by name and password, or by a one-time link that sets the password. The link's secret stands behind
// the # of the address, which no browser sends; it goes to the server in the body of a request alone.
import { find, make } from "./dom.js";
import { beginWords, say } from "./language.js";
import { words } from "./sign-in-words.js";

const door = find("#door");
const secret = location.pathname === "/join" ? location.hash.slice(1) : "";
/** What the server has said of the link; null while it is unknown. */
let link = null;
/** What was typed, kept over a change of the language. */
const typed = {};

/** Sends a form; throws an error with the server's word for what is wrong. */
async function send(path, form) {
  let answer;
  try {
    answer = await fetch(path, { method: "PUT", body: JSON.stringify(form), headers: { "Content-Type": "application/json" } });
  } catch {
    throw new Error("line");
  }
  const body = await answer.json().catch(() => ({}));
  if (answer.ok) return body;
  throw Object.assign(new Error(body.fault ?? "line"), { seconds: Number(answer.headers.get("Retry-After") ?? 1) });
}

function field(name, type, label, settings = {}, hint = null) {
  const input = Object.assign(make("input"), { name, type, ...settings });
  input.value = typed[name] ?? "";
  input.addEventListener("input", () => (typed[name] = input.value));
  return make("label", "field", make("span", "", say(label)), input, hint && make("small", "", say(hint)));
}

/** A form in a card; `run(values)` does it, and its faults are shown. */
function form(title, parts, go, run) {
  const fault = make("p", "fault");
  fault.setAttribute("role", "alert");
  fault.hidden = true;
  const press = make("button", "primary", say(go));
  press.type = "submit";
  const element = make("form", "card door-card", make("h1", "", title), ...parts, fault, press);
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (press.disabled) return;
    press.disabled = true;
    fault.hidden = true;
    try {
      await run(Object.fromEntries(new FormData(element)));
      // The secret of a link stays in no history. Without one the console opens at the view that was asked for.
      if (location.pathname === "/") location.reload();
      else location.replace("/");
    } catch (error) {
      fault.textContent = say(`fault.${error.message}`, { n: error.seconds });
      fault.hidden = false;
      press.disabled = false;
    }
  });
  return element;
}

function signInForm() {
  const parts = [
    field("name", "text", "name", { required: true, autocomplete: "username", autocapitalize: "none", spellcheck: false, maxLength: 32 }),
    field("password", "password", "password", { required: true, autocomplete: "current-password" }),
    field("code", "text", "code", { inputMode: "numeric", autocomplete: "one-time-code", maxLength: 9 }, "codeHint"),
    make("p", "hint", say("tokenHint")),
  ];
  return form(say("title"), parts, "go", ({ name, password, code }) =>
    send("/console/sign-in", { name, password: password.normalize("NFC"), ...(code && { code }) }),
  );
}

function linkForm() {
  const codes = codesPart();
  const parts = [
    make("p", "strong", say("linkWho", { name: link.operator, role: say(`role.${link.role}`) })),
    // Password managers keep the name with the password.
    Object.assign(make("input"), { name: "name", value: link.operator, autocomplete: "username", hidden: true }),
    field("password", "password", "newPassword", { required: true, autocomplete: "new-password", minLength: 12, maxLength: 128 }, "passwordHint"),
    field("again", "password", "again", { required: true, autocomplete: "new-password" }),
    codes,
  ];
  return form(say("linkTitle"), parts, "set", ({ password, again, code }) => {
    if (password !== again) throw new Error("again");
    return send("/console/password", { link: secret, password: password.normalize("NFC"), ...(typed.useCodes && { code }) });
  });
}

/** The choice of one-time codes, with the secret for an app. */
function codesPart() {
  const choice = Object.assign(make("input"), { type: "checkbox", name: "useCodes", checked: typed.useCodes ?? false });
  const picture = make("img", "codes-picture");
  // A picture of its own: nothing of it becomes markup of this page.
  picture.src = `data:image/svg+xml,${encodeURIComponent(link.codePicture)}`;
  picture.alt = say("codesPicture");
  const letters = make("code", "codes-secret", link.codeSecret.replace(/(.{4})(?=.)/g, "$1 "));
  const code = field("code", "text", "codeNow", { inputMode: "numeric", autocomplete: "one-time-code", maxLength: 9 });
  const codes = make("div", "codes", make("p", "hint", say("codesHint")), picture, letters, code);
  const show = () => {
    typed.useCodes = choice.checked;
    codes.hidden = !choice.checked;
    find("input", code).required = choice.checked;
  };
  choice.addEventListener("change", show);
  show();
  return make("div", "", make("label", "choice", choice, say("useCodes")), codes);
}

function notice(title, text, isFault) {
  const way = make("a", "", say("toSignIn"));
  way.href = "/";
  return make("section", "card door-card", make("h1", "", title), make("p", isFault ? "fault" : "hint", text), isFault ? way : null);
}

function show() {
  document.title = `${say(secret ? "linkTitle" : "title")} · Madang`;
  if (!secret) door.replaceChildren(signInForm());
  else if (link === null) door.replaceChildren(notice(say("linkTitle"), say("looking"), false));
  else if (link.fault) door.replaceChildren(notice(say("linkTitle"), say(`fault.${link.fault}`, { n: link.seconds }), true));
  else door.replaceChildren(linkForm());
  find("input:not([hidden])", door)?.focus();
}

beginWords(words, show);
show();
if (secret) {
  try {
    link = await send("/console/link", { link: secret });
  } catch (error) {
    link = { fault: error.message, seconds: error.seconds };
  }
  show();
}
