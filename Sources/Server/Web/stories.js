// The page of stories: lists of posts, one of them, countries, the form that writes. It reads the
// address behind the number sign, and passes what the server says on to the views. Views that only some visits need are
// loaded when they are first shown.
import { find, make, sayError, showView, toast } from "./dom.js";
import { Entrance } from "./entrance.js";
import { beginWords, sayAll, say } from "./language.js";
import { StoryBook } from "./story-book.js";
import { StoryFeed } from "./story-feed.js";
import { StoryPost } from "./story-post.js";
import { confirming } from "./story-texts.js";
import { storyWords } from "./story-words.js";
import { words } from "./words.js";

/** The lists by the first part of their address; `country` has a head of its own. */
const lists = ["", "likes", "views", "top", "mine", "tag", "by", "search", "country"];
/** The other modules by the first part of their address, and the section of each. `report` has dialogs alone. */
const others = {
  write: { section: "write", load: () => import("./story-write.js") },
  edit: { section: "write", load: () => import("./story-write.js") },
  countries: { section: "countries", load: () => import("./story-countries.js") },
  plans: { section: "plans", load: () => import("./plan-list.js") },
  plan: { section: "plan", load: () => import("./plan-view.js") },
  profile: { section: "profile", load: () => import("./profile-view.js") },
  report: { section: "report", load: () => import("./story-report.js") },
};

const book = new StoryBook();
const table = { ...words, ...storyWords };
const entrance = new Entrance({ welcomed, notified });
const { connection } = entrance;
const app = {
  connection,
  book,
  /** Texts of views that are loaded later. */
  table,
  /** What the server can do: names of `features`. */
  features: new Set(),
  /** Goes to an address of this page; with `instead` in the place of the present one. */
  go(address, instead = false) {
    const depth = history.state?.depth ?? 0;
    if (instead) history.replaceState({ depth }, "", address);
    else history.pushState({ depth: depth + 1 }, "", address);
    route();
  },
  /** Back to where the player came from; to the newest posts for those who came by a link. */
  back() {
    if (history.state?.depth) history.back();
    else app.go("#/", true);
  },
  /** A post of the player's own has been written. */
  wrote: () => feed.forget(),
  deleted: (id) => book.forget(id),
  titled: showTitle,
  block,
  report,
};
const feed = new StoryFeed(app);
const post = new StoryPost(app);
/** The loaded modules' views, by section. */
const loaded = new Map();
/**
 * The view that is shown, with `leave()`, `renew()`, `say()`, `title` and perhaps `authorId`; null before the first.
 */
let shown = null;
/** The number of the newest address, because a module that was loaded for an older one is not shown. */
let routed = 0;

/** The parts of the address behind the number sign. */
function parts() {
  const text = location.hash.replace(/^#\/?/, "");
  try {
    return text.split("/").map(decodeURIComponent);
  } catch {
    return [""];
  }
}

/** Shows what the address names. */
async function route() {
  if (!connection.isOpen && !shown) return;
  const asked = (routed += 1);
  const [name, value = ""] = parts();
  const isFirst = shown === null;
  for (const open of document.querySelectorAll("dialog[open]")) open.close();
  for (const link of document.querySelectorAll("[data-section]")) {
    const isHere = link.dataset.section === sectionOf(name, value);
    if (isHere) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (name === "post" && value) {
    take(post, "post");
    post.show(value);
  } else if (others[name] && name !== "report") {
    const view = await viewOf(name);
    if (asked !== routed || !view) return;
    take(view, others[name].section);
    view.show(name, value);
  } else {
    const list = lists.includes(name) && (value || !["tag", "by", "search", "country"].includes(name)) ? name : "";
    take(feed, "feed");
    showCountry(list === "country" ? value : "");
    feed.show(list, value);
  }
  showTitle();
  // Readers of the screen go on at the new heading; the search keeps its finger.
  if (isFirst || document.activeElement === find("#query")) return;
  find(`#${document.body.dataset.view} h1`)?.focus({ preventScroll: true });
}

function take(view, section) {
  if (shown && shown !== view) shown.leave();
  if (shown === view && view === post) post.leave();
  shown = view;
  showView(section);
  if (view !== feed) scrollTo(0, 0);
}

function sectionOf(name, value) {
  if (["countries", "country"].includes(name)) return "countries";
  if (["plans", "plan"].includes(name)) return "plans";
  if (name === "mine") return "mine";
  if (name === "profile" && ["", book.playerId].includes(value)) return "profile";
  return ["write", "edit"].includes(name) ? "write" : "stories";
}

async function viewOf(name) {
  const { section, load } = others[name];
  if (!loaded.has(section)) {
    try {
      const { begin: beginView } = await load();
      if (!loaded.has(section)) loaded.set(section, beginView(app));
      sayAll();
    } catch {
      // An older page may not load a newer module.
      entrance.end("outdated");
      return null;
    }
  }
  return loaded.get(section);
}

/** The head of a country's list; empty for none. */
async function showCountry(code) {
  find("#country").hidden = true;
  if (code || loaded.has("countries")) (await viewOf("countries"))?.showCountry(code);
}

function showTitle() {
  const title = shown?.title;
  document.title = title ? `${title} · ${say("brand")}` : say("storiesTitle");
}

function welcomed(welcome) {
  const isOther = book.playerId !== "" && book.playerId !== welcome.playerId;
  book.playerId = welcome.playerId;
  book.blocked = new Set(welcome.player?.blocked ?? []);
  app.features = new Set(welcome.server?.features ?? []);
  for (const link of document.querySelectorAll("[data-feature]")) {
    link.hidden = !app.features.has(link.dataset.feature);
  }
  if (shown === null || isOther) return route();
  if (shown !== feed) feed.forget();
  showView(shown === feed ? "feed" : shown === post ? "post" : others[parts()[0]]?.section ?? "feed");
  shown.renew();
}

function notified(kind, body) {
  if (kind === "feedNews") feed.news(body);
  if (kind === "postNews") post.news(body);
  if (kind === "warning") warn(body);
  if (kind === "collectible" || kind === "grade") tellEarned(kind, body);
}

async function tellEarned(kind, body) {
  (await viewOf("profile"))?.tell(kind, body);
}

async function warn(warning) {
  (await viewOf("report"))?.warn(warning);
}

/** Opens the form that reports something; `done` is called when the operators have it. */
async function report(subject, done) {
  (await viewOf("report"))?.open(subject, done);
}

/** Blocks a player, whose posts and comments are gone then. */
async function block({ playerId, nickname }) {
  try {
    await connection.request("block", { playerId });
    book.blocked.add(playerId);
    toast(say("blocked", { name: nickname }), "good");
    feed.forget();
    post.block(playerId);
    if (shown === feed) feed.reload();
    else if (shown.authorId === playerId) app.go("#/", true);
  } catch (error) {
    sayError(error);
  }
}

/** The players who are blocked, each with a button that ends it. */
async function showBlocked() {
  const list = find("#blocked-list");
  find("#blocked").showModal();
  list.replaceChildren();
  try {
    const { players = [] } = await connection.request("blockedPlayers");
    const rows = players.map(({ playerId, nickname }) => {
      const button = make("button", "quiet");
      button.type = "button";
      const row = make("li", "row", make("span", "", nickname), button);
      confirming(button, "unblock", "unblockReally", async () => {
        await connection.request("unblock", { playerId }).catch(sayError);
        book.blocked.delete(playerId);
        row.remove();
        feed.forget();
      });
      return row;
    });
    list.replaceChildren(...rows);
    find("#blocked-none").hidden = rows.length > 0;
  } catch (error) {
    sayError(error);
  }
}

function begin() {
  book.changed = (id) => {
    feed.change(id);
    post.change(id);
  };
  // Lists keep their own place.
  history.scrollRestoration = "manual";
  addEventListener("popstate", route);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='#']");
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain) return;
    event.preventDefault();
    // A second press on a list's own link reads it again.
    if (link.getAttribute("href") === (location.hash || "#/") && shown === feed) return feed.reload();
    app.go(link.getAttribute("href"));
  });
  find("#feed-back").addEventListener("click", app.back);
  find("#post-back").addEventListener("click", app.back);
  find("#blocked-open").addEventListener("click", showBlocked);
  beginWords(table, () => {
    entrance.say();
    feed.say();
    if (shown === post) post.say();
    for (const view of loaded.values()) view.say();
    showTitle();
  });
  entrance.begin();
}

begin();
