// Why a page without TLS has no position, and the ways on: the same page at the server's secure address, if it has one,
// and practice. Loaded only where browsers keep the position from the page.
import { make } from "./dom.js";
import { isKorean } from "./language.js";

let secure;

/** The same page at the server's secure address; null without one. */
async function secureAddress() {
  try {
    const { joinBase } = await (await fetch("/reach", { cache: "no-store" })).json();
    const base = new URL(joinBase);
    return base.protocol === "https:" && location.protocol !== "https:" ? `${base.origin}${location.pathname}` : null;
  } catch {
    return null;
  }
}

/** Puts the reason and the ways on behind `element`, in the page's language, also when that changes. */
export async function explain(element) {
  const text = make("p", "hint insecure");
  element.after(text);
  const show = () => {
    const reason = isKorean()
      ? "브라우저는 보안 주소(https)에서만 위치를 알려 줘요."
      : "Browsers tell a position only to a secure address (https).";
    const practice = isKorean() ? "여기서는 연습 걷기로 놀 수 있어요." : "Here you can walk in practice.";
    text.replaceChildren(reason, " ");
    if (secure) {
      const link = make("a", "", isKorean() ? "보안 주소로 열기" : "Open the secure address");
      link.href = secure;
      text.append(link, isKorean() ? ", 또는 " : ", or ", isKorean() ? "여기서 연습 걷기로 놀기." : "walk in practice here.");
    } else text.append(practice);
  };
  new MutationObserver(show).observe(document.documentElement, { attributeFilter: ["lang"] });
  show();
  secure ??= await secureAddress();
  show();
}
