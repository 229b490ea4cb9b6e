// The acts of a player about another one of their room: block them, tell the operators of them, and, as the host,
// remove them from the room. Loaded when it is first opened.
import { errorText, make, toast } from "./dom.js";
import { addWords, isKorean, say } from "./language.js";
import { reportWords } from "./story-report-words.js";

const reasons = ["SPAM", "HARASSMENT", "HATE", "SEXUAL", "VIOLENCE", "FALSE_INFORMATION", "PRIVACY", "COPYRIGHT", "OTHER"];
const reasonsMax = 3;

addWords({
  reported: reportWords.reported,
  isBlocked: ["{name} 님의 말이 보이지 않아요", "You won't see what {name} says"],
  isRemoved: ["{name} 님을 내보냈어요", "{name} is removed"],
});

const words = (korean, english) => (isKorean() ? korean : english);
const word = (key) => words(...reportWords[key]);

/** Opens the dialog about a player, until it is closed. `mayRemove`: whether the room's host has opened it. */
export function openPlayerSheet(connection, { playerId, nickname }, { mayRemove = false } = {}) {
  const dialog = make("dialog", "card player-sheet");
  const title = make("h2", "", nickname);
  title.id = "player-sheet-title";
  dialog.setAttribute("aria-labelledby", title.id);
  const fault = Object.assign(make("p", "fault"), { hidden: true });
  fault.setAttribute("role", "alert");
  const boxes = reasons.map((value) => Object.assign(make("input"), { type: "checkbox", name: "reason", value }));
  const choices = boxes.map((box) => make("label", "check", box, make("span", "", word(`reason.${box.value}`))));
  const chosen = () => boxes.filter(({ checked }) => checked).map(({ value }) => value);
  for (const box of boxes) {
    box.addEventListener("change", () => {
      fault.hidden = true;
      for (const other of boxes) other.disabled = chosen().length >= reasonsMax && !other.checked;
    });
  }

  const ask = async (button, kind, body, done) => {
    button.disabled = true;
    fault.hidden = true;
    try {
      await connection.request(kind, body);
      dialog.close();
      toast(say(done, { name: nickname }), "good");
    } catch (error) {
      fault.textContent = errorText(error);
      fault.hidden = false;
    }
    button.disabled = false;
  };
  const button = (kind, text, act) => {
    const made = Object.assign(make("button", kind, text), { type: "button" });
    made.addEventListener("click", () => act(made));
    return made;
  };
  const block = button("quiet", words("차단하기", "Block"), (made) =>
    ask(made, "block", { playerId }, "isBlocked"),
  );
  const report = button("quiet", word("reportSend"), (made) => {
    if (chosen().length > 0) return ask(made, "report", { playerId, reasons: chosen() }, "reported");
    fault.textContent = word("error.REASON_MISSING");
    fault.hidden = false;
  });
  // Asked once more: a removal can't be taken back.
  const removal = button("quiet danger", words("방에서 내보내기", "Remove from the room"), (made) => {
    made.hidden = true;
    confirmation.hidden = false;
    sure.focus();
  });
  const sure = button("primary danger", words(`${nickname} 님 내보내기`, `Remove ${nickname}`), (made) =>
    ask(made, "kickPlayer", { playerId }, "isRemoved"),
  );
  const confirmation = make("div", "confirm", make("p", "hint", words("이 방에 다시 들어올 수 없어요.", "They can't come back into this room.")), sure);
  confirmation.hidden = true;
  const close = button("primary", words("닫기", "Close"), () => dialog.close());
  dialog.append(
    title,
    make("p", "hint", words("차단하면 이 사람의 말이 나에게 보이지 않아요.", "What a blocked player says is hidden from you.")),
    block,
    make("details", "", make("summary", "", word("reportTitle")), make("p", "hint", word("reportHint")), ...choices, report),
    ...(mayRemove ? [removal, confirmation] : []),
    fault,
    close,
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
