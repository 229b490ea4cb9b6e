// Players change their names, block and unblock each other, and look up their results.
import MadangProtocol
import Net
import SeededRandom

struct Accounts: Workload {
  private(set) var next: Timestamp
  private let plan: Plan
  private var random: SplitMix64

  init(_ plan: Plan, from start: Timestamp, random: SplitMix64) {
    self.plan = plan
    self.random = random
    next = start
  }

  mutating func act(in world: World, at now: Timestamp) {
    next = random.moment(after: now, aboutMs: max(60, 2_500 / plan.players))
    guard let player = random.pickFree(of: world), !player.isTendingAccount else { return }
    let other = random.pick(world.players.filter { !$0.isLoner })
    switch random.draw(1...5) {
    case 1:
      var request = WireSetNickname()
      request.nickname = "n\(random.draw(1...9))"
      player.account.beginNaming(request.nickname)
      player.ask(.setNickname(request), .setNickname(request.nickname), at: now)
    case 2, 3:
      guard other !== player, let id = other.playerID else { return }
      if player.account.hasBlocked(other.number) {
        var request = WireUnblock()
        request.playerID = id
        player.account.beginUnblocking(other.number)
        player.ask(.unblock(request), .unblock(other.number), at: now)
      } else {
        var request = WireBlock()
        request.playerID = id
        player.account.beginBlocking(other.number)
        if let blocker = player.playerID {
          world.capsules.noteBlock(of: id, by: blocker)
          world.stories.noteBlock(of: id, by: blocker)
        }
        player.ask(.block(request), .block(other.number), at: now)
      }
    case 4:
      player.askRecords(at: now)
    default:
      let stored = world.written.points[player.playerID ?? ""] ?? [:]
      player.askResults("", ResultPages(stored: Set(stored.keys)), at: now)
    }
  }
}
