// The coming in to a page without a room: the form that asks strangers for a nickname, the connection with its banner
// and announcements, and the notice where it ends until the player acts. `connection.js` connects again by itself.
import { Connection } from "./connection.js";
import { kept } from "./device.js";
import { announce, errorText, find, lineBanner, make, showView, untilText } from "./dom.js";
import { say, showSaid } from "./language.js";
import { drawNickname } from "./words.js";

/** The button of each notice. */
const ways = { elsewhere: "elsewhereGo", removed: "removedGo", banned: "home", outdated: "reload" };

export class Entrance {
  connection;
  #left;
  /** The end of the connection: its `reason` and `error`; null while it goes on. */
  #ending = null;
  /** The player has been asked for another nickname on this page. */
  #isNicknameAsked = false;

  /**
   * `welcomed(welcome)` is called at each coming in, `notified(kind, body)` for all but announcements, and `left()`
   * when the connection ends until the player acts.
   */
  constructor({ welcomed, notified, left = () => undefined }) {
    this.#left = left;
    this.connection = new Connection({
      welcome: (welcome) => {
        this.#ending = null;
        // Nobody looks at the room here.
        if (welcome.room) this.connection.send("setPace", { maxHz: 0 });
        welcomed(welcome);
        this.#askForNickname(welcome.player);
      },
      notified: (kind, body) => (kind === "announcement" ? announce(body.text ?? "") : notified(kind, body)),
      end: (reason, error) => this.end(reason, error),
      status: lineBanner(),
      lastEvent: () => undefined,
    });
  }

  /** Goes on with the player's session, or asks a stranger for a nickname. */
  begin() {
    const field = find("#nickname");
    field.value = kept("nickname") ?? drawNickname();
    find("#dice").addEventListener("click", () => (field.value = drawNickname()));
    find("#enter-form").addEventListener("submit", (event) => {
      event.preventDefault();
      find("#enter-button").disabled = true;
      this.connection.begin(field.value.trim());
    });
    if (kept("session")) this.connection.begin();
    else this.#ask();
  }

  /** Shows the form for a `stranger` and the `misnamed`, and for other reasons of `Connection` a notice. */
  end(reason, error = null) {
    for (const open of document.querySelectorAll("dialog[open]")) open.close();
    this.#left();
    if (reason === "stranger") return this.#ask();
    if (reason === "misnamed") return this.#ask(errorText(error));
    this.#ending = { reason, error };
    this.say();
    showView("notice");
  }

  /** The words are in another language now. */
  say() {
    if (!this.#ending) return;
    const { reason, error } = this.#ending;
    const isBanned = reason === "banned";
    find("#notice-title").textContent = say(`${reason}Title`);
    find("#notice-text").textContent = isBanned ? untilText("banned", error ?? {}) : say(`${reason}Text`);
    find("#notice-go").textContent = say(ways[reason]);
    find("#notice-go").onclick = () => (isBanned ? location.assign("/") : location.reload());
  }

  /** Asks for another nickname where the player's has a word that the server refuses. */
  #askForNickname({ nickname = "", nicknameRefused = false } = {}) {
    if (!nicknameRefused || this.#isNicknameAsked) return;
    this.#isNicknameAsked = true;
    const refused = make("span");
    showSaid(refused, say("nicknameRefused", { name: nickname }));
    const change = Object.assign(make("a"), { href: "/stories#/profile" });
    showSaid(change, say("nicknameChange"));
    announce(make("span", "", refused, " ", change), say("nickname"));
  }

  #ask(fault = "") {
    find("#enter-button").disabled = false;
    find("#enter-fault").hidden = fault === "";
    showSaid(find("#enter-fault"), fault);
    showView("enter");
  }
}
