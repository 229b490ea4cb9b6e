// A room of territory mode of the greatest size, fed without sockets.
//
// A value. All positions of a second come within one tick, which is the most expensive way.
import Game
import MadangProtocol
import Server

struct ArenaRoom {
  static let players = 200
  static let cells = 400
  static let cellM = 10
  static let sideM = Double(cells * cellM)
  private static let center = Coordinate(latE7: 375_000_000, lngE7: 1_267_000_000)

  private(set) var room: Room
  private(set) var now = Instant(milliseconds: 1_790_000_000_000)
  private(set) var effects = Effects()
  private var frame: [UInt8] = []
  /// The number of closed paths; `pathMessages` is that of messages about paths.
  private(set) var closings = 0
  private(set) var pathMessages = 0
  private(set) var bytes = 0
  /// The area that the newest closing has taken, m².
  private(set) var closedM2: UInt32 = 0

  init(players: Int = Self.players, speedMaxMmPerS: Int = 12_500, cutting: Bool = false) throws {
    let plan = try ArenaPlan(center: Self.center, cellM: Self.cellM, cells: Self.cells)
    let configuration = try RoomConfiguration(
      mode: .territory(TerritorySettings(arena: plan, cutting: cutting)),
      capacity: Self.players,
      duration: .seconds(7_200),
      speedMaxMmPerS: speedMaxMmPerS
    )
    room = Room(configuration, seed: 1, at: now)
    for number in 0..<players {
      room.apply(.join(PlayerID(UInt128(number) + 1), nickname: "player \(number)"), at: now, into: &effects)
    }
    room.apply(.startGame(.seat(0)), at: now, into: &effects)
    tell(.proto)
  }

  mutating func pass(milliseconds: Int) {
    now = now + .milliseconds(milliseconds)
  }

  /// Moves a seat; metres from the south-western corner.
  mutating func move(_ seat: Int, eastM: Double, northM: Double) {
    // 1e-7 degree is 11.119508 mm of latitude, and the cosine of 37.5° of that of longitude.
    let latE7 = Self.center.latE7 + Int32(((northM - Self.sideM / 2) / 0.011_119_508).rounded())
    let lngE7 = Self.center.lngE7 + Int32(((eastM - Self.sideM / 2) / 0.011_119_508 / 0.793_353_340).rounded())
    room.apply(.move(.seat(seat), Fix(latE7: latE7, lngE7: lngE7, accuracyM: 5)), at: now, into: &effects)
    for case .path(_, let path) in effects.outputs {
      pathMessages += 1
      guard case .closed(let areaM2, _) = path else { continue }
      closings += 1
      closedM2 = areaM2
    }
  }

  /// A tick, as the shard makes it, with its message in one of the encodings.
  mutating func tell(_ subprotocol: Subprotocol) {
    room.apply(.tick(through: .max), at: now, into: &effects)
    frame.removeAll(keepingCapacity: true)
    subprotocol.append(effects.tick, of: RoomID(0), to: &frame)
    bytes += frame.count
  }
}
