// The acts that a bot chooses: drawn from its seed, and from what it has seen.
//
// On the bot's shard.
import MadangProtocol
import SeededRandom

extension StoryBot {
  private static let knownMax = 200
  private static let picturesOfPostMax = 3

  /// The time for the next act.
  func step() {
    if case .nothing = order { return }
    let interval = context.plan.intervalMicroseconds
    context.wake(number, afterMicroseconds: interval / 2 + Int64(generator.draw(0...Int(interval))))
    guard isIdle else { return }
    acts += 1
    switch order {
    case .nothing: break
    case .crowd(let post): send(crowded(post))
    case .roam: roam()
    }
  }

  func begin(_ order: Order) {
    self.order = order
    let interval = Int(context.plan.intervalMicroseconds)
    context.wake(number, afterMicroseconds: Int64(generator.draw(1...interval)))
  }

  /// Half comments, half likes in turn with taking them back.
  private func crowded(_ post: String) -> StoryAct {
    if acts.isMultiple(of: 2) { return .comment(post, "\(context.core.readClock().microseconds)") }
    return ledger.liked.contains(post) ? .unlike(post) : .like(post)
  }

  private func roam() {
    let act = chosen()
    guard act.mayRepeat else { return send(act) }
    if generator.chance(2) { return sendTwice(act) }
    send(act)
    guard generator.chance(10) else { return }
    context.results.doubles += 1
    send(act)
  }

  private func chosen() -> StoryAct {
    let look = StoryAct.list()
    guard let other = known.isEmpty ? nil : generator.pick(known) else {
      return acts < 3 || generator.chance(50) ? written() : look
    }
    switch generator.draw(1...100) {
    case 1...38: return .read(other)
    case 39...56: return .like(other)
    case 57...62: return ledger.liked.min().map { .unlike($0) } ?? .like(other)
    case 63...76: return .comment(other, "\(acts)번째 말 #\(index)")
    case 77...83: return written()
    case 84...86: return ownPost.map { .edit($0, text(acts)) } ?? look
    case 87: return ledger.posts.count > 2 ? .delete(ledger.posts[0].id) : look
    case 88...94: return look
    case 95...97: return .search(context.plan.word(of: index))
    default: return .watch(other)
    }
  }

  private var ownPost: String? { ledger.posts.last?.id }

  private func text(_ number: Int) -> String { "파도 소리를 들었다, \(number)번째로. #바다 #여름" }

  /// A post with pictures that were uploaded before, or the upload of one for a later post.
  private func written() -> StoryAct {
    let plan = context.plan
    if generator.chance(plan.picturePercent), uploadsBegun < plan.uploadsMax, pictures.count < 2 {
      return .askUpload(picture.count)
    }
    let media = Array(pictures.prefix(Self.picturesOfPostMax))
    pictures.removeFirst(media.count)
    return .write("\(plan.word(of: index)) \(acts)", text(acts), media)
  }

  /// The next picture to be uploaded.
  var picture: [UInt8] {
    let seed = context.plan.seed ^ UInt64(index) << 32 ^ UInt64(uploadsBegun)
    return StoryPicture.png(byteCount: context.plan.pictureBytes, seed: seed)
  }

  /// Keeps others' posts of a feed in mind.
  func learn(_ posts: [WirePost]) {
    for post in posts where post.authorID != playerID && !known.contains(post.postID) { known.append(post.postID) }
    known.removeFirst(max(0, known.count - Self.knownMax))
  }
}
