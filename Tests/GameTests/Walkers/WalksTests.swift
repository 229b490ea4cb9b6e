// The walks of practice opponents: they score in every mode, a stronger one more than a weaker one. A room's journal
// gives them again without a position of theirs in it.
import Game
import Testing

@Suite("Practice opponents: walks")
struct WalksTests {
  private static let seeds: Range<UInt64> = 1..<25

  private static func settings(_ mode: Mode, cutting: Bool) throws -> ModeSettings {
    switch mode {
    case .footprint: return .footprint
    case .territory: return .territory(TerritorySettings(arena: try ArenaPlan(), cutting: cutting))
    case .land:
      // The slowest have time for a lap around the first one, the others around more.
      let sidesM: [(id: UInt128, sideM: Double)] = [(1, 30), (2, 50), (3, 85)]
      let lands = try sidesM.map { try square($0.id, sideM: $0.sideM) }
      return .land(LandSettings(lands: lands))
    }
  }

  private static func square(_ id: UInt128, sideM: Double) throws -> Land {
    let west = Double(id) * 150
    let ring = TestLands.ring((0, west), (0, west + sideM), (sideM, west + sideM), (sideM, west))
    return Land(id: LandID(id), name: "square \(id)", vertices: try LandSurvey.vertices(ofRing: ring))
  }

  private static func configuration(
    _ mode: Mode,
    _ strength: WalkerStrength,
    cutting: Bool = false
  ) throws -> RoomConfiguration {
    let settings = try settings(mode, cutting: cutting)
    return try RoomConfiguration(mode: settings, duration: .seconds(200), fill: 3, fillStrength: strength)
  }

  /// The points of a game of one player, who stands still, and three practice opponents: of each seat.
  private static func points(_ mode: Mode, _ strength: WalkerStrength, seed: UInt64) throws -> [UInt32] {
    var room = Room(try configuration(mode, strength), seed: seed, at: TestRoom.made)
    var effects = Effects()
    var now = TestRoom.made
    room.apply(.join(TestRoom.player(0), nickname: "가람"), at: now, into: &effects)
    room.apply(.startGame(.seat(0)), at: now, into: &effects)
    room.apply(.move(.seat(0), Yard.fix()), at: now, into: &effects)
    now = now + .seconds(200)
    room.apply(.tick(through: .max), at: now, into: &effects)
    #expect(room.phase == .ended)
    return room.board.sorted { $0.seat < $1.seat }.map(\.points)
  }

  @Test("Each strength scores in each mode, and a stronger one more than a weaker one", arguments: Mode.allCases)
  func strengths(mode: Mode) throws {
    var totals: [UInt32] = []
    for strength in WalkerStrength.allCases {
      var total: UInt32 = 0
      for seed in Self.seeds {
        let points = try Self.points(mode, strength, seed: seed)
        total += points.dropFirst().reduce(0, +)
        guard mode != .land else { continue }
        #expect(points.dropFirst().max() ?? 0 > 0, "\(mode), \(strength), seed \(seed): \(points)")
      }
      totals.append(total)
    }
    #expect(totals[0] > 0 && totals[0] < totals[1] && totals[1] < totals[2], "\(mode): \(totals)")
  }

  @Test("Another seed is another walk, and so is another game of a room")
  func draws() throws {
    func places(seed: UInt64, games: Int) throws -> [Coordinate?] {
      var room = Room(try Self.configuration(.footprint, .even), seed: seed, at: TestRoom.made)
      var effects = Effects()
      var now = TestRoom.made
      room.apply(.join(TestRoom.player(0), nickname: "가람"), at: now, into: &effects)
      for game in 1...games {
        room.apply(.startGame(.seat(0)), at: now, into: &effects)
        room.apply(.move(.seat(0), Yard.fix()), at: now, into: &effects)
        now = now + .seconds(30)
        room.apply(.tick(through: .max), at: now, into: &effects)
        guard game < games else { break }
        now = now + .seconds(170)
        room.apply(.playAgain(.seat(0)), at: now, into: &effects)
      }
      return (1...3).map { room.lastFix(seat: $0)?.coordinate }
    }
    let first = try places(seed: 1, games: 1)
    #expect(first.allSatisfy { $0 != nil } && Set(first).count == 3)
    #expect(try places(seed: 1, games: 1) == first)
    #expect(try places(seed: 2, games: 1) != first)
    #expect(try places(seed: 1, games: 2) != first)
  }

  @Test("A small arena is never left")
  func smallArena() throws {
    let plan = try ArenaPlan(cellM: 5, cells: 4)
    let configuration = try RoomConfiguration(
      mode: .territory(TerritorySettings(arena: plan)),
      duration: .seconds(300),
      fill: 3,
      fillStrength: .hard
    )
    var test = TestRoom(configuration, players: 1)
    test.start()
    test.move(0, Yard.fix())
    for _ in 0..<200 {
      test.wait(.seconds(1))
      test.tick()
      for seat in 1...3 {
        guard let place = test.room.lastFix(seat: seat)?.coordinate else { continue }
        #expect(Geodesy.isWithin(14_200, place, TestLands.coordinate(northM: 0, eastM: 0)), "seat \(seat)")
      }
    }
  }

  /// A room with practice opponents after a while, by its journal: a restart, a lost player, the end, a second game.
  private static func story(_ mode: Mode, snapshots: Bool) throws -> TestJournal {
    var journal = TestJournal(try configuration(mode, .hard, cutting: true))
    journal.apply(.join(TestRoom.player(0), nickname: "가람"))
    journal.apply(.join(TestRoom.player(1), nickname: "지민"))
    for _ in 1...2 {
      journal.apply(.startGame(.seat(0)))
      journal.apply(.move(.seat(0), Yard.fix(time: journal.now)))
      for second in 0..<40 {
        journal.wait(.milliseconds(1_700))
        journal.apply(.tick(through: .max))
        if snapshots { journal.snapshot() }
        switch second {
        case 10:
          journal.wait(.seconds(9))
          journal.apply(.restart(downtime: .seconds(8)))
        case 12:
          journal.apply(.comeBack(.seat(0)))
        default: break
        }
        journal.cut()
      }
      journal.wait(.seconds(150))
      journal.apply(.tick(through: .max))
      if snapshots { journal.snapshot() }
      journal.cut()
      guard journal.room.phase == .ended else { break }
      journal.apply(.playAgain(.seat(0)))
      journal.apply(.comeBack(.seat(1)))
    }
    journal.cut()
    return journal
  }

  @Test("A journal without a position of theirs gives the same room, byte for byte", arguments: Mode.allCases)
  func journals(mode: Mode) throws {
    for snapshots in [false, true] {
      let journal = try Self.story(mode, snapshots: snapshots)
      let isMoved = journal.inputs.contains { if case .move(.seat(1...), _) = $0 { true } else { false } }
      #expect(!isMoved)
      let recovery = try #require(try RoomRecovery(from: journal.bytes))
      #expect(recovery.loss == nil)
      #expect(TestJournal.state(recovery.room) == TestJournal.state(journal.room))
      #expect(recovery.visitors.allSatisfy { !$0.isWalker })
      #expect(!journal.results.isEmpty)
      for result in journal.results {
        #expect(try TestJournal.replayed(result.number, in: journal.bytes) == result)
      }
    }
  }
}
