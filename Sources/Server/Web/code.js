// The code of a room as people type it, and the forms that ask for one.
import { find } from "./dom.js";
import { showSaid } from "./language.js";

/** The ten symbols of a code however it was typed, as PROTOCOL.md says; empty when it can't be one. */
function symbolsOf(text) {
  const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  const symbols = text.toUpperCase().replace(/[-\s]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  const values = [...symbols].map((symbol) => alphabet.indexOf(symbol));
  if (values.length !== 10 || values.includes(-1)) return "";
  const double = (value) => (value & 16 ? (value << 1) ^ 37 : value << 1);
  const check = values.slice(0, 9).reduce((sum, value) => double(sum ^ value), 0);
  return check === values[9] ? symbols : "";
}

/** Makes the page's form lead to the room of its code. `fault` says that what was typed is none. */
export function beginCodeForm(fault) {
  find("#code-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const symbols = symbolsOf(find("#code").value);
    if (symbols) return location.assign(`/j/${symbols}`);
    showSaid(find("#code-fault"), fault());
    find("#code-fault").hidden = false;
  });
}
