// A finished game, replayed from its journal: its events in order, and the players' tracks.
//
// A value. It decides nothing: the rules are run again.
import Game

struct GameStory {
  /// A point of a player's track.
  struct Point {
    let at: Instant
    let coordinate: Coordinate
  }

  /// A moment of the game.
  enum Moment {
    case event(Event)
    /// A fix was refused, or has ended a suspicion, by the rules against forged positions.
    case verdict(seat: Int, FixRefusal?, suspect: Bool, Fix)
  }

  /// The moments of the game in order; `at` is on the wall clock.
  private(set) var moments: [(at: Instant, moment: Moment)] = []
  /// The accepted fixes, by seat.
  private(set) var tracks: [[Point]] = []
  private(set) var inputCount = 0
  let result: GameResult
  /// The room in its state at the game's end.
  let room: Room
  let configuration: RoomConfiguration
  let rulesVersion: UInt32

  /// Replays game `number` of a room's journal.
  ///
  /// - Throws: `JournalFault` when the journal does not have it.
  init(_ number: UInt32, in journal: [UInt8]) throws {
    var replay = try GameReplay(number, in: journal)
    configuration = replay.room.configuration
    rulesVersion = replay.rulesVersion
    tracks = Array(repeating: [], count: configuration.capacity)
    var effects = Effects()
    var lastEvent = replay.room.lastEventNumber
    while let (input, at) = try replay.next(into: &effects) {
      inputCount += 1
      moments += replay.room.events(after: lastEvent).events.map { (at, .event($0)) }
      lastEvent = replay.room.lastEventNumber
      guard case .move(.seat(let seat), let fix) = input else { continue }
      for case .verdict(.seat(seat), let refusal, let isSuspect) in effects.outputs {
        moments.append((at, .verdict(seat: seat, refusal, suspect: isSuspect, fix)))
      }
      if Self.isTaken(fix, seat, replay.room, effects) {
        tracks[seat].append(Point(at: at, coordinate: Coordinate(latE7: fix.latE7, lngE7: fix.lngE7)))
      }
    }
    guard let result = replay.result else { throw JournalFault(.noEnd, at: journal.count) }
    self.result = result
    room = replay.room
  }

  /// Whether a fix has become the position of its seat.
  private static func isTaken(_ fix: Fix, _ seat: Int, _ room: Room, _ effects: Effects) -> Bool {
    let isRefused = effects.outputs.contains {
      if case .verdict(_, let refusal, _) = $0 { refusal != nil } else { false }
    }
    // The fix that captures the last land ends the game.
    let hasCaptured = effects.outputs.contains {
      if case .run(_, let progress) = $0 { progress.state == .captured } else { false }
    }
    guard room.phase == .playing || hasCaptured, effects.answer == .ok, !isRefused else { return false }
    var rows = Tick()
    room.appendPositions(to: &rows)
    guard let row = rows.seats.firstIndex(of: UInt32(seat)) else { return false }
    return rows.latE7[row] == fix.latE7 && rows.lngE7[row] == fix.lngE7
  }
}

extension Coordinate {
  /// Degrees with seven decimals, as text: exact.
  var degrees: (lat: String, lng: String) { (Self.degrees(latE7), Self.degrees(lngE7)) }

  private static func degrees(_ e7: Int32) -> String {
    let magnitude = UInt64(e7.magnitude)
    let fraction = String(magnitude % 10_000_000)
    let zeros = String(repeating: "0", count: 7 - fraction.count)
    return "\(e7 < 0 ? "-" : "")\(magnitude / 10_000_000).\(zeros)\(fraction)"
  }
}
