// The notice on a room's page that the room is gone: a new one of the same kind by one tap, and another one by its code.
// Loaded where it is needed. Decisions: 164 (docs/decisions).
import { beginCodeForm } from "./code.js";
import { find, make } from "./dom.js";
import { addWords, say, sayAll, showSaid } from "./language.js";
import { rememberedSettings } from "./new-room.js";

const goneWords = {
  code: ["방 코드", "Room code"],
  go: ["들어가기", "Go"],
  wrong: ["코드를 다시 확인해 주세요", "Please check the code"],
};

/** Shows it by `notice`, the page's own. */
export function showGone(symbols, notice) {
  addWords(goneWords);
  const home = () => location.assign("/");
  if (rememberedSettings(symbols)) {
    notice("gone", "newRoom", () => location.assign("/#again"), home, "home");
    showSaid(find("#notice-text"), say("newRoomText"));
  } else {
    notice("gone", "home", home);
  }
  find("#notice-go").after(codeForm());
  beginCodeForm(() => say("wrong"));
}

function codeForm() {
  const label = make("label", "label");
  label.htmlFor = "code";
  label.dataset.say = "code";
  const field = make("input");
  Object.assign(field, { id: "code", autocomplete: "off", spellcheck: false, maxLength: 16, placeholder: "7K3F9-QXA25", required: true });
  field.setAttribute("autocapitalize", "characters");
  const go = make("button", "primary square");
  go.dataset.say = "go";
  const fault = make("p", "fault");
  Object.assign(fault, { id: "code-fault", role: "alert", hidden: true });
  const form = make("form", "", label, make("div", "row", field, go), fault);
  form.id = "code-form";
  sayAll(form);
  return form;
}
