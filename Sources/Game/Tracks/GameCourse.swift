// The course of a game that is over, as its players see it afterwards: ways, ground, points and captures over time. A
// value, replayed from the room's journal, which takes up to a second. `shared` has what others may see of it.
// Decisions: 155 (docs/decisions).

/// The course of a game.
package struct GameCourse: Sendable {
  /// A seat's points from a moment on.
  package struct Score: Hashable, Sendable {
    package let atMs: UInt32
    package let seat: Int
    package let points: UInt32
  }

  /// A capture of a land.
  package struct LandCapture: Hashable, Sendable {
    package let atMs: UInt32
    /// The place of the land in `lands`.
    package let land: Int
    package let seat: Int
  }

  package let mode: Mode
  package let result: GameResult
  /// The end on the room's clock.
  package let endMs: UInt32
  package let lands: [Land]
  package private(set) var ways: GameWays
  /// Before they were thinned: where their ends are cut off, each place counts.
  private let wholeWays: [Int: GameWay]
  /// Nil in other modes than territory, and where the arena had no place.
  package private(set) var ground: GroundHistory?
  package private(set) var scores: [Score]
  package private(set) var landCaptures: [LandCapture]

  /// The places of all ways, at most.
  package static let stepsMax = 20_000
  /// The runs of the ground and the changes of points, at most; of the ground at the end alone, twice as many.
  package static let changesMax = 10_000
  /// Moments of ground and points that others see are multiples of this.
  package static let sharedStepMs: UInt32 = 10_000
  /// More changes of ground than this are not held in memory.
  private static let runsMax = 400_000

  /// The game's course has more ground than is replayed for players.
  package struct TooLong: Error {}

  /// Replays game `number` of a room's journal.
  ///
  /// - Throws: `JournalFault`, `SteppedReplay.Fault`, `TooLong`.
  package init(_ number: UInt32, in journal: [UInt8]) throws {
    var replay = try SteppedReplay(number, in: journal)
    var ways: [Int: GameWay] = [:]
    var rows: [Int: GameWay] = [:]
    var changes: [GroundHistory.Change] = []
    var runsCount = 0
    var scores: [Score] = []
    var points: [Int: UInt32] = [:]
    var captures: [LandCapture] = []
    let lands = replay.room.configuration.lands
    var tick = Tick()
    while try replay.next(
      into: &tick,
      { input, at, effects, room in
        guard room.gameNumber == number else { return }
        input.forEachJudgedFix(in: effects) { seat, fix, verdict in
          guard verdict == .accepted else { return }
          let step = GameWay.Step(atMs: room.clockMs(at: fix.time ?? at), fix.coordinate)
          ways[seat, default: GameWay()].append(step)
        }
      }
    ) {
      if let change = GroundHistory.Change(tick) {
        changes.append(change)
        runsCount += change.runs.count
        guard runsCount <= Self.runsMax else { throw TooLong() }
      }
      for (row, number) in tick.seats.enumerated() {
        let seat = Int(number)
        // A seat whose places come from no fix has them in the ticks alone.
        if ways[seat] == nil {
          let place = Coordinate(latE7: tick.latE7[row], lngE7: tick.lngE7[row])
          rows[seat, default: GameWay()].append(GameWay.Step(atMs: tick.gameMs, place))
        }
        guard points[seat, default: 0] != tick.points[row] else { continue }
        points[seat] = tick.points[row]
        scores.append(Score(atMs: tick.gameMs, seat: seat, points: tick.points[row]))
      }
      for event in tick.events {
        guard case .captured(let seat, .land(let id, _)) = event.body,
          let land = lands.firstIndex(where: { $0.id == id })
        else { continue }
        captures.append(LandCapture(atMs: event.atMs, land: land, seat: seat))
      }
    }
    guard let result = replay.result else { throw JournalFault(.noEnd, at: journal.count) }
    self.result = result
    self.lands = lands
    mode = replay.room.configuration.mode
    endMs = replay.room.clockMs(at: result.endedAt)
    for seat in ways.keys { ways[seat]?.sort() }
    wholeWays = ways.merging(rows) { way, _ in way }
    self.ways = GameWays(wholeWays, stepsMax: Self.stepsMax)
    ground = replay.room.arena.flatMap { arena in
      arena.center == nil ? nil : GroundHistory(arena, changes).coarser(runsMax: Self.changesMax)
    }
    guard ground.map({ $0.runsCount <= 2 * Self.changesMax }) ?? true else { throw TooLong() }
    self.scores = Self.coarser(scores)
    landCaptures = captures
  }

  /// The part of the course that others may see: the ways of these seats alone, without their ends; ground and points
  /// in steps of ten seconds, and the ground without its arena's middle.
  package func shared(showing seats: Set<Int>) -> GameCourse {
    var shared = self
    let shown = wholeWays.filter { seats.contains($0.key) }.mapValues(\.withoutEnds)
    shared.ways = GameWays(shown, stepsMax: Self.stepsMax)
    shared.ground = ground?.window?.inSteps(ofMs: Self.sharedStepMs).ending(atMs: endMs)
    shared.scores = Self.coarser(scores, stepMs: Self.sharedStepMs).map { score in
      let endMs = score.atMs - score.atMs % Self.sharedStepMs + Self.sharedStepMs
      return Score(atMs: min(endMs, self.endMs), seat: score.seat, points: score.points)
    }
    shared.landCaptures = landCaptures.map { capture in
      let endMs = capture.atMs - capture.atMs % Self.sharedStepMs + Self.sharedStepMs
      return LandCapture(atMs: min(endMs, self.endMs), land: capture.land, seat: capture.seat)
    }
    return shared
  }

  /// The scores of moments that are so far apart that there are not too many: of each seat the last in each step.
  private static func coarser(_ scores: [Score], stepMs: UInt32 = 1_000) -> [Score] {
    var (kept, stepMs) = (scores, stepMs)
    repeat {
      var last: [Int: UInt32] = [:]
      let backwards = scores.reversed().filter { score in
        defer { last[score.seat] = score.atMs / stepMs }
        return last[score.seat] != score.atMs / stepMs
      }
      kept = backwards.reversed()
      stepMs = stepMs > .max / 2 ? .max : stepMs * 2
    } while kept.count > changesMax
    return kept
  }
}
