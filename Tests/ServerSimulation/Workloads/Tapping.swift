// Players choose schools, tap for them and watch the ranking. Mostly they keep the protocol. Some send a number again,
// one that is past or too high, or too many taps. A player in no room may have the account deleted, and comes back as
// another.
import MadangProtocol
import Net
import SeededRandom

struct Tapping: Workload {
  private(set) var next: Timestamp
  private let players: Int
  private var random: SplitMix64

  init(_ plan: Plan, from start: Timestamp, random: SplitMix64) {
    players = plan.players + plan.loners
    self.random = random
    next = start
  }

  mutating func act(in world: World, at now: Timestamp) {
    // Now and then no player taps for some seconds, and the ranking stands still.
    next = random.moment(after: now, aboutMs: random.chance(2) ? 4_000 : max(40, 900 / players))
    let rested = world.players.filter { $0.tapClient.isAtRest && !$0.isDeciding }
    guard !rested.isEmpty else { return }
    let player = random.pick(rested)
    switch random.draw(1...100) {
    case 1...5:
      if player.isLoner { player.ask(.deleteAccount(.init()), .deleteAccount, at: now) }
    case 6...12:
      player.tapClient.watchRanking(random.pick([nil, 1, 2, 100]), at: now)
    case 13...14:
      if player.tapClient.ranking.top != nil { player.tapClient.unwatchRanking(at: now) }
    case _ where player.tapClient.taps.school.isEmpty && random.chance(10):
      player.tapClient.probe(1, 10, .schoolless, at: now)
    case _ where player.tapClient.taps.school.isEmpty:
      player.tapClient.choose(random.pick(world.schools.open).id.description, at: now)
    case 15...19:
      player.tapClient.choose(random.pick(world.schools.open).id.description, at: now)
    case 20...35:
      probe(as: player, at: now)
    default:
      player.tapClient.tap(drawCount(), at: now)
    }
  }

  private mutating func drawCount() -> Int64 {
    switch random.draw(1...20) {
    case 1: Int64(random.draw(230...5_000))
    case 2...4: Int64(random.draw(100...229))
    default: Int64(random.draw(1...30))
    }
  }

  private mutating func probe(as player: Player, at now: Timestamp) {
    let last = player.tapClient.taps.lastBatch
    let count = drawCount()
    switch random.draw(1...10) {
    case 1...5 where last > 0: player.tapClient.probe(last, count, .again, at: now)
    case 6...7 where last > 1:
      let number = UInt32(random.draw(0...Int(last) - 1))
      player.tapClient.probe(number, count, .past(number), at: now)
    case 8 where last == 0: player.tapClient.probe(0, count, .gap, at: now)
    case 8...9: player.tapClient.probe(last + UInt32(random.draw(2...9)), count, .gap, at: now)
    default: player.tapClient.probe(last + 1, Int64(random.draw(-5...0)), .nothing, at: now)
    }
  }
}
