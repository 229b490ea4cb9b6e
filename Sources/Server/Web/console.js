// The operators' console: the feed, the frame around the views, and the choice of the view. Each view has an address
// (#/rooms, #/room/ID), for links and the browser's history.
import { find, make } from "./dom.js";
import { beginWords, say } from "./language.js";
import { Actions } from "./console-actions.js";
import { AuditView } from "./console-audit.js";
import { ConnectionsView } from "./console-connections.js";
import { LogEntries } from "./console-entries.js";
import { Feed } from "./console-feed.js";
import { duration, milliseconds } from "./console-format.js";
import { History } from "./console-history.js";
import { Keys, letters, showKeys } from "./console-keys.js";
import { Minutes } from "./console-minutes.js";
import { OperatorsView } from "./console-operators.js";
import { OverviewView } from "./console-overview.js";
import { button, icon, openMenu, setText } from "./console-parts.js";
import { PlacesView } from "./console-places.js";
import { PlayersView } from "./console-players.js";
import { ProposalsView } from "./console-proposals.js";
import { ReportsView } from "./console-reports.js";
import { may, takeRights } from "./console-rights.js";
import { RoomView } from "./console-room.js";
import { RoomsView } from "./console-rooms.js";
import { SanctionsView } from "./console-sanctions.js";
import { SchoolsView } from "./console-schools.js";
import { SuspectsView } from "./console-suspects.js";
import { WallView } from "./console-wall.js";
import { showWarnings } from "./console-warnings.js";
import { WebhooksView } from "./console-webhooks.js";
import { words } from "./console-words.js";

const views = {
  overview: OverviewView,
  rooms: RoomsView,
  room: RoomView,
  schools: SchoolsView,
  suspects: SuspectsView,
  connections: ConnectionsView,
  sanctions: SanctionsView,
  proposals: ProposalsView,
  places: PlacesView,
  reports: ReportsView,
  audit: AuditView,
  operators: OperatorsView,
  webhooks: WebhooksView,
  playerSearch: PlayersView,
  wall: WallView,
};
/** The views in the sidebar, in the order of their shortcut digits; 0 is the tenth, and later ones have none. */
const sidebar = Object.keys(views).filter((name) => name !== "room");

let view = null;
let isDraining = false;
let status = ["connecting"];
/** What the server has said of this console. */
let me = null;

const feed = new Feed({
  message: receive,
  status: showStatus,
  words: () => ({ unsent: say("actUnsent"), lost: say("actLost"), late: say("actLate") }),
});
/** The address of the view that is shown, with the settings that it has put there. */
let shownAddress = location.hash;

/**
 * Puts a view's settings into the address, without an entry in the browser's history. An address that the operator has
 * just chosen stays: its event is still to come, and the view that is shown will be left.
 */
function remember(address) {
  if (location.hash !== shownAddress) return;
  history.replaceState(null, "", address);
  shownAddress = location.hash;
}

/** The state that all views share. */
const app = {
  feed,
  history: new History(),
  minutes: new Minutes(feed),
  news: new LogEntries(),
  actions: new Actions(feed, toast),
  remember,
};

function receive(kind, body) {
  if (kind === "hello") return welcome(body);
  if (kind === "history") return app.history.begin(body);
  if (kind === "minute") return app.minutes.take(body);
  if (kind === "overview") {
    app.history.take(body);
    app.news.take(body.news);
    isDraining = body.draining;
    // Without a known season the button is disabled.
    find("#close-season").disabled = body.taps.season === undefined;
    setText(find("#top-uptime"), say("upFor", { time: duration(body.uptimeSeconds * 1_000) }));
    showWarnings(app.history, isDraining);
  }
  view?.receive(kind, body);
}

function welcome(hello) {
  isDraining = hello.draining;
  me = hello;
  takeRights(hello);
  showWho();
  app.news.begin(hello.startedAtMs);
  app.minutes.begin();
  setText(find("#top-address"), hello.address);
  find("#top-address").title = hello.origin ?? "";
  showWarnings(app.history, isDraining);
}

/** Shows whose console it is. */
function showWho() {
  if (!me?.operator) return;
  const isToken = me.operator === "token";
  setText(find("#who"), isToken ? say("byToken") : say("whoAndRole", { name: me.operator, role: say(`role.${me.role}`) }));
  find("#sign-out").hidden = me.session === undefined;
}

/** Ends this browser's session. The page asks anew, and the server shows its own page of signing in, if it has one. */
async function signOut() {
  try {
    await feed.act("endOwnSession", { session: me.session });
  } catch {
    // The session may have ended before the answer came.
  }
  location.reload();
}

function showStatus(state, inMs) {
  const pill = find("#feed-state");
  // The attempts of a lost connection are not shown as changes of state.
  if (state === "connecting" && (status[0] === "lost" || status[0] === "full")) return;
  status = [state, inMs];
  pill.dataset.state = state;
  pill.title = inMs ? say("retryIn", { time: milliseconds(inMs) }) : "";
  setText(pill, say(`feed.${state}`));
  document.body.classList.toggle("is-stale", state !== "open" && state !== "connecting");
  find("#expired")?.remove();
  if (state !== "expired") return;
  // A token expires with the server's restart, and a restarted server is not draining.
  isDraining = false;
  showWarnings(app.history, isDraining);
  find(".stage").prepend(expiredNotice());
}

function expiredNotice() {
  const isPerson = me?.session !== undefined && me.operator !== "token";
  const again = isPerson
    ? button(say("expired.signIn"), () => location.reload(), "primary")
    : button(say("expired.again"), () => feed.retry(), "primary");
  const keys = isPerson ? ["expired.ended"] : ["expired.start", "expired.file", "expired.token"];
  const steps = keys.map((key) => make("li", "", say(key)));
  const notice = make("section", "card expired", make("h2", "", say("expired.title")), make("ul", "", ...steps), again);
  notice.id = "expired";
  notice.setAttribute("role", "alert");
  return notice;
}

function toast(title, text) {
  const note = make("p", "toast", make("b", "", title), text);
  find("#toasts").append(note);
  while (find("#toasts").children.length > 3) find("#toasts").firstChild.remove();
  setTimeout(() => note.remove(), 6_000);
}

function showNav() {
  const links = sidebar.map((name, at) => {
    const entry = make("a", "", icon(name), make("span", "", say(name)));
    entry.href = `#/${name}`;
    entry.dataset.view = name;
    entry.title = say("byKey", { name: say(name), key: at < 10 ? (at + 1) % 10 : say("keys.then", { first: "g", second: letters[name] }) });
    return entry;
  });
  find("#nav").replaceChildren(...links);
  markNav();
}

function markNav() {
  const { name } = address();
  const at = name === "room" ? "rooms" : name;
  for (const entry of find("#nav").children) {
    if (entry.dataset.view === at) entry.setAttribute("aria-current", "page");
    else entry.removeAttribute("aria-current");
  }
}

/** The view in the page's address, and its argument. */
function address() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/");
  return { name: Object.hasOwn(views, name) ? name : "overview", rest, settings: new URLSearchParams(query) };
}

function go() {
  const { name, rest, settings } = address();
  const hadFocus = find("#view").contains(document.activeElement);
  view?.leave();
  shownAddress = location.hash;
  view = new views[name](app, rest, settings);
  find("#view").replaceChildren(view.element);
  document.title = `${say(name)} · Madang`;
  markNav();
  view.enter();
  // The element with the focus is gone with its view.
  if (hadFocus && document.activeElement === document.body) find("#view").focus();
}

/** The bar's acts as a menu, where a phone has no room for their buttons. */
function openTopMenu() {
  const acts = ["#announce", "#close-season", "#drain"].map((each) => find(each)).filter((each) => may(each.dataset.act) && !each.disabled);
  const item = (each) => ({ text: each.textContent, act: () => each.click(), isDangerous: each.classList.contains("danger") });
  openMenu(find("#top-more"), acts.map(item));
}

find("#announce").addEventListener("click", () => {
  app.actions.announce(null, app.history.latest?.connections.players ?? 0);
});
find("#close-season").addEventListener("click", () => app.actions.closeSeason(app.history.latest.taps.season));
find("#drain").addEventListener("click", () => app.actions.drain(app.history.latest));
find("#top-more").append(icon("more"));
find("#top-more").addEventListener("click", openTopMenu);
find("#sign-out").addEventListener("click", signOut);
find("#skip").addEventListener("click", (event) => {
  event.preventDefault();
  find("#view").focus();
});
addEventListener("hashchange", go);
find("#keys").addEventListener("click", showKeys);
new Keys(sidebar);
beginWords(words, () => {
  showNav();
  showStatus(...status);
  showWho();
  go();
});
showNav();
go();
feed.begin();
