// Players chat, read others' chats, and ask for the time.
import MadangProtocol
import Net
import SeededRandom

struct Chatter: Workload {
  private(set) var next: Timestamp
  private let plan: Plan
  private var random: SplitMix64

  init(_ plan: Plan, from start: Timestamp, random: SplitMix64) {
    self.plan = plan
    self.random = random
    next = start
  }

  mutating func act(in world: World, at now: Timestamp) {
    next = random.moment(after: now, aboutMs: max(40, 1_200 / plan.players))
    guard let player = random.pickFree(of: world) else { return }
    guard let copy = player.copy, !random.chance(10) else {
      return player.ask(.time(.init()), .time(sentAt: now), at: now)
    }
    if random.chance(25) {
      var read = WireReadChat()
      read.upTo = copy.lastEvent
      return player.ask(.readChat(read), .readChat, at: now)
    }
    for _ in 0..<(random.chance(5) ? 7 : 1) {
      var chat = WireChatRequest()
      chat.text = player.makeChat()
      player.ask(.chat(chat), .chat(chat.text), at: now)
    }
  }
}
