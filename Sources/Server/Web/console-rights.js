// What the operator of this console may do, as the server has said. The server refuses all else; here it is not shown.
//
// An element for an act has `data-act`. One sheet hides those of acts that may not be done: all of them until the server
// has said something.

const sheet = new CSSStyleSheet();
let acts = new Set();
let reasoned = new Set();

document.adoptedStyleSheets.push(sheet);
show();

/** Takes the server's `hello`; true when other acts may be done than before. */
export function takeRights(hello) {
  const before = [...acts].join();
  acts = new Set(hello.acts);
  reasoned = new Set(hello.reasonedActs);
  show();
  return before !== [...acts].join();
}

export function may(act) {
  return acts.has(act);
}

/** Whether the server refuses an act without a reason. */
export function needsReason(act) {
  return reasoned.has(act);
}

/** The element, shown to those alone who may do an act. */
export function forAct(act, element) {
  element.dataset.act = act;
  return element;
}

function show() {
  const allowed = [...acts].map((act) => `:not([data-act="${act}"])`).join("");
  sheet.replaceSync(`[data-act]${allowed} { display: none !important; }`);
}
