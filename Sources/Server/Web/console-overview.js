// The overview: the server's figures now, in the last minutes and in the last day; shards, rooms, news. Its address may
// name a part, so that a warning and an alert lead there.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { Chart, nearest } from "./console-charts.js";
import { Figures } from "./console-figures.js";
import { brief, bytes, milliseconds, moment, percent, whole } from "./console-format.js";
import { card, link, select, setText } from "./console-parts.js";
import { Table } from "./console-table.js";

const spans = [1, 2, 5, 10, 60, 1_440];
/** Longer spans are of minutes. */
const livelySpanMax = 10;
/** A longer distance between two samples is a gap in the lines: of the page's own, and of the server's minutes. */
const livelyGapMs = 15_000;
const minutesGapMs = 150_000;

const charts = [
  {
    title: "players",
    series: [{ key: "players", colour: "series-1", isFilled: true }, { key: "connections", colour: "series-4" }],
    labels: ["players", "connections"],
    format: brief,
    floor: 10,
  },
  {
    title: "messages",
    series: [{ key: "sent", colour: "series-2", isFilled: true }, { key: "received", colour: "series-1" }],
    labels: ["out", "in"],
    format: brief,
    floor: 10,
    unit: "perSecond",
  },
  {
    title: "rooms",
    series: [{ key: "rooms", colour: "series-1", isFilled: true }, { key: "games", colour: "series-2" }],
    labels: ["roomsOpen", "gamesOn"],
    format: brief,
    floor: 10,
  },
  { title: "frames", series: [{ key: "frames", colour: "series-2", isFilled: true }], format: brief, floor: 10, unit: "perSecond" },
  {
    title: "lateness",
    series: [{ key: "latenessMs", colour: "series-3", isFilled: true }],
    format: milliseconds,
    floor: 5,
  },
  {
    title: "cpu",
    series: [{ key: "cpu", colour: "series-1", isFilled: true }, { key: "load", colour: "series-4" }],
    labels: ["cores", "busiestShard"],
    format: percent,
    floor: 0.2,
  },
  {
    title: "memory",
    series: [{ key: "memory", colour: "series-5", isFilled: true }],
    format: bytes,
    floor: 2 ** 24,
    scaleUnit: 2 ** 20,
  },
  { title: "commits", series: [{ key: "commitMs", colour: "series-3", isFilled: true }], format: milliseconds, floor: 5 },
  { title: "errors", series: [{ key: "errors", colour: "series-3", isFilled: true }], format: brief, floor: 1, unit: "perSecond" },
];

/** 0: all of the page's own samples. */
let spanMinutes = 0;

export class OverviewView {
  element;
  #app;
  #cards;
  #facts = make("dl", "facts");
  #figures = new Figures(charts);
  /** The part of the view and the shard that the address names; null once it was led to. */
  #goal;
  #span;
  #shards;
  #kinds = make("div", "table");
  #news = make("ol", "news");
  #pointedAt = null;

  constructor(app, _, settings) {
    this.#app = app;
    const asked = whole(settings.get("span"));
    if (spans.includes(asked)) spanMinutes = asked;
    this.#goal = settings.has("at") ? { part: settings.get("at"), shard: whole(settings.get("shard"), 0) } : null;
    this.#cards = charts.map((chart) => this.#chartCard(chart));
    const options = [["0", say("spanAll")], ...spans.map((n) => [`${n}`, spanText(n)])];
    this.#span = select(say("span"), options, `${spanMinutes}`, (value) => {
      spanMinutes = Number(value);
      app.remember(spanMinutes ? `#/overview?span=${spanMinutes}` : "#/overview");
      this.#pointedAt = null;
      this.#draw();
    });
    this.#shards = this.#shardTable();
    this.#news.tabIndex = 0;
    this.#news.setAttribute("aria-label", say("news"));
    this.element = make(
      "div",
      "overview",
      make("div", "view-head", make("h1", "", say("overview")), this.#facts, this.#span),
      make("div", "charts", ...this.#cards.map(({ element }) => element)),
      this.#figures.element,
      make(
        "div",
        "columns",
        card(say("shards"), "", this.#shards.element),
        card(say("rooms"), "", this.#kinds),
        card(say("news"), "", this.#news),
      ),
    );
  }

  enter() {
    this.#app.feed.watch({ watch: "overview" });
    this.#showNews();
    if (this.#app.history.latest) this.#show();
  }

  leave() {
    for (const { chart } of this.#cards) chart.stop();
  }

  receive(kind) {
    if (kind === "overview") this.#show();
  }

  #chartCard({ title, series, labels, format, floor, unit, scaleUnit }) {
    const canvas = make("canvas");
    const values = series.map(({ colour }, at) => {
      const value = make("b");
      const key = labels && make("small", `key ${colour}`, say(labels[at]));
      return { value, element: make("span", "figure", value, key) };
    });
    // Arrows choose the moment whose figures are told.
    canvas.setAttribute("role", "slider");
    canvas.tabIndex = 0;
    canvas.setAttribute("aria-label", say("chartHint", { name: say(`chart.${title}`) }));
    canvas.addEventListener("keydown", (event) => this.#takeKey(event));
    canvas.addEventListener("blur", () => this.#point(null));
    canvas.addEventListener("pointermove", (event) => this.#point(chart.momentAt(event.offsetX)));
    canvas.addEventListener("pointerleave", () => this.#point(null));
    const chart = new Chart(canvas, { series, format, floor, unit: scaleUnit });
    const heading = make("h2", "", say(`chart.${title}`), unit && make("small", "", ` ${say(unit)}`));
    const head = make("header", "card-head", heading, make("div", "figures", ...values.map(({ element }) => element)));
    return { title, element: make("section", `card chart chart-${title}`, head, canvas), chart, canvas, values, series, format };
  }

  /** Shows the moment under the pointer of one chart in all charts. */
  #point(atMs) {
    this.#pointedAt = atMs;
    this.#draw();
  }

  /** Moves the chosen moment by a key: Right and Left by a sample, Up and Down by ten, Esc to now. */
  #takeKey(event) {
    const { samples } = this.#source();
    const at = this.#pointedAt === null ? samples.length - 1 : samples.indexOf(nearest(samples, this.#pointedAt));
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowDown: at - 10, ArrowUp: at + 10, Home: 0, End: samples.length }[event.key];
    if (event.key === "Escape" && this.#pointedAt !== null) this.#point(null);
    else if (to === undefined || samples.length === 0) return;
    else this.#point(to >= samples.length ? null : samples[Math.max(0, to)].atMs);
    event.preventDefault();
  }

  /** The samples of the chosen span, with their gap and length. */
  #source() {
    const { samples, newest } = this.#app.history;
    if (spanMinutes > livelySpanMax) {
      this.#app.minutes.want();
      const ago = newest.atMs - spanMinutes * 60_000;
      // The line goes on to now.
      const shown = [...this.#app.minutes.samples.filter(({ atMs }) => atMs >= ago && atMs < newest.atMs), newest];
      return { samples: shown, minutes: spanMinutes, gapMs: minutesGapMs };
    }
    const keptMs = newest.atMs - samples[0].atMs;
    const lively = spans.filter((each) => each <= livelySpanMax);
    const minutes = spanMinutes || (lively.find((each) => keptMs <= each * 60_000) ?? livelySpanMax);
    return { samples, minutes, gapMs: livelyGapMs };
  }

  /** Leads to the part that the address names, once it is there. */
  #lead() {
    if (!this.#goal) return;
    const { part, shard } = this.#goal;
    this.#goal = null;
    const row = part === "shards" && shard !== null ? this.#shards.elementOf(shard) : null;
    const places = { shards: this.#shards.element, rooms: this.#kinds, news: this.#news, facts: this.#facts };
    const chart = this.#cards.find(({ title }) => title === part);
    const place = row ?? chart?.element ?? (Object.hasOwn(places, part) ? places[part] : null);
    if (!place) return;
    place.classList.add(row ? "is-chosen" : "is-led");
    const target = chart?.canvas ?? place;
    if (target.tabIndex < 0) target.tabIndex = -1;
    target.focus({ preventScroll: true });
    place.scrollIntoView({ block: "center" });
  }

  #show() {
    const { latest, newest } = this.#app.history;
    this.#draw();
    this.#showFacts(latest, newest);
    this.#shards.show(latest.shards ?? []);
    this.#showKinds(latest.rooms.byKind);
    this.#showNews();
    this.#lead();
  }

  #draw() {
    const { newest } = this.#app.history;
    if (!newest) return;
    const { samples, minutes, gapMs } = this.#source();
    const at = this.#pointedAt === null ? newest : nearest(samples, this.#pointedAt);
    for (const { chart, canvas, values, series, format } of this.#cards) {
      chart.show(samples, newest.atMs, minutes * 60_000, this.#pointedAt, gapMs);
      series.forEach(({ key }, each) => setText(values[each].value, isKnown(at[key]) ? format(at[key]) : "–"));
      const figures = values.map(({ element }) => element.textContent).join(", ");
      const text = say(this.#pointedAt === null ? "momentNow" : "momentAt", { at: moment(at.atMs), figures });
      canvas.setAttribute("aria-valuenow", Math.round((at.atMs - newest.atMs) / 1_000));
      canvas.setAttribute("aria-valuemin", -minutes * 60);
      canvas.setAttribute("aria-valuemax", 0);
      canvas.setAttribute("aria-valuetext", text);
    }
    this.#figures.show(samples, newest.atMs, minutes * 60_000);
  }

  #showFacts(latest, newest) {
    const { connections, messages, commits } = latest;
    const facts = [
      ["fact.rooms", number(latest.rooms.open), "#/rooms"],
      ["fact.suspects", number(latest.rooms.suspects), "#/suspects"],
      ["fact.in", newest.bytesReceived === null ? "–" : `${bytes(newest.bytesReceived)}/s`],
      ["fact.out", newest.bytesSent === null ? "–" : `${bytes(newest.bytesSent)}/s`],
      ["fact.queued", bytes(messages.sendQueueBytes)],
      ["fact.behind", number(connections.behind), "#/connections"],
      ["fact.taps", newest.taps === null ? "–" : `${brief(newest.taps)}/s`, "#/schools"],
      ["fact.lag", milliseconds(commits.journalLagSeconds * 1_000)],
    ];
    if (latest.copy) facts.push(["fact.copy", milliseconds(latest.copy.ageSeconds * 1_000)]);
    if (this.#facts.children.length !== facts.length) {
      const name = (key, address) => make("dt", "", address ? link(say(key), address) : say(key));
      this.#facts.replaceChildren(...facts.map(([key, , address]) => make("div", "", name(key, address), make("dd"))));
    }
    facts.forEach(([, value], at) => setText(this.#facts.children[at].lastChild, value));
  }

  #shardTable() {
    const { history } = this.#app;
    const orUnknown = (value, format) => (value === null ? "–" : format(value));
    return new Table({
      label: say("shards"),
      empty: say("none"),
      keyOf: ({ shard }) => shard,
      columns: [
        { label: "shard", className: "number", text: ({ shard }) => `${shard}` },
        { label: "connectionsShort", className: "number", text: ({ connections }) => number(connections) },
        { label: "rooms", className: "number", text: ({ rooms }) => number(rooms) },
        { label: "cpu", className: "number", text: ({ shard }) => orUnknown(history.shardRate(shard, "cpuSeconds"), percent) },
        { label: "load", className: "number", text: ({ load }) => percent(load ?? 0) },
        {
          label: "messagesIn",
          className: "number",
          text: ({ shard }) => orUnknown(history.shardRate(shard, "messagesReceived"), brief),
        },
        { label: "queue", className: "number", text: ({ sendQueueBytes }) => bytes(sendQueueBytes) },
        {
          label: "lateP99",
          className: "number",
          text: ({ shard }) => orUnknown(history.shardLatenessMs(shard), milliseconds),
        },
      ],
    });
  }

  /** Rooms and their players, by game and phase. */
  #showKinds(kinds) {
    const phases = ["LOBBY", "PLAYING", "ENDED"];
    const modes = [...new Set(kinds.map(({ mode }) => mode))];
    const cell = (mode, phase) => kinds.find((kind) => kind.mode === mode && kind.phase === phase);
    const text = (kind) => (kind?.rooms ? `${number(kind.rooms)} · ${number(kind.players)}` : "–");
    const texts = modes.map((mode) => [say(mode), ...phases.map((phase) => text(cell(mode, phase)))]);
    const signature = JSON.stringify(texts);
    if (this.#kinds.dataset.shown === signature) return;
    this.#kinds.dataset.shown = signature;
    const head = make("tr", "", ...["game", ...phases].map((key, at) => make("th", at ? "number" : "", say(key))));
    const rows = texts.map((row) => make("tr", "", ...row.map((each, at) => make("td", at ? "number" : "", each))));
    const table = make("table", "", make("thead", "", head), make("tbody", "", ...rows));
    this.#kinds.replaceChildren(table, make("p", "hint", say("kindsHint")));
  }

  #showNews() {
    const news = this.#app.news.items;
    if (this.#news.childElementCount === news.length && this.#news.dataset.newest === `${news[0]?.key}`) return;
    this.#news.dataset.newest = `${news[0]?.key}`;
    const lines = news.map(({ atMs, level, text }) => {
      return make("li", `level-${level}`, make("time", "", moment(atMs)), make("span", "", text));
    });
    this.#news.replaceChildren(...(lines.length > 0 ? lines : [make("li", "hint", say("noNews"))]));
  }
}

function spanText(minutes) {
  if (minutes >= 1_440) return say("unit.day");
  return minutes >= 60 ? say("unit.hours", { n: minutes / 60 }) : say("unit.minutes", { n: minutes });
}

function isKnown(value) {
  return value !== null && value !== undefined;
}
