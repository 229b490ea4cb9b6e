// The journal of a simulated room, as a server would keep it: for some rooms every tick, for most only the ticks that
// carry out deadlines. At times it replaces the room by its written and read copy. A value with random numbers of its
// own, so that a run without it has the same bytes.
import Game
import SeededRandom

/// Records a room's journal, and checks at the end that it is complete.
struct JournalRecorder {
  private(set) var journal: [UInt8] = []
  private(set) var results: [GameResult] = []

  private var writer = JournalWriter()
  private var random: SplitMix64
  private let recordsEveryTick: Bool

  init(seed: UInt64) {
    random = SplitMix64(seed: ~seed)
    recordsEveryTick = random.chance(30)
  }

  mutating func create(_ configuration: RoomConfiguration, seed: UInt64, at now: Instant) {
    writer.create(configuration, seed: seed, at: now)
  }

  /// Writes an input before it reaches the room. Returns the same room, at times read back from its own bytes.
  mutating func record(_ input: Input, of room: Room, at now: Instant) throws -> Room {
    var room = room
    if random.chance(1) {
      room = try Self.writtenAndRead(room, at: now)
    }
    if case .startGame = input {
      if random.chance(20) {
        writer.append(snapshotOf: room, at: now)
      } else {
        writer.append(beginningOf: random.chance(80) ? room.clearedForStart : room, at: now)
      }
    } else if random.chance(2) {
      writer.append(snapshotOf: room, at: now)
    }
    if case .tick = input, !recordsEveryTick, room.nextDeadline.map({ $0 > now }) ?? true {
      return room
    }
    var author: PlayerID?
    if case .chat(let place, _) = input {
      author = room.member(at: place)?.id
    }
    if Self.isRefused(input, by: room, at: now) {
      // Without a due deadline, the input may be left out.
      let isDue = room.nextDeadline.map { $0 <= now } ?? false
      if isDue || recordsEveryTick || random.chance(50) { writer.append(refused: input, at: now) }
    } else {
      writer.append(input, from: author, at: now)
    }
    if random.chance(30) {
      writer.take(into: &journal)
    }
    return room
  }

  /// Whether a room refuses an input that may have a text.
  private static func isRefused(_ input: Input, by room: Room, at now: Instant) -> Bool {
    switch input {
    case .chat, .join:
      var (room, effects) = (room, Effects())
      room.apply(input, at: now, into: &effects)
      return effects.answer.isRefusal
    default: return false
    }
  }

  mutating func take(_ effects: Effects) {
    for case .gameEnded(let result) in effects.outputs {
      results.append(result)
    }
  }

  /// Checks, for some rooms, that the journal gives back the room and the result of every game, also after a player's
  /// erasure.
  mutating func check(_ room: Room, _ crowd: Crowd, at now: Instant) throws {
    writer.take(into: &journal)
    // These checks read the whole journal many times; a third of a thousand rooms is enough.
    guard random.chance(35) else { return }
    guard let recovered = try RoomRecovery(from: journal)?.room else {
      throw Violation(description: "nothing was recovered")
    }
    if recordsEveryTick {
      try Violation.unless(Self.bytes(recovered, at: now) == Self.bytes(room, at: now), "another room was recovered")
    }
    try Self.checkSameFuture(room, recovered, crowd, at: now, seed: random.next())
    try checkGames(results[...], of: journal) { $0 }

    let erased = crowd.anybody(&random)
    let erasedJournal = try Journal.erasing(erased, from: journal)
    try Violation.unless(try RoomRecovery(from: erasedJournal) != nil, "nothing was recovered after an erasure")
    try checkGames(results.suffix(1), of: erasedJournal) { result in
      var nameless = result
      for index in nameless.board.indices {
        nameless.board[index].nickname = ""
      }
      return nameless
    }
  }

  private func checkGames(
    _ results: ArraySlice<GameResult>,
    of journal: [UInt8],
    as seen: (GameResult) -> GameResult
  ) throws {
    var effects = Effects()
    for result in results {
      var replay = try GameReplay(result.number, in: journal)
      try Violation.unless(replay.rulesVersion == RulesVersion.current, "rules of another version")
      while try replay.next(into: &effects) != nil {}
      try Violation.unless(
        replay.result.map(seen) == seen(result),
        "game \(result.number) has another result"
      )
    }
  }

  /// Checks that the two continue alike after a restart, even if one lacks ticks.
  private static func checkSameFuture(
    _ room: Room,
    _ recovered: Room,
    _ crowd: Crowd,
    at now: Instant,
    seed: UInt64
  ) throws {
    var (room, recovered, crowd) = (room, recovered, crowd)
    var (effects, recoveredEffects) = (Effects(), Effects())
    var random = SplitMix64(seed: seed)
    let before = now
    var now = before + .seconds(random.draw(0...300))
    // At most the time since then: the recovered room does not know of ticks after its newest input.
    var input = Input.restart(downtime: now - before)
    for _ in 0..<25 where !room.isClosed {
      room.apply(input, at: now, into: &effects)
      recovered.apply(input, at: now, into: &recoveredEffects)
      try Violation.unless(effects == recoveredEffects, "a recovered room answers \(input) otherwise")
      crowd.take(effects, of: input)
      now = now + .milliseconds(random.draw(0...2_000))
      input = random.chance(30) ? .tick(through: .max) : crowd.input(for: room, at: now, random: &random)
    }
  }

  private static func writtenAndRead(_ room: Room, at now: Instant) throws -> Room {
    let bytes = bytes(room, at: now)
    var reader = JournalReader(bytes)
    guard case .snapshot(let read) = try reader.next(), case nil = try reader.next() else {
      throw Violation(description: "a snapshot was read as another item")
    }
    try Violation.unless(self.bytes(read, at: now) == bytes, "a room that was read back has other bytes")
    return read
  }

  private static func bytes(_ room: Room, at now: Instant) -> [UInt8] {
    var writer = JournalWriter()
    var bytes: [UInt8] = []
    writer.append(snapshotOf: room, at: now)
    writer.take(into: &bytes)
    return bytes
  }
}
