// The plan for all bots of a walk: it follows from the command line and, where it is drawn, from the seed.
//
// A value.
import MadangProtocol

struct WalkPlan: Sendable {
  let target: ServerTarget
  let mode: WalkMode
  let rooms: Int
  let players: Int
  /// The practice opponents in each room, for which the server walks.
  let fill: Int
  /// The personas on the seats, repeated.
  let kinds: [PersonaKind]
  let rateHz: Int
  /// The rooms' ticks a second; nil for the server's own.
  let tickHz: Int?
  let seconds: Int
  let seed: UInt64
  let tracks: [Track]
  /// The speed of bots in territory and land mode, metres a second.
  let pace: Double
  let cellM: Int
  let cells: Int
  let cutting: Bool
  let landIDs: [String]
  /// The interval at which a bot of each room drops its connection and resumes; nil for never.
  let resumeSeconds: Int?
  /// Whether bots only send positions while they play.
  let isSilent: Bool
  /// The number of rooms begun in a second; nil for all at once.
  let roomsPerSecond: Int?
  /// Whether games start when all rooms are full, at the same pace.
  let startsTogether: Bool
  /// Whether bots compare each board with their own calculation.
  let checksBoards: Bool

  /// The rooms' bound on an honest player's speed, unless bots walk nearly as fast.
  private static let speedMaxDefaultM = 12.5

  var stepM: Double { pace / Double(rateHz) }
  var speedMaxM: Double { max(Self.speedMaxDefaultM, 1.25 * pace) }
  /// Whether nobody is in a room but its only bot.
  var isSolo: Bool { players == 1 && fill == 0 }
  /// Whether runs are ranked: solo runs are, where the bound on speed is the default.
  var ranksRuns: Bool { isSolo && speedMaxM == Self.speedMaxDefaultM }

  func kind(room: Int, bot: Int) -> PersonaKind {
    kinds[(room + bot) % kinds.count]
  }

  /// The courses follow from seed, room and bot alone.
  func course(room: Int, bot: Int) -> Course {
    let number = room * players + bot
    guard tracks.isEmpty else { return .track(tracks[number % tracks.count]) }
    return .random(RandomWalk(seed: seed(room: room, bot: bot)))
  }

  func seed(room: Int, bot: Int) -> UInt64 {
    seed &+ UInt64(room * players + bot) &* 0x9E37_79B9
  }

  /// The middle of a room's arena.
  func place(room: Int) -> Coordinate {
    RandomWalk.place(seed: seed(room: room, bot: 0)).rounded
  }

  func wish(room: Int, givesPlace: Bool) -> WireCreateRoom {
    var wish = WireCreateRoom()
    wish.mode = mode.wire
    wish.durationS = UInt32(seconds)
    if let tickHz { wish.tickHz = UInt32(tickHz) }
    if isSolo { wish.solo = true } else { wish.capacity = UInt32(players + fill) }
    if fill > 0 { wish.fill = UInt32(fill) }
    guard mode != .footprint else { return wish }
    if speedMaxM > Self.speedMaxDefaultM { wish.speedMaxMmS = UInt32(speedMaxM * 1_000) }
    if mode == .land { wish.landIds = landIDs }
    if mode == .territory {
      wish.cutting = cutting
      wish.arena.cellM = UInt32(cellM)
      wish.arena.cells = UInt32(cells)
      let place = place(room: room)
      if givesPlace { (wish.arena.latE7, wish.arena.lngE7) = (place.latE7, place.lngE7) }
    }
    return wish
  }
}
