// The knowledge of one territory room's bots about its ground: one copy of the cells, kept from ticks alone.
//
// Belongs to its room. Every tick is applied once, from the first bot that gets it. The copy of a bot that has resumed
// is compared with the room's.
import MadangProtocol
import Net

/// A player on the ground, as other players see it.
protocol GroundPlayer: AnyObject {
  /// The open path by its bot's calculation; nil without one.
  var path: WalkedPath? { get }
  var seat: Int { get }
  /// The newest steps, which the server may not know yet.
  var newestSteps: [Segment] { get }
  /// Another player has made a step.
  func crossed(by step: Segment)
  /// Another player's newest steps may have crossed the path.
  func perhapsCrossed()
}

final class RoomGround {
  private unowned let context: WalkContext
  let roomIndex: Int
  /// Whether the request for the room has named the arena's place. If not, the arena is where the host begins.
  private let givesPlace: Bool
  /// The arena's plane; nil before its place is known.
  private(set) var plane: Plane?
  private(set) var copy: GroundCopy?
  /// The last tick in the copy.
  private var tick: UInt32 = 0
  /// The points by seat, from the rows of ticks.
  private var points: [Int: UInt32] = [:]
  /// The cells by seat that it got since its newest path closed, by its bot's calculation.
  private(set) var gains: [Int: [Int]] = [:]
  /// The times by seat at which it lost cells to others, oldest first.
  private var losses: [Int: [Timestamp]] = [:]
  /// The time by seat at which its newest path closed, by its bot's calculation.
  private var closings: [Int: Timestamp] = [:]
  /// The own copy of each bot that has resumed, until it is compared with the room's.
  private var resumed: [Int: GroundCopy] = [:]
  /// The players on this ground.
  var players: [any GroundPlayer] = []

  init(_ context: WalkContext, roomIndex: Int, givesPlace: Bool) {
    self.context = context
    self.roomIndex = roomIndex
    self.givesPlace = givesPlace
  }

  private func expect(_ expectation: Expectation, _ isMet: Bool, _ example: @autoclosure () -> String) {
    context.results.expectations.note(expectation, isMet, "room \(roomIndex + 1): \(example())")
  }

  // Ticks.

  /// Takes a tick of a bot that has seen all ticks up to `seen`, or a state with them.
  func take(_ tick: WireTick, by bot: Int, seen: UInt32) {
    if tick.hasArena, plane == nil { lay(tick.arena) }
    // A bot that has resumed missed some ticks; it got the earlier ones otherwise.
    if tick.tick > self.tick, seen <= self.tick { apply(tick) }
    guard var own = resumed[bot] else { return }
    let isRead = own.apply(starts: tick.cellStarts, counts: tick.cellCounts, seats: tick.cellSeats)
    resumed[bot] = own
    guard tick.tick == self.tick else { return }
    resumed[bot] = nil
    expect(.copies, isRead && own == copy, "bot \(bot + 1) has other cells at tick \(tick.tick) than it should")
  }

  private func apply(_ tick: WireTick) {
    self.tick = tick.tick
    let now = context.core.now
    var changed: Set<Int> = []
    var newGains: [Int: [Int]] = [:]
    let isRead = copy?.apply(starts: tick.cellStarts, counts: tick.cellCounts, seats: tick.cellSeats) {
      cell,
      loser,
      seat in
      newGains[seat, default: []].append(cell)
      changed.insert(seat)
      guard let loser else { return }
      changed.insert(loser)
      if losses[loser]?.last != now { losses[loser, default: []].append(now) }
    }
    gains.merge(newGains, uniquingKeysWith: +)
    // A practice opponent's path has closed unseen.
    for seat in newGains.keys where !players.contains(where: { $0.seat == seat }) { closings[seat] = now }
    for (row, seat) in tick.seats.enumerated() {
      points[Int(seat)] = tick.points[row]
      changed.insert(Int(seat))
    }
    guard !changed.isEmpty else { return }
    let wrong = changed.filter { (points[$0] ?? 0) != area(of: $0) }
    expect(.points, isRead != false && wrong.isEmpty, "at tick \(tick.tick) seats \(wrong.sorted()) have other points")
  }

  private func area(of seat: Int) -> UInt32 {
    copy.map { UInt32(Double($0.counts[seat]) * $0.cellAreaM2) } ?? 0
  }

  private func lay(_ arena: WireArena) {
    plane = Plane(latE7: arena.latE7, lngE7: arena.lngE7)
    copy = GroundCopy(side: Int(arena.cells), cellM: Double(arena.cellM))
  }

  /// A bot has got the room's state anew.
  func resumed(_ bot: Int, _ state: WireRoom) {
    guard state.arena.hasLatE7, let copy else { return }
    var own = GroundCopy(side: copy.side, cellM: copy.cellM)
    let isRead = own.apply(starts: state.cellStarts, counts: state.cellCounts, seats: state.cellSeats)
    guard context.plan.players == 1 else { return resumed[bot] = isRead ? own : nil }
    if context.plan.fill > 0 {
      // Practice opponents have gone on while the only bot was away, and nobody has their ticks.
      expect(.copies, isRead, "the state's cells can't be read")
      noteLosses(in: own, since: copy)
      self.copy = own
    } else {
      // Nothing happened while the only player was away.
      expect(.copies, isRead && own == copy, "the state has other cells")
    }
    tick = max(tick, state.tick)
  }

  private func noteLosses(in own: GroundCopy, since before: GroundCopy) {
    for cell in 0..<own.side * own.side where own.holder(of: cell) != before.holder(of: cell) {
      guard let loser = before.holder(of: cell), losses[loser]?.last != context.core.now else { continue }
      losses[loser, default: []].append(context.core.now)
    }
  }

  /// The game is over.
  func ended(_ board: [WireBoardRow]) {
    let wrong = board.filter { $0.points != area(of: Int($0.seat)) }.map(\.seat)
    expect(.points, wrong.isEmpty, "on the board seats \(wrong) have other points")
  }

  // Questions of players.

  /// A seat's path has just closed, by its bot's calculation.
  func noteClosing(of seat: Int) {
    closings[seat] = context.core.now
    gains[seat] = nil
  }

  /// Whether a cell may already belong to another player, who closed a path at about the same time.
  func isJustTaken(_ cell: Int, fromUnder seat: Int) -> Bool {
    guard let holder = copy?.holder(of: cell), holder != seat else { return false }
    return closings[holder].map { context.core.now.microseconds(since: $0) < 5_000_000 } ?? false
  }

  /// Whether a seat has lost cells so close to a moment that its cells at that time are unknown.
  func hasLost(_ seat: Int, about moment: Timestamp) -> Bool {
    losses[seat]?.contains { abs($0.microseconds(since: moment)) < 1_500_000 } ?? false
  }

  /// In rooms that cut: checks one player's step against all others' paths. The order in which two steps at about the
  /// same time reach the server is unknown, so the others' newest steps count as perhaps crossing this one.
  func cross(_ step: Segment, by player: any GroundPlayer) {
    guard context.plan.cutting else { return }
    for other in players where other !== player {
      other.crossed(by: step)
      if other.newestSteps.contains(where: { $0.isNear(step) && $0.crossing(step) != nil }) { player.perhapsCrossed() }
    }
  }

  /// The host's first position when that makes the arena; nil for bots that wait for it.
  func firstFix(of bot: Int) -> WireMove? {
    bot == 0 && !givesPlace ? WireMove(at: context.plan.place(room: roomIndex)) : nil
  }

  /// The place where a bot's player begins: in a square of places around the middle.
  func home(of bot: Int) -> Spot {
    // The host's first fix is the arena's middle, unless the room's request named another.
    guard let copy, bot > 0 || givesPlace else { return Spot(x: 0, y: 0) }
    let columns = Int(Double(context.plan.players).squareRoot().rounded(.up))
    let spacing = min(80, Double(copy.side) * copy.cellM / Double(columns + 1))
    let middle = Double(columns - 1) / 2
    return Spot(x: (Double(bot % columns) - middle) * spacing, y: (Double(bot / columns) - middle) * spacing)
  }
}
