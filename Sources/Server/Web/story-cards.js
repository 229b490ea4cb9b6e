// Posts in a list: a card for each, with its first picture. Cards stay while their numbers change, so that a finger or
// a focus on one does not lose it.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { address, countMarks, countryText, flagOf, timeMark } from "./story-texts.js";

export class StoryCards {
  #parent;
  #book;
  #now;
  /** By the identifier of the post: the card, and what it shows. */
  #cards = new Map();

  /** `now` is the server's clock. */
  constructor(parent, book, now) {
    this.#parent = parent;
    this.#book = book;
    this.#now = now;
  }

  /** Shows these posts in this order; those that are not known are left out. */
  show(ids) {
    const before = this.#cards;
    this.#cards = new Map();
    const cards = ids.filter((id) => this.#book.get(id)).map((id) => {
      const card = before.get(id) ?? { element: make("li"), shown: "" };
      this.#cards.set(id, card);
      this.#fill(id);
      return card.element;
    });
    const shown = this.#parent.children;
    if (cards.length === shown.length && cards.every((card, index) => card === shown[index])) return;
    const focused = document.activeElement;
    const hadFocus = this.#parent.contains(focused);
    this.#parent.replaceChildren(...cards);
    if (hadFocus && this.#parent.contains(focused)) focused.focus({ preventScroll: true });
  }

  /** Shows what has changed of one post. */
  refresh(id) {
    if (this.#cards.has(id) && this.#book.get(id)) this.#fill(id);
  }

  /** Draws all anew: the words are in another language. */
  say() {
    for (const [id, card] of this.#cards) {
      card.shown = "";
      this.refresh(id);
    }
  }

  #fill(id) {
    const post = this.#book.get(id);
    const card = this.#cards.get(id);
    const { likes, views, commentCount, liked, ...rest } = post;
    const text = JSON.stringify(rest);
    if (card.shown !== text) {
      card.shown = text;
      const had = card.element.contains(document.activeElement);
      card.element.replaceChildren(...this.#parts(post));
      if (had) card.element.querySelector("a").focus({ preventScroll: true });
    }
    card.element.querySelector(".tallies").replaceChildren(...countMarks(post));
  }

  #parts(post) {
    const title = Object.assign(make("a", "", post.title), { href: address("post", post.postId) });
    const excerpt = make("p", "excerpt", post.text.slice(0, 400).replace(/\s+/g, " "));
    const by = make("span", "by", post.nickname || say("nobody"));
    const countries = (post.countries ?? []).map((code) => make("span", "", `${flagOf(code)} ${countryText(code)}`));
    const sound = post.soundtrack ? make("span", "", "♪") : null;
    if (sound) {
      sound.setAttribute("role", "img");
      sound.setAttribute("aria-label", say("soundtrack"));
    }
    const plan = post.planId ? make("span", "", say("plans")) : null;
    const meta = make("p", "meta", by, timeMark(post.writtenAtMs, this.#now()), ...countries, plan, sound);
    const picture = cover(post);
    const body = make("article", "body", make("h2", "", title), picture && excerpt, meta, make("p", "tallies"));
    if (post.hidden) body.prepend(make("p", "mark", say("hiddenMark")));
    return [picture ?? make("div", "cover words", excerpt), body];
  }
}

/** The first picture, and how many there are; null without one. */
function cover({ pictures = [], media = [] }) {
  const [first] = pictures;
  if (!first) return null;
  const frame = make("div", "cover", pictureOf(first, "(min-width: 62rem) 20rem, 100vw"));
  if (media.length > 1) frame.append(make("small", "pill", say("pictureCount", { n: number(media.length) })));
  return frame;
}

/** An `img` of a picture, in the size that its place needs. It says nothing to readers of the screen. */
export function pictureOf(picture, sizes) {
  const img = make("img");
  const share = (most) => Math.round(picture.width * Math.min(1, most / Math.max(picture.width, picture.height)));
  img.alt = "";
  img.loading = "lazy";
  img.decoding = "async";
  img.width = picture.width;
  img.height = picture.height;
  img.sizes = sizes;
  img.srcset = `${picture.thumbnailUrl} ${share(320)}w, ${picture.phoneUrl} ${share(1_280)}w`;
  img.src = picture.phoneUrl;
  return img;
}
