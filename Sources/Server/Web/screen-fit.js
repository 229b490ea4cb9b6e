// Lists on the big screen, which nobody scrolls: as many rows as there is room for, and the number of the others.
import { make } from "./dom.js";
import { say } from "./language.js";

/** Shows the first of `rows` that fit into the list, of `total` in all. A list has a height that does not grow with them. */
export function showFitting(list, rows, total) {
  const shown = [...rows];
  const rest = make("li", "rest");
  const show = () => {
    const others = total - shown.length;
    rest.textContent = say("more", { n: others });
    list.replaceChildren(...shown, ...(others > 0 ? [rest] : []));
  };
  show();
  while (shown.length > 0 && list.scrollHeight > list.clientHeight + 1) {
    shown.pop();
    show();
  }
}
