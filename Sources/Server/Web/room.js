// A copy of the room, maintained from its state and its ticks: PROTOCOL.md, "Keeping a copy of the room". It has data
// only; views read it. The operators' console shares it.

const placeKey = ({ seat, spectator }) => (seat !== undefined ? `s${seat}` : `w${spectator}`);

export class RoomCopy {
  /** `nameOfWalker` makes the shown name of a practice opponent from the one that the server gave it. */
  constructor(state, playerId, nameOfWalker = (nickname) => nickname) {
    this.nameOfWalker = nameOfWalker;
    this.playerId = playerId;
    this.replace(state);
  }

  /** Takes a whole state, which replaces everything. */
  replace(state) {
    this.code = state.code ?? "";
    this.joinUrl = state.joinUrl ?? "";
    this.phase = state.phase;
    this.mode = state.mode;
    this.lastEvent = state.lastEvent ?? 0;
    this.durationS = state.durationS ?? 0;
    this.capacity = state.capacity ?? 0;
    this.fill = state.fill ?? 0;
    this.fillStrength = state.fillStrength;
    this.hostOnly = state.hostOnly ?? false;
    this.solo = state.solo ?? false;
    this.spectators = state.spectators ?? false;
    this.locked = state.locked ?? false;
    this.host = state.host;
    this.you = state.you ?? {};
    this.gameId = state.gameId ?? "";
    this.cutting = state.cutting ?? false;
    this.suspect = state.suspect ?? false;
    this.endsAtGameMs = state.endsAtGameMs;
    this.boardAtGameMs = state.boardAtGameMs;
    this.throughMs = Number(state.throughMs ?? 0);
    this.lateMs = 1_000 * (state.lateS ?? 0);
    this.board = this.#named(state.board ?? []);
    this.order = state.order ?? [];
    this.lands = state.lands ?? [];
    this.run = state.run ?? null;
    this.path = (state.pathLatE7 ?? []).map((latE7, index) => ({ latE7, lngE7: state.pathLngE7[index] }));
    this.players = new Map(this.#named(state.players ?? []).map((player) => [placeKey(player), player]));
    this.walkerSeats = new Set(this.seated.filter(({ walker }) => walker).map(({ seat }) => seat));
    this.names = new Map([...this.players].map(([key, player]) => [key, player.nickname]));
    this.positions = new Map();
    this.points = new Map();
    this.chats = [];
    for (const event of state.chats ?? []) this.#addChat(event);
    this.#setArena(state.arena);
    this.#setRows(state);
    this.footprints = footprintsOf(state);
    this.#setCells(state);
    this.#setClock(state.gameMs ?? 0);
  }

  /** Applies a tick, and returns its new events. */
  apply(tick) {
    const events = (tick.events ?? []).filter(({ number }) => number > this.lastEvent);
    for (const event of events) {
      this.lastEvent = event.number;
      this.#applyEvent(event);
    }
    this.#setRows(tick);
    this.order = tick.order ?? this.order;
    if (tick.arena) this.#setArena(tick.arena);
    this.#setCells(tick);
    for (const cursor of tick.cursors ?? []) {
      const player = this.players.get(placeKey(cursor));
      if (player) player.readUpTo = cursor.upTo;
    }
    this.#setClock(tick.gameMs ?? 0);
    return events;
  }

  /** My own row of the players. */
  get me() {
    return this.players.get(placeKey(this.you));
  }

  get mySeat() {
    return this.you.seat;
  }

  get isHost() {
    return this.mySeat !== undefined && this.mySeat === this.host;
  }

  /** Whether I may start a game or return to the lobby for the next. */
  get mayLead() {
    return this.mySeat !== undefined && (!this.hostOnly || this.isHost);
  }

  get seated() {
    return [...this.players.values()].filter(({ seat }) => seat !== undefined).sort((a, b) => a.seat - b.seat);
  }

  get watching() {
    return [...this.players.values()].filter(({ spectator }) => spectator !== undefined);
  }

  /**
   * The seated players, best first, in the server's order. Behind its ten best people, equal points share a rank.
   * Without points there is no rank, nor has a practice opponent one.
   */
  get standings() {
    const rows = this.seated.map((player) => ({ ...player, points: this.points.get(player.seat) ?? 0 }));
    const placeOf = ({ seat }) => this.order.indexOf(seat) + 1 || Infinity;
    const behind = (a, b) => b.points - a.points || a.seat - b.seat;
    rows.sort((a, b) => (placeOf(a) === placeOf(b) ? behind(a, b) : placeOf(a) - placeOf(b)));
    const people = rows.filter(({ walker }) => !walker);
    const ordered = this.order.filter((seat) => !this.walkerSeats.has(seat));
    const rankOf = ({ seat, points }) => {
      const place = ordered.indexOf(seat) + 1;
      if (place > 0) return place;
      const better = people.filter((other) => other.points > points).length;
      return Math.max(ordered.length, better) + 1;
    };
    return rows.map((row) => ({ ...row, rank: row.points > 0 && !row.walker ? rankOf(row) : null }));
  }

  /** The first `max` rows of the standings. A practice opponent takes no row from a person. */
  best(max) {
    const { standings } = this;
    let people = Math.min(max, standings.filter(({ walker }) => !walker).length);
    let others = max - people;
    return standings.filter(({ walker }) => (walker ? others-- > 0 : people-- > 0));
  }

  /** The room's clock, which also advances between ticks. */
  get clockMs() {
    return this.gameMs + (performance.now() - this.gameMsAt);
  }

  get leftMs() {
    return this.endsAtGameMs === undefined ? 0 : Math.max(0, this.endsAtGameMs - this.clockMs);
  }

  /** The time of the game is up, and the board waits for fixes from before. */
  get isTimeUp() {
    return this.boardAtGameMs !== undefined;
  }

  nameAt(place) {
    return this.names.get(placeKey(place)) ?? "…";
  }

  /** The number of a position's cell in the arena; -1 outside, and while the arena's place is unknown. */
  cellAt({ latE7, lngE7 }) {
    const arena = this.arena;
    if (arena?.latE7 === undefined) return -1;
    const perUnit = 0.011119508;
    const north = (latE7 - arena.latE7) * perUnit;
    const east = (lngE7 - arena.lngE7) * perUnit * Math.cos((arena.latE7 / 1e7) * (Math.PI / 180));
    const row = Math.floor(north / arena.cellM + arena.cells / 2);
    const column = Math.floor(east / arena.cellM + arena.cells / 2);
    const isInside = row >= 0 && row < arena.cells && column >= 0 && column < arena.cells;
    return isInside ? row * arena.cells + column : -1;
  }

  #applyEvent(event) {
    if (event.joined) {
      const key = placeKey(event.joined);
      const [player] = this.#named([event.joined]);
      this.players.set(key, player);
      this.names.set(key, player.nickname);
      if (player.walker) this.walkerSeats.add(player.seat);
      if (!player.walker && player.playerId === this.playerId) this.you = placeOf(event.joined);
    } else if (event.left) {
      this.players.delete(placeKey(event.left));
    } else if (event.held ?? event.back) {
      const player = this.players.get(placeKey(event.held ?? event.back));
      if (player) player.held = event.held !== undefined;
    } else if (event.host) {
      this.host = event.host.seat;
    } else if (event.hostAct?.locked !== undefined) {
      this.locked = event.hostAct.locked;
    } else if (event.phase) {
      this.#changePhase(event.phase);
    } else if (event.timeUp) {
      this.boardAtGameMs = event.timeUp.boardAtGameMs;
      this.endsAtGameMs = Math.min(this.endsAtGameMs, event.atMs ?? 0);
    } else if (event.captured?.land) {
      const land = this.lands.find(({ landId }) => landId === event.captured.land.landId);
      if (land) Object.assign(land, { holder: event.captured.seat ?? 0, timeMs: event.captured.land.timeMs });
    } else if (event.chat) {
      this.#addChat(event);
    }
  }

  #changePhase({ phase, gameId, endsAtGameMs, board }) {
    this.phase = phase;
    this.order = [];
    this.boardAtGameMs = undefined;
    if (phase === "PLAYING") {
      this.gameId = gameId ?? "";
      this.endsAtGameMs = endsAtGameMs;
      this.board = [];
      this.walkerSeats.clear();
      this.positions.clear();
      this.points.clear();
      if (this.arena) this.#setArena({ cellM: this.arena.cellM, cells: this.arena.cells });
      for (const land of this.lands) Object.assign(land, { holder: undefined, timeMs: undefined });
    } else {
      this.endsAtGameMs = undefined;
    }
    if (phase === "ENDED") this.board = this.#named(board ?? []);
    this.path = [];
    this.run = null;
    this.suspect = false;
  }

  /** The words are in another language now: practice opponents are called anew. */
  renameWalkers() {
    for (const row of [...this.players.values(), ...this.board]) {
      if (row.walker) row.nickname = this.nameOfWalker(row.given);
    }
    for (const [key, { nickname }] of this.players) this.names.set(key, nickname);
  }

  /** Copies of players or rows, with the shown names of practice opponents. */
  #named(players) {
    return players.map((player) => {
      const { nickname, walker } = player;
      return walker ? { ...player, given: nickname, nickname: this.nameOfWalker(nickname) } : { ...player };
    });
  }

  #addChat({ number, chat }) {
    this.chats.push({
      number,
      place: placeOf(chat),
      name: this.nameAt(chat),
      text: chat.text ?? "",
      withheld: chat.withheld ?? false,
    });
    if (this.chats.length > 200) this.chats.shift();
  }

  #setRows({ seats = [], latE7, lngE7, points }) {
    seats.forEach((seat, row) => {
      this.positions.set(seat, { latE7: latE7[row], lngE7: lngE7[row] });
      this.points.set(seat, points[row]);
    });
  }

  /** Sets the arena. Cells stay when only its place becomes known. */
  #setArena(arena) {
    const known = this.arena;
    this.arena = arena;
    const isSame = known && arena && known.cells === arena.cells && known.latE7 === undefined;
    if (!isSame) this.cells = arena ? new Int16Array(arena.cells ** 2).fill(-1) : null;
  }

  #setCells({ cellStarts = [], cellCounts, cellSeats }) {
    cellStarts.forEach((start, run) => this.cells?.fill(cellSeats[run], start, start + cellCounts[run]));
  }

  #setClock(gameMs) {
    this.gameMs = gameMs;
    this.gameMsAt = performance.now();
  }
}

/** The newest footprints by seat, in the order in which they scored. */
function footprintsOf({ footprintSeats = [], footprintCounts, footprintLatE7, footprintLngE7 }) {
  let next = 0;
  return new Map(
    footprintSeats.map((seat, index) => {
      let [latE7, lngE7] = [0, 0];
      const places = Array.from({ length: footprintCounts[index] }, () => {
        latE7 = (latE7 + footprintLatE7[next]) | 0;
        lngE7 = (lngE7 + footprintLngE7[next]) | 0;
        next += 1;
        return { latE7, lngE7 };
      });
      return [seat, places];
    })
  );
}

function placeOf({ seat, spectator }) {
  return seat !== undefined ? { seat } : { spectator };
}
