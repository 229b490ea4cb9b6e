// One room, live or as a recorded game: its ground as its players see it, its players, its chats and events.
import { make } from "./dom.js";
import { say } from "./language.js";
import { GroundMap } from "./map.js";
import { RoomCopy } from "./room.js";
import { RoomScene } from "./scene.js";
import { Authors, openAuthorMenu } from "./console-authors.js";
import { isIdentifier, nameOfWalker, plain } from "./console-format.js";
import { RoomLog, lineOf } from "./console-log.js";
import { Members } from "./console-members.js";
import { card, iconButton, takeMapKey } from "./console-parts.js";
import { Replay, fetchTrack, gameIn } from "./console-replay.js";
import { RoomHead } from "./console-room-head.js";
import { Scrubber } from "./console-scrubber.js";

const linesKept = 400;
/** Trails are longer than on players' maps. */
const trailMax = 90;
/** A fix comes each second. */
const glideMs = 1_000;

export class RoomView {
  element;
  #app;
  #id;
  /** The feed's data: the room, its members by their identifiers, and the log's lines. */
  #live = null;
  #shard = null;
  #members = new Map();
  #lines = [];
  #games = [];
  #isGone = false;
  /** The view was left: later answers are ignored. */
  #isLeft = false;
  /** The text of the error that keeps a requested game from being shown. */
  #fault = null;
  /** The game that is shown instead of the live room, or null; the name of the game that is being loaded. */
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
  #log;
  #authors = new Authors();
  #scrubber;
  #head;

  constructor(app, [id], settings) {
    this.#app = app;
    // The feed would be closed over an address with a mistyped identifier.
    this.#id = isIdentifier(id) ? id : "";
    this.#wanted = gameIn(settings, this.#id);
    this.#log = new RoomLog((anchor, { player, name }) => {
      openAuthorMenu(app.actions, anchor, { player, nickname: name, room: this.#id, code: this.#shown?.code });
    });
    const canvas = make("canvas", "room-map");
    canvas.tabIndex = 0;
    canvas.setAttribute("aria-label", say("mapHint"));
    canvas.addEventListener("keydown", (event) => takeMapKey(event, this.#map, () => this.#map.showAll()));
    this.#map = new GroundMap(canvas);
    this.#map.actors.trailMax = trailMax;
    this.#map.hasStreets = true;
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
    this.#head = new RoomHead(this.#id, {
      announce: () => this.#app.actions.announce(this.#summary(), 0),
      close: () => this.#app.actions.closeRoom(this.#summary()),
      game: (game) => this.#goTo(game, null),
    });
    const tools = make(
      "div",
      "map-tools",
      iconButton("plus", say("zoomIn"), () => this.#map.zoom(1.5)),
      iconButton("minus", say("zoomOut"), () => this.#map.zoom(1 / 1.5)),
      iconButton("everyone", say("showEveryone"), () => this.#map.showAll()),
      iconButton("ground", say("showGround"), () => this.#map.showGround()),
    );
    const { element, top, notice } = this.#head;
    const frame = make("div", "map-frame", canvas, top, tools, notice);
    const members = card(say("members"), "members", this.#list.element);
    this.element = make(
      "div",
      "room",
      element,
      make("section", "card map-card", frame, this.#scrubber.element),
      make("aside", "room-side", members, card(say("log"), "log-card", this.#log.element)),
    );
  }

  enter() {
    if (this.#id) this.#app.feed.watch({ watch: "room", room: this.#id });
    else this.#takeEnd();
    this.#map.start();
    this.#clock = setInterval(() => this.#refresh(), 250);
    this.#refresh();
  }

  leave() {
    this.#isLeft = true;
    this.#isPlaying = false;
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

  /** The map's frames a second and time for each; for measurements. */
  get figures() {
    return this.#map.figures;
  }

  #takeRoom({ state, members, shard, authors }) {
    const isFirst = this.#live === null;
    const isOtherPhase = !isFirst && this.#live.phase !== state.phase;
    const isNew = isFirst || isOtherPhase || this.#live.gameId !== (state.gameId ?? "");
    if (isFirst) this.#live = new RoomCopy(state, null, nameOfWalker);
    else this.#live.replace(state);
    this.#isGone = false;
    this.#shard = shard;
    this.#takeMembers(members);
    this.#authors.take(authors);
    this.#takeLines(state.chats ?? []);
    // A whole state has chats, but no phase events, so the line is made here.
    if (isOtherPhase) this.#takeLines([{ number: state.lastEvent, atMs: state.gameMs, phase: { phase: state.phase } }]);
    if (!this.#replay) this.#showRoom(isNew);
    if (isFirst) this.#map.actors.isEmpty ? this.#map.showGround() : this.#map.showAll();
    if (isNew) this.#askForGames();
    this.#showHead();
  }

  #takeTick({ tick, members, authors }) {
    const room = this.#live;
    const events = room.apply(tick);
    this.#authors.take(authors);
    if (members) this.#takeMembers(members);
    else if (room.players.size === 0) this.#takeMembers([]);
    const lines = this.#takeLines(events);
    const hasPhase = events.some(({ phase }) => phase);
    if (hasPhase) this.#askForGames();
    if (!this.#replay) {
      this.#log.add(lines);
      this.#draw(tick, events);
      if (members) this.#scene.dress();
      this.#showMembers();
    }
    if (hasPhase || events.length > 0) this.#showHead();
  }

  #takeMembers(members) {
    this.#members = new Map(members.map((member) => [member.player, member]));
  }

  /** Adds the lines of new events, and returns those lines. */
  #takeLines(events) {
    this.#authors.meet(this.#live);
    const known = this.#lines.at(-1)?.key ?? 0;
    const lines = events.filter((event) => event.number > known).map((event) => lineOf(event, this.#live, this.#authors)).filter(Boolean);
    this.#lines.push(...lines);
    this.#lines.splice(0, this.#lines.length - linesKept);
    return lines;
  }

  #takeEnd() {
    this.#isGone = true;
    this.#showHead();
    // The room's games are kept longer than the room.
    if (this.#id) this.#askForGames();
  }

  /** Draws a tick's changes of the shown room on the map. */
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
    this.#showMembers();
    this.#log.replace(this.#replay ? [] : this.#lines);
  }

  #showMembers() {
    this.#list.show(this.#shown, this.#members, { id: this.#id, isRecorded: this.#replay !== null });
  }

  #summary() {
    return { id: this.#id, code: this.#live.code, players: this.#live.players.size };
  }

  #showHead() {
    const suspects = [...this.#members.values()].filter(({ suspect }) => suspect).length;
    const room = this.#live ?? this.#shown;
    this.#head.show({ room, isGone: this.#isGone, suspects, shard: this.#live && this.#shard });
    this.#showNotice();
  }

  #showNotice() {
    if (this.#fault) return this.#head.say(this.#fault, this.#isGone ? this.#games : []);
    if (!this.#isGone || this.#replay) return this.#head.say(null);
    const key = this.#live ? "roomGone" : this.#games.length > 0 ? "roomGoneGames" : "roomGoneNothing";
    this.#head.say(say(key), this.#games);
  }

  /** Shows the values that follow the clock, four times a second. Without a connection they stand still. */
  #refresh() {
    const room = this.#live;
    const isHeard = this.#app.feed.isOpen;
    const kind = this.#replay ? "recorded" : this.#isGone ? "gone" : isHeard ? "live" : "lost";
    const isOn = kind === "live" && room?.phase === "PLAYING";
    this.#head.showState(kind, isOn ? room.leftMs : null);
    if (!this.#replay && (isHeard || this.#isGone)) this.#showScrubber();
  }

  // The room's games, and their playback.

  async #askForGames() {
    try {
      const { games } = await this.#app.feed.query("games", { room: this.#id });
      if (this.#isLeft) return;
      this.#games = games;
    } catch {
      // The connection was lost. The next one sends the room again, and then the games are requested again.
      return;
    }
    this.#showScrubber();
    this.#showNotice();
    const wanted = this.#wanted;
    this.#wanted = null;
    if (wanted && !this.#replay) this.#goTo(wanted, null);
  }

  /** Shows a game from its start, or from a moment of it. */
  async #goTo(game, atMs) {
    if (this.#wanted === game) {
      this.#seekTo = atMs;
      return;
    }
    this.#wanted = game;
    this.#seekTo = atMs;
    try {
      const track = await fetchTrack(game);
      // The operator has chosen another game or view meanwhile.
      if (this.#wanted !== game || this.#isLeft) return;
      this.#replay = new Replay(track);
      this.#authors.take(track.authors);
      this.#fault = null;
    } catch (error) {
      if (this.#wanted !== game || this.#isLeft) return;
      this.#fault = say("noTrack", { status: error.message });
      this.#showScrubber();
      return this.#showNotice();
    } finally {
      if (this.#wanted === game) this.#wanted = null;
    }
    this.#app.remember(`#/room/${this.#id}?game=${encodeURIComponent(game)}`);
    this.#showHead();
    this.#showRoom(true);
    this.#seek(this.#seekTo ?? this.#replay.startMs);
    this.#play(this.#seekTo === null);
    if (this.#chosen === null) this.#map.showPlaces(this.#replay.places);
    this.#refresh();
  }

  #goLive() {
    this.#wanted = this.#fault = null;
    this.#play(false);
    // A room that has ended may have no live state. Then the last shown moment stays.
    if (!this.#live) return;
    this.#replay = null;
    this.#setGlide();
    this.#app.remember(`#/room/${this.#id}`);
    this.#showRoom(true);
    this.#showHead();
    this.#refresh();
  }

  /** Goes to a moment of the shown game. In the live room it opens the recording of the newest game. */
  #seek(ms) {
    if (!this.#replay) return this.#live?.gameId && this.#goTo(this.#live.gameId, ms);
    this.#advance(ms);
    this.#scene.placePlayers();
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
        this.#authors.meet(this.#replay.room);
        lines.push(...events.map((event) => lineOf(event, this.#replay.room, this.#authors)).filter(Boolean));
      },
    });
    this.#log.add(lines);
    if (isChanged) this.#showMembers();
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
      canGoLive: room !== null,
      canSeek: replay !== null || Boolean(room?.gameId),
    });
  }
}
