// Players write posts, edit and delete them, comment, like what others have written, once or twice, read and watch.
// Some try what is not allowed. A few posts have most of it.
import MadangProtocol
import Net
import SeededRandom

struct Writing: Workload {
  /// A connection waits for answers about stories, and what is sent meanwhile counts at once: whoever sends on and on
  /// is over the rate, and no more answered.
  private static let openRequestsMax = 3

  private(set) var next: Timestamp
  private let plan: Plan
  private var random: SplitMix64

  init(_ plan: Plan, from start: Timestamp, random: SplitMix64) {
    self.plan = plan
    self.random = random
    next = start
  }

  mutating func act(in world: World, at now: Timestamp) {
    next = random.moment(after: now, aboutMs: max(30, 900 / plan.players))
    let ready = world.players.filter { player in
      player.state == .ready && !player.isDeciding && !player.mayBeDeleted
        && player.requests.count < Self.openRequestsMax
    }
    guard !ready.isEmpty else { return }
    let player = random.pick(ready)
    let client = player.storyClient
    let draw = random.draw(1...100)
    switch draw {
    case 1...15: read(client, in: world, at: now)
    case 16...25:
      if !player.isAskingToWatchStories { watch(client, in: world, at: now) }
    case 26...30: client.list(at: now)
    case 31...33:
      if let id = pick(world) { client.trespass(id, at: now) }
    default:
      if !player.isChangingStories { change(client, draw, in: world, at: now) }
    }
  }

  /// A post, mostly one of the newest.
  private mutating func pick(_ world: World, where isMeant: (PostRecord) -> Bool = { _ in true }) -> String? {
    let ids = world.stories.records.suffix(12).filter(isMeant).compactMap(\.id)
    return ids.isEmpty ? nil : random.pick(ids)
  }

  private mutating func read(_ client: StoryClient, in world: World, at now: Timestamp) {
    if let id = pick(world) { client.read(id, at: now) }
  }

  private mutating func watch(_ client: StoryClient, in world: World, at now: Timestamp) {
    switch random.draw(1...10) {
    case 1...5: if let id = pick(world) { client.watch(id, at: now) }
    case 6...8: client.watchFeed(at: now)
    case 9: client.unwatchPost(at: now)
    default: client.unwatchFeed(at: now)
    }
  }

  private mutating func change(_ client: StoryClient, _ draw: Int, in world: World, at now: Timestamp) {
    let me = client.playerID
    switch draw {
    case 34...55:
      guard let id = pick(world, where: { $0.author != me }) else { return client.write(at: now) }
      client.like(id, times: random.chance(30) ? 2 : 1, at: now)
    case 56...62: if let id = pick(world, where: { $0.likes[me] != nil }) { client.unlike(id, at: now) }
    case 63...80: if let id = pick(world) { client.comment(on: id, at: now) }
    case 81...83:
      let post = pick(world) { $0.comments.contains { $0.author == me && $0.id != nil } }
      guard let post, let comment = world.stories[post]?.comments.last(where: { $0.author == me && $0.id != nil })
      else { return }
      if let id = comment.id { client.deleteComment(id, of: post, at: now) }
    case 84...90:
      guard let id = pick(world, where: { $0.author == me }) else { return client.write(at: now) }
      client.edit(id, namesVersion: random.chance(50), at: now)
    case 91...92: if let id = pick(world, where: { $0.author == me }) { client.delete(id, at: now) }
    default: client.write(at: now)
    }
  }
}
