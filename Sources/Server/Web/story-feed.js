// Lists of posts: the newest, the most liked, the most viewed, the week's best, a country's, a hashtag's, a player's,
// and what a search finds. They grow at their end, and say at their top when there is something new.
import { errorText, find, make } from "./dom.js";
import { number, say } from "./language.js";
import { StoryBook } from "./story-book.js";
import { StoryCards } from "./story-cards.js";
import { address, countryText, flagOf, put } from "./story-texts.js";

/** As many as the server's news are of, so that every post in them is known or new. */
const pageLimit = 20;
const typingMs = 350;
const topMax = 5;
const sorts = { "": "NEWEST", likes: "LIKES", views: "VIEWS", top: "TOP" };
/** The orders that are those of the most liked posts of so many last days. */
const topDays = { TOP: 7, HOT: 30 };

export class StoryFeed {
  #app;
  #cards;
  /** What is listed: `name` and `value` of the address. */
  #list = { name: "", value: "" };
  #sort = "NEWEST";
  #ids = [];
  #cursor = "";
  /** New posts that are not shown yet. */
  #fresh = [];
  /** The most liked posts are others now, or in another order. */
  #isMoved = false;
  #isLoading = false;
  #isLoaded = false;
  #fault = "";
  /** The number of the newest question, because an older answer is worth nothing. */
  #asked = 0;
  #scrollY = 0;
  #typing = null;
  /** The order that a country's list has alone. */
  #hot = find("#feed-sort [value=HOT]");

  /** `app` has `connection`, `book` and `go(address)`. */
  constructor(app) {
    this.#app = app;
    this.#cards = new StoryCards(find("#posts"), app.book, () => app.connection.now());
    find("#posts-more").addEventListener("click", () => this.#load());
    find("#fresh").addEventListener("click", () => this.reload());
    find("#feed-sort").addEventListener("change", () => {
      this.#sort = find("#feed-sort").value;
      this.reload();
    });
    const query = find("#query");
    query.addEventListener("input", (event) => {
      clearTimeout(this.#typing);
      if (!event.isComposing || query.value) this.#typing = setTimeout(() => this.#search(), typingMs);
    });
    find("#search").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#search();
    });
    new IntersectionObserver(([entry]) => entry.isIntersecting && this.#goOn(), { rootMargin: "600px" }).observe(
      find("#posts-more")
    );
    document.addEventListener("visibilitychange", () => document.hidden || this.#renewPictures());
  }

  /** Shows a list; one that is shown already stays as it is. */
  show(name, value = "") {
    const isSame = this.#isLoaded && name === this.#list.name && value === this.#list.value;
    this.#list = { name, value };
    if (!isSame) {
      this.#sort = sorts[name] ?? "NEWEST";
      this.#scrollY = 0;
      this.reload();
    }
    if (name !== "search") find("#query").value = "";
    else if (document.activeElement !== find("#query")) find("#query").value = value;
    this.say();
    this.#renewPictures();
    scrollTo(0, this.#scrollY);
  }

  leave() {
    this.#scrollY = scrollY;
  }

  /** Loads the list again, and watches it. */
  reload() {
    this.#ids = [];
    this.#cursor = "";
    this.#fresh = [];
    this.#isMoved = false;
    this.#isLoaded = false;
    this.#isLoading = false;
    scrollTo(0, 0);
    this.#load();
    this.#loadHashtags();
  }

  /** After a lost connection: watches again, and shows what has come meanwhile. */
  renew() {
    if (!this.#isLoaded || this.#isNearTop) return this.reload();
    this.#watchOn();
  }

  news({ order, posts = [], counts = [], anew = false }) {
    const { book } = this.#app;
    book.learnNews(posts);
    for (const count of counts) book.count(count);
    // An absent order is the one that is known; anew it is that of a list without posts.
    if ((!order && !anew) || !this.#isLoaded) return;
    this.#order(order ?? []);
  }

  #order(order) {
    const shown = new Set(this.#ids);
    // Those behind the last that is shown come with the next page: they have moved up.
    const last = this.#cursor ? order.map((id) => shown.has(id)).lastIndexOf(true) : -1;
    this.#fresh = this.#isTop ? [] : order.filter((id, index) => !shown.has(id) && (last < 0 || index < last));
    this.#drop(order);
    this.#isMoved = this.#isTop && order.slice(0, this.#max).join() !== this.#ids.join();
    this.#render();
  }

  /** A post of the player's own is new, or a post is gone: the next look at the list is of the present. */
  change(id) {
    this.#cards.refresh(id);
    if (this.#app.book.get(id) || !this.#ids.includes(id)) return;
    this.#ids = this.#ids.filter((each) => each !== id);
    this.#render();
  }

  /** Has the list read again when it is next shown. */
  forget() {
    this.#isLoaded = false;
  }

  /** The words are in another language now. */
  say() {
    const { name, value } = this.#list;
    const own = this.#app.book.playerId;
    const titles = {
      tag: `#${value}`,
      by: say(value === own ? "mine" : "byOne", { name: this.#authorName }),
      mine: say("mine"),
      search: say("found", { query: value }),
      country: `${flagOf(value.length === 2 ? value : "UN")} ${countryText(value)}`,
    };
    put(find("#feed-title"), titles[name] ?? say("storiesTitle"));
    const isMain = name in sorts || name === "top";
    find("#feed-hint").hidden = !isMain;
    find("#feed-back").hidden = isMain;
    find("#feed-tabs").hidden = !isMain;
    find("#tags").hidden = !isMain;
    find("#feed-order").hidden = !["tag", "by", "mine", "country"].includes(name);
    // Safari shows hidden options.
    this.#hot.textContent = say("hot");
    if (name === "country") find("#feed-sort").append(this.#hot);
    else this.#hot.remove();
    find("#feed-sort").value = this.#sort;
    for (const tab of find("#feed-tabs").querySelectorAll("a")) {
      if (tab.dataset.list === name) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
    this.#cards.say();
    this.#render();
  }

  /** The title of the document. */
  get title() {
    return find("#feed-title").textContent;
  }

  // The questions.

  get #scope() {
    const { name, value } = this.#list;
    return {
      ...(this.#isTop ? { topDays: topDays[this.#sort] } : { sort: this.#sort }),
      authorId: name === "mine" ? this.#app.book.playerId : name === "by" ? value : undefined,
      country: name === "country" ? value : undefined,
      hashtag: name === "tag" ? value : undefined,
    };
  }

  /** Whether the list is of the most liked posts of some days. */
  get #isTop() {
    return this.#sort in topDays;
  }

  /** The most posts that the list shows; nothing where it has pages. */
  get #max() {
    return this.#sort === "TOP" ? topMax : this.#isTop ? pageLimit : undefined;
  }

  #question() {
    const { name, value } = this.#list;
    const cursor = this.#cursor || undefined;
    if (name === "search") return ["searchPosts", { query: value, limit: pageLimit, cursor }];
    if (cursor) return ["listPosts", { ...this.#scope, limit: pageLimit, cursor }];
    return ["watchFeed", { ...this.#scope, limit: pageLimit }];
  }

  async #load() {
    const { connection, book } = this.#app;
    if (this.#isLoading || !connection.isOpen) return;
    const asked = (this.#asked += 1);
    this.#isLoading = true;
    this.#fault = "";
    this.#render();
    const [kind, body] = this.#question();
    try {
      if (!body.cursor && kind !== "watchFeed") connection.request("unwatchFeed").catch(() => undefined);
      const page = await connection.request(kind, body);
      if (asked !== this.#asked) return;
      const posts = page.posts?.slice(0, this.#max) ?? [];
      book.learn(posts);
      this.#ids = [...new Set([...this.#ids, ...posts.map(({ postId }) => postId)])];
      this.#cursor = page.nextCursor ?? "";
      this.#isLoaded = true;
    } catch (error) {
      if (asked !== this.#asked) return;
      if (error.code !== "LOST") this.#fault = errorText(error);
    }
    this.#isLoading = false;
    if (this.#list.name === "by") this.say();
    else this.#render();
    // What is in sight already is not told again.
    if (this.#cursor && !this.#fault) requestAnimationFrame(() => this.#isEndNear && this.#goOn());
  }

  /** Loads the next page when the end of the list comes into sight. */
  #goOn() {
    if (this.#isLoaded && this.#cursor && !this.#isLoading && !find("#feed").hidden && !this.#fault) this.#load();
  }

  get #isEndNear() {
    return find("#posts-more").getBoundingClientRect().top < innerHeight + 600 && !find("#posts-more").hidden;
  }

  get #isNearTop() {
    return scrollY < 300;
  }

  async #watchOn() {
    if (this.#list.name === "search") return;
    try {
      const { posts = [] } = await this.#app.connection.request("watchFeed", { ...this.#scope, limit: pageLimit });
      this.#app.book.learn(posts);
      if (this.#isLoaded) this.#order(posts.map(({ postId }) => postId));
    } catch {
      // The next welcome tries again.
    }
  }

  async #loadHashtags() {
    if (this.#list.name !== "" || !this.#app.connection.isOpen) return;
    try {
      const { hashtags = [] } = await this.#app.connection.request("hashtags", { limit: 8 });
      const links = hashtags.map(({ hashtag, posts = 0 }) => {
        const link = make("a", "chip", `#${hashtag} `, make("small", "", number(posts)));
        link.href = address("tag", hashtag);
        return make("li", "", link);
      });
      find("#tags").replaceChildren(...links);
    } catch {
      // The list is as good without them.
    }
  }

  #search() {
    clearTimeout(this.#typing);
    const query = find("#query").value.trim();
    const { name, value } = this.#list;
    if (query === (name === "search" ? value : "")) return;
    this.#app.go(query ? address("search", query) : "#/", name === "search");
  }

  /** Pictures have addresses for an hour or two: after that the list is read again. */
  #renewPictures() {
    const now = this.#app.connection.now();
    const isOld = this.#ids.some((id) => StoryBook.isOld(this.#app.book.get(id), now));
    if (isOld && !find("#feed").hidden) this.reload();
  }

  // The list.

  /** Takes out posts that stood among the first of the list, and do no longer. */
  #drop(order) {
    const kept = new Set(order);
    // One that has moved up from behind the page is not known yet.
    const last = order.map((id) => this.#app.book.get(id)).filter(Boolean).at(-1);
    const isWhole = order.length < pageLimit;
    const writtenAt = (post) => Number(post?.writtenAtMs ?? 0);
    this.#ids = this.#ids.filter((id) => {
      if (kept.has(id)) return true;
      if (isWhole) return false;
      return !(this.#sort === "NEWEST" && last && writtenAt(this.#app.book.get(id)) > writtenAt(last));
    });
  }

  get #authorName() {
    return this.#ids.map((id) => this.#app.book.get(id)?.nickname).find(Boolean) ?? say("nobody");
  }

  #render() {
    const ids = this.#ids.filter((id) => this.#app.book.get(id));
    this.#cards.show(ids);
    const fresh = this.#fresh.length;
    find("#fresh").hidden = fresh === 0 && !this.#isMoved;
    put(find("#fresh"), fresh ? say("fresh", { n: number(fresh) }) : this.#isMoved ? say("topMoved") : "");
    find("#posts-busy").hidden = !this.#isLoading;
    find("#posts-more").hidden = !this.#cursor || this.#isLoading;
    put(find("#posts-fault"), this.#fault);
    find("#posts-fault").hidden = this.#fault === "";
    const isNone = this.#isLoaded && !this.#isLoading && ids.length === 0 && !this.#cursor && !this.#fault;
    find("#posts-none").hidden = !isNone;
    put(find("#posts-none"), isNone ? say(this.#list.name === "search" ? "foundNone" : "postsNone") : "");
  }
}
