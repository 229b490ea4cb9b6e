// Shared by the tests of journals: a room that writes its journal, and journals with a short story in them. A value,
// owned by one test.
import Game

/// A room on a virtual clock with its journal.
struct TestJournal {
  private(set) var room: Room
  private(set) var now = TestRoom.made
  private(set) var bytes: [UInt8] = []
  private(set) var inputs: [Input] = []
  private(set) var results: [GameResult] = []
  private var writer = JournalWriter()
  private(set) var effects = Effects()
  /// Whether games begin with snapshots, as in journals of older servers.
  private let beginsWithSnapshots: Bool

  init(_ configuration: RoomConfiguration, beginsWithSnapshots: Bool = false) {
    self.beginsWithSnapshots = beginsWithSnapshots
    room = Room(configuration, seed: 7, at: now)
    writer.create(configuration, seed: 7, at: now)
  }

  mutating func wait(_ duration: Duration) {
    now = now + duration
  }

  mutating func apply(_ input: Input) {
    var author: PlayerID?
    if case .chat(let place, _) = input { author = room.member(at: place)?.id }
    // As the server does.
    if case .startGame = input {
      let beginning = room.clearedForStart
      if beginsWithSnapshots {
        writer.append(snapshotOf: beginning, at: now)
      } else {
        writer.append(beginningOf: beginning, at: now)
      }
    }
    writer.append(input, from: author, at: now)
    room.apply(input, at: now, into: &effects)
    inputs.append(input)
    for case .gameEnded(let result) in effects.outputs {
      results.append(result)
    }
  }

  /// Keeps an input that the room has just refused, as the server does.
  mutating func refuse(_ input: Input) {
    room.apply(input, at: now, into: &effects)
    precondition(effects.answer.isRefusal)
    writer.append(refused: input, at: now)
  }

  /// Skips numbers of events and of games as lost, as after a damaged journal; a snapshot comes next.
  mutating func skip(events: UInt32, lastGame: UInt32 = 0) {
    room.skipLostNumbers(lastGame: lastGame, events: events)
    snapshot()
  }

  mutating func snapshot() {
    writer.append(snapshotOf: room, at: now)
  }

  /// Ends the chunk.
  mutating func cut() {
    writer.take(into: &bytes)
  }

  /// A story with every kind of input in it: two players, a watcher, a game that ends, texts that are refused.
  static func story(cutsEverywhere: Bool = false) throws -> TestJournal {
    var journal = TestJournal(try RoomConfiguration(capacity: 2, duration: .seconds(10)))
    let fix = Yard.fix(accuracyM: 3, time: journal.now)
    let kept = [fix, Yard.fix(northM: 6, time: TestRoom.made + .milliseconds(900))]
    let story: [(waitMs: Int, input: Input)] = [
      (0, .join(TestRoom.player(0), nickname: "지민")),
      (5, .join(TestRoom.player(1), nickname: " 가람 ")),
      (0, .join(TestRoom.player(2), nickname: " ")),
      (7, .chat(.seat(0), text: "안녕")),
      (0, .chat(.seat(1), text: "")),
      (0, .chat(.spectator(3), text: "nobody")),
      (100, .tick(through: 3)),
      (0, .startGame(.seat(0))),
      (20, .join(TestRoom.player(3), nickname: "watcher")),
      (0, .move(.seat(0), fix)),
      (0, .move(.seat(1), Fix(latE7: .min, lngE7: .max, accuracyM: 1, time: Instant(milliseconds: .min)))),
      (1, .move(.seat(1), Fix(latE7: 1, lngE7: -1, time: Instant(milliseconds: .max), mocked: true))),
      (900, .move(.seat(1), Yard.fix(northM: 9, eastM: 2, accuracyM: 7))),
      (0, .readChat(.seat(1), upTo: 4)),
      (50, .lose(.seat(1))),
      (60, .comeBack(.seat(1))),
      (500, .restart(downtime: .milliseconds(400))),
      (80, .comeBack(.seat(0))),
      (0, .comeBack(.seat(1))),
      (0, .moves(.seat(0), FixBatch(kept, hasMore: true, aliveSince: journal.now))),
      (0, .moves(.seat(0), FixBatch([Yard.fix(mocked: true)], hasMore: false, aliveSince: journal.now))),
      (0, .moves(.seat(1), FixBatch([], hasMore: false, aliveSince: journal.now))),
      (0, .erase(TestRoom.player(3))),
      (0, .bar(TestRoom.player(4))),
      (9_000, .tick(through: .max)),
      (2_000, .tick(through: .max)),
      (0, .playAgain(.seat(1))),
      (300, .chat(.seat(1), text: "또?")),
      (10, .leave(.seat(0))),
    ]
    for (waitMs, input) in story {
      journal.wait(.milliseconds(waitMs))
      journal.apply(input)
      if cutsEverywhere { journal.cut() }
    }
    journal.cut()
    return journal
  }

  /// The whole state of a room, in bytes.
  static func state(_ room: Room) -> [UInt8] {
    var writer = JournalWriter()
    var bytes: [UInt8] = []
    writer.append(snapshotOf: room, at: room.nextDeadline ?? TestRoom.made + .seconds(1_000_000))
    writer.take(into: &bytes)
    return bytes
  }

  /// Replays a game to its end.
  static func replayed(_ number: UInt32, in journal: [UInt8]) throws -> GameResult? {
    var replay = try GameReplay(number, in: journal)
    var effects = Effects()
    while try replay.next(into: &effects) != nil {}
    return replay.result
  }
}
