// Players walk and send their positions, about one a second each, and four where moves are read right before ticks;
// some without an id, some with a time, a few forged.
import MadangProtocol
import Net
import SeededRandom

struct Walk: Workload {
  private(set) var next: Timestamp
  private let plan: Plan
  private var random: SplitMix64
  private var positions: [(latE7: Int32, lngE7: Int32)]

  init(_ plan: Plan, from start: Timestamp, random: SplitMix64) {
    self.plan = plan
    self.random = random
    next = start
    positions = (0..<plan.players).map { (latE7: 375_665_000 + Int32($0) * 10_000, lngE7: 1_269_780_000) }
  }

  mutating func act(in world: World, at now: Timestamp) {
    next = random.moment(after: now, aboutMs: max(40, (plan.readsAtTicks ? 250 : 1_000) / plan.players))
    guard let player = random.pickFree(of: world), player.copy != nil else { return }
    // Up to about 5 m a second.
    let step: ClosedRange<Int> = plan.readsAtTicks ? -50...112 : -200...450
    positions[player.number].latE7 += Int32(random.draw(step))
    positions[player.number].lngE7 += Int32(random.draw(step))
    var move = WireMove()
    move.latE7 = positions[player.number].latE7
    move.lngE7 = positions[player.number].lngE7
    move.accuracyM = UInt32(random.draw(1...12))
    if random.chance(50) { move.timeMs = now.milliseconds }
    if random.chance(2) { move.mocked = true }
    if random.chance(2) { move.latE7 += 500_000 }
    player.move(move, isAnswered: !random.chance(50), at: now)
  }
}
