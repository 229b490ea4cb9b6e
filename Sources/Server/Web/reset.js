// A player sets a new password by an operator's one-time link. The link's secret stands behind the # of the address, which
// no browser sends; it goes to the server in the body of a request alone.
import { beginWords, say } from "./language.js";
import { resetWords } from "./reset-words.js";

const find = (selector) => document.querySelector(selector);
const secret = location.hash.slice(1);

function fault(word) {
  find("#fault").textContent = say(`fault.${word}`, {}, say("fault.line"));
  find("#fault").hidden = false;
  find("#set").disabled = false;
}

find("#reset").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (find("#set").disabled) return;
  const password = find("#password").value;
  if (password !== find("#again").value) return fault("again");
  find("#set").disabled = true;
  find("#fault").hidden = true;
  try {
    const answer = await fetch("/v1/password-reset/", { method: "PUT", body: `${secret}\n${password}` });
    if (!answer.ok) return fault((await answer.text()).trim());
  } catch {
    return fault("line");
  }
  // The secret stays in no history.
  history.replaceState(null, "", "/reset");
  find("#reset").hidden = true;
  find("#done").hidden = false;
});
beginWords(resetWords, () => {});
