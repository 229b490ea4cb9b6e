// One room: its ground as its players see it, live or as a game of it was recorded; who is in it, what is said and done.
import { clockText, make } from "./dom.js";
import { number, say } from "./language.js";
import { GroundMap } from "./map.js";
import { RoomCopy } from "./room.js";
import { RoomScene } from "./scene.js";
import { brieflyNamed, moment, plain } from "./console-format.js";
import { RoomLog, lineOf } from "./console-log.js";
import { Members } from "./console-members.js";
import { button, card, iconButton, link, setText, tag } from "./console-parts.js";
import { Replay, fetchTrack } from "./console-replay.js";
import { Scrubber } from "./console-scrubber.js";

const linesKept = 400;
/** Trails are longer than players' own maps have them. */
const trailMax = 90;
/** A fix comes each second. */
const glideMs = 1_000;

export class RoomView {
  element;
  #app;
  #id;
  /** What the feed told: the room, its members by their identifiers, and the log's lines. */
  #live = null;
  #facts = null;
  #members = new Map();
  #lines = [];
  #games = [];
  #isGone = false;
  /** The game that is seen instead of the live room, or null; which one is on its way. */
  #replay = null;
  #wanted = null;
  #seekTo = null;
  #isPlaying = false;
  #playedAt = 0;
  #frame = null;
  #clock = null;
  #map;
  #scene;
  #chosen = null;
  #list;
  #log = new RoomLog();
  #scrubber;
  #parts;

  constructor(app, [id], settings) {
    this.#app = app;
    this.#id = id ?? "";
    this.#wanted = settings.get("game");
    const canvas = make("canvas", "room-map");
    canvas.tabIndex = 0;
    canvas.setAttribute("aria-label", say("mapHint"));
    canvas.addEventListener("keydown", (event) => this.#takeKey(event));
    this.#map = new GroundMap(canvas);
    this.#map.actors.trailMax = trailMax;
    this.#map.onFollow = (isOn) => !isOn && this.#choose(null);
    this.#scene = new RoomScene(this.#map);
    this.#scene.looksOf = (seat) => this.#looksOf(seat);
    this.#list = new Members(app.actions, (seat) => {
      this.#choose(seat);
      this.#map.follow(seat);
    });
    this.#scrubber = new Scrubber({
      live: () => this.#goLive(),
      game: (game) => this.#goTo(game, null),
      seek: (ms) => this.#seek(ms),
      play: (isOn) => this.#play(isOn),
      speed: () => this.#setGlide(),
    });
    this.#layOut(canvas);
  }

  #layOut(canvas) {
    const parts = {
      title: make("h1"),
      tags: make("span", "tags"),
      facts: make("span", "room-facts"),
      badge: make("span", "map-badge"),
      time: make("span", "map-time"),
      notice: make("p", "map-notice"),
      announce: button(say("announceHere"), () => this.#app.actions.announce(this.#summary(), 0)),
      close: button(say("closeHere"), () => this.#app.actions.closeRoom(this.#summary()), "danger"),
    };
    parts.announce.disabled = parts.close.disabled = true;
    parts.notice.hidden = true;
    const tools = make(
      "div",
      "map-tools",
      iconButton("plus", say("zoomIn"), () => this.#map.zoom(1.5)),
      iconButton("minus", say("zoomOut"), () => this.#map.zoom(1 / 1.5)),
      iconButton("everyone", say("showEveryone"), () => this.#map.showAll()),
      iconButton("ground", say("showGround"), () => this.#map.showGround()),
    );
    const back = link("", "#/rooms", "back");
    back.append("← ", say("rooms"));
    const top = make("div", "map-top", parts.badge, parts.time);
    const headTools = make("div", "head-tools", parts.announce, parts.close);
    const members = card(say("members"), "members", this.#list.element);
    this.#parts = parts;
    this.element = make(
      "div",
      "room",
      make("div", "view-head", back, parts.title, parts.tags, parts.facts, headTools),
      make("section", "card map-card", make("div", "map-frame", canvas, top, tools, parts.notice), this.#scrubber.element),
      make("aside", "room-side", members, card(say("log"), "log-card", this.#log.element)),
    );
    setText(parts.title, brieflyNamed(this.#id));
  }

  enter() {
    // An address may have been mistyped; the feed would break over it.
    if (/^[0-9a-f]{32}$/.test(this.#id)) this.#app.feed.watch({ watch: "room", room: this.#id });
    else this.#takeEnd();
    this.#map.start();
    this.#clock = setInterval(() => this.#beat(), 250);
    this.#beat();
  }

  leave() {
    clearInterval(this.#clock);
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#map.stop();
  }

  receive(kind, body) {
    if (body.id !== this.#id) return;
    if (kind === "room") this.#takeRoom(body);
    if (kind === "tick" && this.#live) this.#takeTick(body);
    if (kind === "roomGone") this.#takeEnd();
  }

  /** The frames that the map draws; for measurements. */
  get figures() {
    return this.#map.figures;
  }

  #takeRoom({ state, members, shard, openedAtMs }) {
    const isFirst = this.#live === null;
    const isOtherPhase = !isFirst && this.#live.phase !== state.phase;
    const isNew = isFirst || isOtherPhase || this.#live.gameId !== (state.gameId ?? "");
    if (isFirst) this.#live = new RoomCopy(state, null);
    else this.#live.replace(state);
    this.#isGone = false;
    this.#facts = { shard, openedAtMs };
    this.#takeMembers(members);
    this.#takeLines(state.chats ?? []);
    // The event itself is none of those that a whole state has.
    if (isOtherPhase) this.#takeLines([{ number: state.lastEvent, atMs: state.gameMs, phase: { phase: state.phase } }]);
    if (!this.#replay) this.#showRoom(isNew);
    if (isFirst) this.#map.actors.isEmpty ? this.#map.showGround() : this.#map.showAll();
    if (isNew) this.#askForGames();
    this.#showHead();
  }

  #takeTick({ tick, members }) {
    const room = this.#live;
    const events = room.apply(tick);
    if (members) this.#takeMembers(members);
    const lines = this.#takeLines(events);
    const hasPhase = events.some(({ phase }) => phase);
    if (hasPhase) this.#askForGames();
    if (!this.#replay) {
      this.#log.add(lines);
      this.#draw(tick, events);
      if (members) this.#scene.dress();
      this.#list.show(room, this.#members);
    }
    if (hasPhase || events.length > 0) this.#showHead();
  }

  #takeMembers(members) {
    this.#members = new Map(members.map((member) => [member.player, member]));
  }

  /** Those lines that were new. */
  #takeLines(events) {
    const known = this.#lines.at(-1)?.key ?? 0;
    const lines = events.filter((event) => event.number > known).map((event) => lineOf(event, this.#live)).filter(Boolean);
    this.#lines.push(...lines);
    this.#lines.splice(0, this.#lines.length - linesKept);
    return lines;
  }

  #takeEnd() {
    this.#isGone = true;
    this.#showHead();
  }

  /** Brings what a tick has changed in the room that is seen onto the map. */
  #draw(tick, events) {
    const phase = events.findLast((event) => event.phase)?.phase;
    if (phase) this.#scene.show(this.#shown, phase.phase === "PLAYING");
    else this.#scene.update(tick, events);
  }

  get #shown() {
    return this.#replay?.room ?? this.#live;
  }

  #looksOf(seat) {
    const { playerId, nickname } = this.#shown.players.get(`s${seat}`);
    const isSuspect = this.#members.get(playerId)?.suspect ?? false;
    return { name: plain(nickname), isSuspect, isChosen: seat === this.#chosen };
  }

  #choose(seat) {
    this.#chosen = seat;
    this.#list.mark(seat);
    if (this.#shown) this.#scene.dress();
  }

  #showRoom(isNew) {
    this.#scene.show(this.#shown, isNew);
    this.#list.show(this.#shown, this.#members);
    this.#log.replace(this.#replay ? [] : this.#lines);
  }

  #summary() {
    return { id: this.#id, code: this.#live.code, players: this.#live.players.size };
  }

  #showHead() {
    const { title, tags, facts, notice, announce, close } = this.#parts;
    notice.hidden = !this.#isGone;
    setText(notice, say("roomGone"));
    const room = this.#live;
    announce.disabled = close.disabled = this.#isGone || !room;
    if (!room) return;
    setText(title, room.code || `${say("solo")} ${brieflyNamed(this.#id)}`);
    document.title = `${title.textContent} · Madang`;
    const suspects = [...this.#members.values()].filter(({ suspect }) => suspect).length;
    const shown = [
      tag(say(room.mode)),
      tag(say(room.phase), room.phase === "PLAYING" ? "good" : ""),
      suspects > 0 && tag(say("suspectsCount", { n: suspects }), "warn"),
    ];
    tags.replaceChildren(...shown.filter(Boolean));
    const texts = [
      say("seated", { n: number(room.seated.length), capacity: number(room.capacity) }),
      room.watching.length > 0 && say("watchingCount", { n: number(room.watching.length) }),
      say("onShard", { n: this.#facts.shard }),
      this.#facts.openedAtMs && say("openedAt", { time: moment(this.#facts.openedAtMs) }),
    ];
    setText(facts, texts.filter(Boolean).join(" · "));
  }

  /** Four times a second: what goes by the clock. */
  #beat() {
    const { badge, time } = this.#parts;
    const room = this.#live;
    const kind = this.#replay ? "recorded" : this.#isGone ? "gone" : "live";
    badge.dataset.kind = kind;
    setText(badge, say(`badge.${kind}`));
    const isOn = room?.phase === "PLAYING" && !this.#replay && !this.#isGone;
    setText(time, isOn ? say("timeLeft", { time: clockText(room.leftMs) }) : "");
    if (!this.#replay) this.#showScrubber();
  }

  // The games of the room, and going back in them.

  async #askForGames() {
    try {
      const { games } = await this.#app.feed.query("games", { room: this.#id });
      this.#games = games;
    } catch {
      // The line was lost; the room is told anew with the next one, and they are asked for again.
      return;
    }
    this.#showScrubber();
    const wanted = this.#wanted;
    this.#wanted = null;
    if (wanted && !this.#replay) this.#goTo(wanted, null);
  }

  /** Shows a game from its start, or at a moment. */
  async #goTo(game, atMs) {
    if (this.#wanted === game) {
      this.#seekTo = atMs;
      return;
    }
    this.#wanted = game;
    this.#seekTo = atMs;
    try {
      const track = await fetchTrack(game);
      // Another was wanted meanwhile.
      if (this.#wanted !== game) return;
      this.#replay = new Replay(track);
    } catch (error) {
      setText(this.#parts.notice, say("noTrack", { status: error.message }));
      this.#parts.notice.hidden = false;
      return;
    } finally {
      if (this.#wanted === game) this.#wanted = null;
    }
    this.#parts.notice.hidden = !this.#isGone;
    this.#app.remember(`#/room/${this.#id}?game=${encodeURIComponent(game)}`);
    this.#showRoom(true);
    this.#seek(this.#seekTo ?? this.#replay.startMs);
    this.#play(this.#seekTo === null);
    if (this.#chosen === null) this.#map.actors.isEmpty ? this.#map.showGround() : this.#map.showAll();
    this.#beat();
  }

  #goLive() {
    this.#wanted = null;
    this.#play(false);
    this.#replay = null;
    this.#setGlide();
    this.#app.remember(`#/room/${this.#id}`);
    if (this.#live) this.#showRoom(true);
    this.#beat();
  }

  /** Of the live room this begins the recording of its newest game. */
  #seek(ms) {
    if (!this.#replay) return this.#live?.gameId && this.#goTo(this.#live.gameId, ms);
    this.#advance(ms);
    this.#scene.settle();
    this.#showScrubber();
  }

  #advance(ms) {
    const lines = [];
    let isChanged = false;
    this.#replay.seek(ms, {
      began: () => {
        isChanged = true;
        this.#scene.show(this.#replay.room, true);
        this.#log.replace([]);
      },
      took: (tick, events) => {
        isChanged = true;
        this.#draw(tick, events);
        lines.push(...events.map((event) => lineOf(event, this.#replay.room)).filter(Boolean));
      },
    });
    this.#log.add(lines);
    if (isChanged) this.#list.show(this.#replay.room, this.#members);
  }

  #play(isOn) {
    if (isOn && this.#replay?.isAtEnd) this.#seek(this.#replay.startMs);
    this.#isPlaying = isOn && this.#replay !== null;
    this.#setGlide();
    this.#playedAt = performance.now();
    if (this.#isPlaying) this.#frame ??= requestAnimationFrame((time) => this.#playOn(time));
    this.#showScrubber();
  }

  #playOn(time) {
    this.#frame = null;
    if (!this.#isPlaying) return;
    const ms = this.#replay.gameMs + Math.max(0, time - this.#playedAt) * this.#scrubber.speed;
    this.#playedAt = Math.max(this.#playedAt, time);
    this.#advance(ms);
    if (this.#replay.isAtEnd) this.#isPlaying = false;
    else this.#frame = requestAnimationFrame((next) => this.#playOn(next));
    this.#showScrubber();
  }

  #setGlide() {
    this.#map.actors.glideMs = this.#replay ? glideMs / this.#scrubber.speed : glideMs;
  }

  #showScrubber() {
    const replay = this.#replay;
    const room = this.#live;
    this.#scrubber.showGames(this.#games, replay?.track.game ?? null);
    const liveMs = room?.phase === "PLAYING" ? Math.max(0, Math.min(room.clockMs, room.endsAtGameMs ?? Infinity)) : 0;
    this.#scrubber.show({
      isLive: replay === null,
      isPlaying: this.#isPlaying,
      startMs: replay?.startMs ?? 0,
      endMs: replay?.endMs ?? liveMs,
      atMs: replay?.gameMs ?? liveMs,
      canSeek: replay !== null || Boolean(room?.gameId),
    });
  }

  #takeKey(event) {
    const ways = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
    if (ways[event.key]) this.#map.pan(...ways[event.key]);
    else if (event.key === "+" || event.key === "=") this.#map.zoom(1.5);
    else if (event.key === "-") this.#map.zoom(1 / 1.5);
    else if (event.key === "Home") this.#map.showAll();
    else return;
    event.preventDefault();
  }
}
