// A finished game, replayed from its journal: its events in order, and the players' tracks.
//
// A value. It decides nothing: the rules are run again.
import Game

struct GameStory {
  typealias Point = GameTracks.Point

  /// A moment of the game.
  enum Moment {
    case event(Event)
    /// A fix was refused, or has ended a suspicion, by the rules against forged positions.
    case verdict(seat: Int, FixVerdict?, suspect: Bool, Fix)
  }

  /// The moments of the game in order; `at` is on the wall clock.
  let moments: [(at: Instant, moment: Moment)]
  /// The accepted fixes, by seat.
  let tracks: [[Point]]
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
    var moments: [(at: Instant, moment: Moment)] = []
    var tracks: [[Point]] = Array(repeating: [], count: configuration.capacity)
    var effects = Effects()
    var lastEvent = replay.room.lastEventNumber
    while let (input, at) = try replay.next(into: &effects) {
      inputCount += 1
      moments += replay.room.events(after: lastEvent).events.map { (at, .event($0)) }
      lastEvent = replay.room.lastEventNumber
      var notified = effects.outputs.compactMap { output in
        if case .verdict(_, let verdict, let isSuspect) = output { (verdict, isSuspect) } else { nil }
      }[...]
      /// Notes a fix, and the next notification if it is of this one.
      input.forEachJudgedFix(in: effects) { seat, fix, verdict in
        if verdict == .accepted {
          let coordinate = Coordinate(latE7: fix.latE7, lngE7: fix.lngE7)
          tracks[seat].append(Point(at: fix.time ?? at, coordinate: coordinate))
        }
        guard let (told, isSuspect) = notified.first else { return }
        // An accepted fix can only end a suspicion, or begin one by a jump that is believed.
        let isOfFix = verdict.isNotified ? told == verdict : verdict == .accepted && (told == nil || told == .jumping)
        guard isOfFix else { return }
        notified.removeFirst()
        moments.append((at, .verdict(seat: seat, told, suspect: isSuspect, fix)))
      }
    }
    guard let result = replay.result else { throw JournalFault(.noEnd, at: journal.count) }
    self.result = result
    self.moments = moments
    self.tracks = tracks
    room = replay.room
  }
}
