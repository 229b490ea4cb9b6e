// Shared by the tests of territory mode: a field of small cells in metres, players who walk over it with a fix a
// second, and the owners as a picture. A value, owned by one test.
import Game
import Testing

/// A running territory game.
struct TestField {
  /// A place in metres east and north of the field's south-western corner.
  struct Place {
    let x: Double
    let y: Double

    init(_ x: Double, _ y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// The default middle of the field.
  static let bupyeong = Coordinate(latE7: 375_000_000, lngE7: 1_267_000_000)

  var test: TestRoom
  /// The players' notifications of their paths, in order.
  private(set) var changes: [(seat: Int, change: PathChange)] = []
  /// By seat.
  private var places: [Int: Place] = [:]
  private let center: Coordinate
  private let cells: Int
  private let cellM: Int

  /// A game of two hours that has begun, with players 0, 1, … in seats 0, 1, …
  init(
    cells: Int = 8,
    cellM: Int = 10,
    center: Coordinate = bupyeong,
    isCenterGiven: Bool = true,
    cutting: Bool = false,
    players: Int = 2
  ) throws {
    self.cells = cells
    self.cellM = cellM
    self.center = center
    let configuration = try RoomConfiguration(
      mode: .territory(
        TerritorySettings(
          arena: ArenaPlan(center: isCenterGiven ? center : nil, cellM: cellM, cells: cells),
          cutting: cutting
        )
      ),
      duration: .seconds(7_200)
    )
    test = TestRoom(configuration, players: players)
    test.start()
    test.tick()
  }

  /// A fix at a place, within a few millimetres.
  func fix(_ place: Place, accuracyM: UInt32 = 5, time: Instant? = nil, mocked: Bool = false) -> Fix {
    let half = Double(cells * cellM) / 2
    let cosine = Double(Cosine.ofLatitude(latE7: Int64(center.latE7))) / Double(1 << Cosine.fractionBits)
    var lngE7 = Int(center.lngE7) + Int(((place.x - half) / 0.011119508 / cosine).rounded())
    if abs(lngE7) > 1_800_000_000 { lngE7 -= lngE7.signum() * 3_600_000_000 }
    return Fix(
      latE7: center.latE7 + Int32(((place.y - half) / 0.011119508).rounded()),
      lngE7: Int32(lngE7),
      accuracyM: accuracyM,
      time: time,
      mocked: mocked
    )
  }

  /// Waits a second and sends one fix, however far away.
  @discardableResult
  mutating func step(_ seat: Int, _ x: Double, _ y: Double) -> FixVerdict? {
    test.wait(.seconds(1))
    return send(seat, Place(x, y))
  }

  /// Walks straight from place to place at 10 m/s, a fix a second; begins at the first place or goes there from the
  /// current one.
  mutating func walk(_ seat: Int, _ way: [(Double, Double)]) {
    for (x, y) in way {
      let next = Place(x, y)
      guard let from = places[seat] else {
        step(seat, x, y)
        continue
      }
      let (east, north) = (next.x - from.x, next.y - from.y)
      let seconds = max(1, ((east * east + north * north).squareRoot() / 10).rounded(.up))
      for second in stride(from: 1, through: seconds, by: 1) {
        let refusal = step(seat, from.x + east * second / seconds, from.y + north * second / seconds)
        #expect(refusal == nil)
      }
    }
  }

  /// Goes around a block with these corners, from its south-western one and back there.
  mutating func goAround(_ seat: Int, from west: Double, _ south: Double, to east: Double, _ north: Double) {
    walk(seat, [(west, south), (east, south), (east, north), (west, north), (west, south)])
  }

  private mutating func send(_ seat: Int, _ place: Place) -> FixVerdict? {
    places[seat] = place
    let refusal = test.move(seat, fix(place))
    for case .path(.seat(let seat), let item) in test.effects.outputs {
      changes.append((seat, item))
    }
    return refusal
  }

  /// Takes a player's notifications since the last call.
  mutating func takeNotifications(of seat: Int) -> [PathChange] {
    defer { changes.removeAll { $0.seat == seat } }
    return changes.filter { $0.seat == seat }.map(\.change)
  }

  /// Whether one of these reports a closed path.
  static func hasClosed(_ changes: [PathChange]) -> Bool {
    changes.contains { if case .closed = $0 { true } else { false } }
  }

  /// The owners, row by row from the north: seats, and a dot for nobody.
  var picture: [String] {
    var tick = Tick()
    test.room.appendCells(to: &tick)
    return picture(of: tick)
  }

  /// The cells of a tick.
  func picture(of tick: Tick) -> [String] {
    var rows = Array(repeating: Array(repeating: Character("."), count: cells), count: cells)
    for run in tick.cellStarts.indices {
      for cell in Int(tick.cellStarts[run])..<Int(tick.cellStarts[run] + tick.cellCounts[run]) {
        rows[cell / cells][cell % cells] = Character(String(tick.cellSeats[run]))
      }
    }
    return rows.reversed().map { String($0) }
  }
}
