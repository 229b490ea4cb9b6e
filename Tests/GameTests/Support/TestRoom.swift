// Shared by the tests of rooms: a room on a virtual clock that only a test advances, players by small numbers, and
// fixes by metres from one corner of a yard. A value, owned by one test.
import Game
import Testing

/// A room with a virtual clock.
struct TestRoom {
  /// The time at which every test's room is made.
  static let made = Instant(milliseconds: 1_790_000_000_000)

  private(set) var room: Room
  private(set) var now = TestRoom.made
  private(set) var effects = Effects()

  init(_ configuration: RoomConfiguration, players: Int = 0) {
    room = Room(configuration, seed: 1, at: now)
    for number in 0..<players {
      join(number)
    }
  }

  /// A room with the given settings, ticks of 100 ms, and players 0, 1, 2 … in seats 0, 1, 2 …
  init(
    capacity: Int? = nil,
    duration: Duration? = nil,
    tickHz: Int? = 10,
    hostOnly: Bool? = nil,
    spectators: Bool? = nil,
    speedMaxMmPerS: Int? = nil,
    lateS: Int? = nil,
    holdS: Int? = nil,
    players: Int = 0
  ) throws {
    let configuration = try RoomConfiguration(
      capacity: capacity,
      duration: duration,
      tickHz: tickHz,
      hostOnly: hostOnly,
      spectators: spectators,
      speedMaxMmPerS: speedMaxMmPerS,
      lateS: lateS,
      holdS: holdS
    )
    self.init(configuration, players: players)
  }

  /// Advances the clock; nothing happens before the next input.
  mutating func wait(_ duration: Duration) {
    now = now + duration
  }

  /// Goes on with the room that its state in a journal gives.
  mutating func restore() throws {
    var writer = JournalWriter()
    var bytes: [UInt8] = []
    writer.append(snapshotOf: room, at: now)
    writer.take(into: &bytes)
    room = try #require(try RoomRecovery(from: bytes)?.room)
  }

  @discardableResult
  mutating func apply(_ input: Input) -> Effects.Answer {
    room.apply(input, at: now, into: &effects)
    return effects.answer
  }

  @discardableResult
  mutating func join(_ number: Int, nickname: String? = nil) -> Effects.Answer {
    apply(.join(Self.player(number), nickname: nickname ?? "player \(number)"))
  }

  /// Starts a game from seat 0.
  mutating func start() {
    #expect(apply(.startGame(.seat(0))) == .ok)
  }

  @discardableResult
  mutating func tick() -> Tick {
    apply(.tick(through: .max))
    return effects.tick
  }

  /// Sends a fix and returns the verdict; nil when it was accepted, or no game is on.
  @discardableResult
  mutating func move(_ seat: Int, _ fix: Fix) -> FixVerdict? {
    guard case .judged(let verdict) = apply(.move(.seat(seat), fix)) else {
      #expect(effects.answer == .ok)
      return nil
    }
    return verdict == .accepted ? nil : verdict
  }

  /// Makes a player suspect, by mocked fixes.
  mutating func becomeSuspect(_ seat: Int) {
    for _ in 0..<3 {
      move(seat, Yard.fix(mocked: true))
      wait(.milliseconds(1))
    }
    #expect(room.isSuspect(seat: seat))
  }

  /// Sends fixes that a phone has kept, and returns the verdicts.
  @discardableResult
  mutating func moves(_ seat: Int, _ fixes: [Fix], hasMore: Bool = false, aliveSince: Instant? = nil) -> [FixVerdict] {
    let batch = FixBatch(fixes, hasMore: hasMore, aliveSince: aliveSince ?? now)
    #expect(apply(.moves(.seat(seat), batch)) == .ok)
    return effects.verdicts
  }

  /// The events after a number, without their numbers.
  func bodies(after number: UInt32 = 0) -> [Event.Body] {
    room.events(after: number).events.map(\.body)
  }

  func places() -> [Place] {
    room.members.map(\.place)
  }

  /// The points of every seat that has a position.
  func points() -> [UInt32: UInt32] {
    var rows = Tick()
    room.appendPositions(to: &rows)
    return Dictionary(uniqueKeysWithValues: zip(rows.seats, rows.points))
  }

  static func player(_ number: Int) -> PlayerID {
    PlayerID(UInt128(number) + 1)
  }

  static func member(_ number: Int, _ place: Place, nickname: String? = nil) -> Member {
    Member(id: player(number), place: place, nickname: nickname ?? "player \(number)")
  }
}

/// A yard near Bupyeong, measured in metres north and east of its corner.
enum Yard {
  static func fix(
    northM: Double = 0,
    eastM: Double = 0,
    accuracyM: UInt32? = 5,
    time: Instant? = nil,
    mocked: Bool = false
  ) -> Fix {
    Fix(
      latE7: 375_000_000 + Int32((northM / 0.011119508).rounded()),
      lngE7: 1_267_000_000 + Int32((eastM / 0.011119508 / 0.793353340).rounded()),
      accuracyM: accuracyM,
      time: time,
      mocked: mocked
    )
  }
}
