// The address that a room's QR names, for the host on the server's own machine: which addresses phones reach, and a
// choice of one. Loaded there alone; elsewhere the room's own link is right.
import { find, make } from "./dom.js";
import { isKorean } from "./language.js";

export class Reach {
  #answer = null;
  #choose;
  #text = make("p", "hint");
  #choice = make("select");

  /** `choose` is called with the base of the chosen address. */
  constructor(choose) {
    this.#choose = choose;
    this.#text.id = "reach-text";
    this.#text.setAttribute("role", "status");
    this.#choice.id = "reach-address";
    this.#choice.setAttribute("aria-labelledby", "reach-text");
    this.#choice.hidden = true;
    this.#choice.addEventListener("change", () => this.#take());
  }

  async show() {
    if (!this.#answer) {
      this.#answer = await (await fetch("/reach", { cache: "no-store" })).json();
      // The operator's public URL leaves nothing to choose, nor does a single address.
      const { listensOnAll, addresses } = this.#answer;
      if (!addresses || (listensOnAll && addresses.length === 1)) return;
      find("#copy").parentElement.before(this.#text, this.#choice);
      if (listensOnAll && addresses.length > 1) this.#offer();
    }
    this.#text.textContent = this.#words();
  }

  #words() {
    const { listensOnAll, addresses = [] } = this.#answer;
    if (addresses.length === 0) {
      return isKorean()
        ? "이 컴퓨터는 네트워크에 없어요. 휴대폰이 닿을 수 없어요."
        : "This machine is in no network, so phones do not reach it.";
    }
    if (listensOnAll) return isKorean() ? "휴대폰이 닿는 주소를 고르세요." : "Choose the address that phones reach.";
    const list = addresses.map(({ base }) => base).join(", ");
    return isKorean()
      ? `이 주소는 이 컴퓨터에서만 열려요. 서버를 --host 0.0.0.0 으로 시작하면 휴대폰에서도 열려요: ${list}`
      : `Only this machine reaches this address. Started with --host 0.0.0.0, the server is at ${list}.`;
  }

  #offer() {
    const { joinBase, addresses } = this.#answer;
    this.#choice.append(
      ...addresses.map(({ interface: name, base }) => {
        const option = make("option", "", `${base} (${name})`);
        option.value = base;
        option.selected = base === joinBase;
        return option;
      }),
    );
    this.#choice.hidden = false;
    this.#take();
  }

  #take() {
    const base = this.#choice.value;
    this.#choose(base);
    const picture = find("#lobby-qr");
    picture.src = `${picture.getAttribute("src").split("?")[0]}?host=${base.split("//")[1]}`;
  }
}
