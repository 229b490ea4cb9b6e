// The overview: the server's figures now and in the last minutes, warnings, shards, rooms, news.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { Chart, nearest } from "./console-charts.js";
import { brief, bytes, milliseconds, moment, percent } from "./console-format.js";
import { card, select, setText } from "./console-parts.js";
import { Table } from "./console-table.js";

const spans = [1, 2, 5, 10];

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
    title: "lateness",
    series: [{ key: "latenessMs", colour: "series-3", isFilled: true }],
    format: milliseconds,
    floor: 5,
  },
  { title: "cpu", series: [{ key: "cpu", colour: "series-1", isFilled: true }], format: percent, floor: 0.2 },
  {
    title: "memory",
    series: [{ key: "memory", colour: "series-5", isFilled: true }],
    format: bytes,
    floor: 2 ** 24,
    scaleUnit: 2 ** 20,
  },
  { title: "commits", series: [{ key: "commitMs", colour: "series-3", isFilled: true }], format: milliseconds, floor: 5 },
];

/** 0: all samples. */
let spanMinutes = 0;

export class OverviewView {
  element;
  #app;
  #cards;
  #facts = make("dl", "facts");
  #shards;
  #kinds = make("div", "table");
  #news = make("ol", "news");
  #pointedAt = null;

  constructor(app) {
    this.#app = app;
    this.#cards = charts.map((chart) => this.#chartCard(chart));
    const options = [["0", say("spanAll")], ...spans.map((n) => [`${n}`, say("unit.minutes", { n })])];
    const span = select(say("span"), options, `${spanMinutes}`, (value) => {
      spanMinutes = Number(value);
      this.#draw();
    });
    this.#shards = this.#shardTable();
    this.#news.tabIndex = 0;
    this.#news.setAttribute("aria-label", say("news"));
    this.element = make(
      "div",
      "overview",
      make("div", "view-head", make("h1", "", say("overview")), this.#facts, span),
      make("div", "charts", ...this.#cards.map(({ element }) => element)),
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
    canvas.setAttribute("role", "img");
    canvas.addEventListener("pointermove", (event) => this.#point(chart.momentAt(event.offsetX)));
    canvas.addEventListener("pointerleave", () => this.#point(null));
    const chart = new Chart(canvas, { series, format, floor, unit: scaleUnit });
    const heading = make("h2", "", say(`chart.${title}`), unit && make("small", "", ` ${say(unit)}`));
    const head = make("header", "card-head", heading, make("div", "figures", ...values.map(({ element }) => element)));
    return { element: make("section", `card chart chart-${title}`, head, canvas), chart, canvas, values, series, format };
  }

  /** Shows the moment under the pointer of one chart in all charts. */
  #point(atMs) {
    this.#pointedAt = atMs;
    this.#draw();
  }

  #show() {
    const { latest, newest } = this.#app.history;
    this.#draw();
    this.#showFacts(latest, newest);
    this.#shards.show(latest.shards ?? []);
    this.#showKinds(latest.rooms.byKind);
    this.#showNews();
  }

  #draw() {
    const { samples, newest } = this.#app.history;
    if (!newest) return;
    const keptMs = newest.atMs - samples[0].atMs;
    const minutes = spanMinutes || (spans.find((each) => keptMs <= each * 60_000) ?? spans.at(-1));
    const at = this.#pointedAt === null ? newest : nearest(samples, this.#pointedAt);
    for (const { chart, canvas, values, series, format } of this.#cards) {
      chart.show(samples, newest.atMs, minutes * 60_000, this.#pointedAt);
      series.forEach(({ key }, each) => setText(values[each].value, at[key] === null ? "–" : format(at[key])));
      canvas.setAttribute("aria-label", values.map(({ element }) => element.textContent).join(", "));
    }
  }

  #showFacts(latest, newest) {
    const { connections, messages, commits } = latest;
    const facts = [
      ["fact.rooms", number(latest.rooms.open)],
      ["fact.suspects", number(latest.rooms.suspects)],
      ["fact.in", newest.bytesReceived === null ? "–" : `${bytes(newest.bytesReceived)}/s`],
      ["fact.out", newest.bytesSent === null ? "–" : `${bytes(newest.bytesSent)}/s`],
      ["fact.queued", bytes(messages.sendQueueBytes)],
      ["fact.behind", number(connections.behind)],
      ["fact.taps", newest.taps === null ? "–" : `${brief(newest.taps)}/s`],
      ["fact.lag", milliseconds(commits.journalLagSeconds * 1_000)],
    ];
    if (latest.copy) facts.push(["fact.copy", milliseconds(latest.copy.ageSeconds * 1_000)]);
    if (this.#facts.children.length !== facts.length) {
      this.#facts.replaceChildren(...facts.map(([key]) => make("div", "", make("dt", "", say(key)), make("dd"))));
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
