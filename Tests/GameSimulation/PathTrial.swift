// Random paths through a room and past a referee, who must agree on every step: the players' notifications, and the
// holder of each cell. Most paths are nearly degenerate: on grid lines and middles, on earlier vertices, along earlier
// steps, back and forth. A value; the same seed gives the same paths.
import Game
import SeededRandom

/// One to three players who draw paths in one arena.
package struct PathTrial {
  /// The outcomes of paths.
  package struct Tally: Sendable {
    package var metThemselves = 0
    package var backAtStart = 0
    package var home = 0
    package var dropped = 0
    package var smallLoops = 0
    package var neverAwayLoops = 0
    package var cellsTaken = 0
    /// The fingerprint of one drawing.
    package var fingerprint: UInt64 = 0

    package init() {}

    package static func += (sum: inout Tally, other: Tally) {
      sum.metThemselves += other.metThemselves
      sum.backAtStart += other.backAtStart
      sum.home += other.home
      sum.dropped += other.dropped
      sum.smallLoops += other.smallLoops
      sum.neverAwayLoops += other.neverAwayLoops
      sum.cellsTaken += other.cellsTaken
    }

    package var line: String {
      "paths: \(metThemselves) met themselves, \(backAtStart) came back to their start, \(home) came home, "
        + "\(dropped) dropped, \(smallLoops) were too small, \(neverAwayLoops) never away; "
        + "\(cellsTaken) cells taken"
    }
  }

  private var tally = Tally()
  private var fingerprint = Fingerprint()
  private var random: SplitMix64
  private var room: Room
  private var effects = Effects()
  private var referee: TerritoryReferee
  private var now = Instant(milliseconds: 1_790_000_000_000)
  private let scale: ArenaScale
  private let players: Int
  private var pencils: [PathPencil]

  private static let centers = [
    (0, 0), (375_000_000, 1_267_000_000), (849_500_000, 1_799_999_999), (-600_000_000, -1_800_000_000),
  ]

  /// Draws 120 steps of paths and returns their outcomes.
  package static func run(seed: UInt64) throws -> Tally {
    var trial = try PathTrial(seed: seed)
    try trial.run(steps: 120)
    return trial.tally
  }

  private init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    let center = random.pick(Self.centers)
    let plan = try ArenaPlan(
      center: Coordinate(latE7: Int32(center.0), lngE7: Int32(center.1)),
      cellM: random.pick([5, 5, 7, 10, 10, 23, 50]),
      cells: random.chance(4) ? random.pick([65, 67, 130]) : random.pick([4, 5, 8, 12, 17, 24])
    )
    players = random.draw(1...3)
    let cutting = random.chance(40)
    let configuration = try RoomConfiguration(
      mode: .territory(TerritorySettings(arena: plan, cutting: cutting)),
      capacity: max(2, players),
      duration: .seconds(7_200),
      speedMaxMmPerS: 100_000
    )
    room = Room(configuration, seed: seed, at: now)
    scale = ArenaScale(center: Coordinate(latE7: Int32(center.0), lngE7: Int32(center.1)), plan: plan)
    referee = TerritoryReferee(
      side: plan.cells,
      cellMm: plan.cellM * 1_000,
      cutting: cutting,
      seats: configuration.capacity
    )
    let scale = scale
    pencils = []
    for _ in 0..<players { pencils.append(PathPencil(scale, random: &random)) }
    for seat in 0..<configuration.capacity {
      room.apply(.join(PlayerID(UInt128(seat) + 1), nickname: "\(seat)"), at: now, into: &effects)
    }
    room.apply(.startGame(.seat(0)), at: now, into: &effects)
  }

  private mutating func run(steps: Int) throws {
    for step in 0..<steps {
      let seat = random.draw(0...players - 1)
      let coordinate = pencils[seat].next(
        start: referee.start(of: seat),
        held: referee.cells(of: seat),
        random: &random
      )
      now = now + .milliseconds(pencils[seat].pauseMs)
      let fix = Fix(latE7: coordinate.latE7, lngE7: coordinate.lngE7, accuracyM: 5)
      room.apply(.move(.seat(seat), fix), at: now, into: &effects)
      fingerprint.add(effects)
      try check(seat, referee.take(scale.spot(coordinate), of: seat, at: now), "step \(step)")
      if random.chance(10) { room.apply(.tick(through: .max), at: now, into: &effects) }
    }
    tally.metThemselves += referee.closings[.metItself] ?? 0
    tally.backAtStart += referee.closings[.backAtStart] ?? 0
    tally.home += referee.closings[.home] ?? 0
    tally.fingerprint = fingerprint.value
  }

  /// Checks that both have sent the same notifications, and know the same owners.
  private mutating func check(_ seat: Int, _ reports: [(seat: Int, change: PathChange)], _ step: String)
    throws(Violation)
  {
    let expected = reports.map { Effect.path(.seat($0.seat), $0.change) }
    try Violation.unless(
      effects.outputs == expected,
      "\(step), seat \(seat): the room reported \(effects.outputs), the referee \(expected)"
    )
    var hasClosed = false
    for (_, change) in reports {
      switch change {
      case .opened: break
      case .tooSmallLoop: tally.smallLoops += 1
      case .neverAwayLoop: tally.neverAwayLoops += 1
      case .dropped: tally.dropped += 1
      case .closed(let areaM2, _):
        hasClosed = true
        tally.cellsTaken += Int(areaM2) / referee.cellAreaM2
      }
    }
    guard hasClosed else { return }
    var tick = Tick()
    room.appendCells(to: &tick)
    var owners = [Int?](repeating: nil, count: referee.owners.count)
    for run in tick.cellStarts.indices {
      for cell in Int(tick.cellStarts[run])..<Int(tick.cellStarts[run] + tick.cellCounts[run]) {
        owners[cell] = Int(tick.cellSeats[run])
      }
    }
    let differing = owners.indices.filter { owners[$0] != referee.owners[$0] }
    try Violation.unless(differing.isEmpty, "\(step), seat \(seat): the cells \(differing) are another's")
  }
}
