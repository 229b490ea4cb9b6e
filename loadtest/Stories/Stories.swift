// `madang-loadtest stories`: players who write, like, comment, upload and look; what must come of it is compared with
// what the server says.
import ArgumentParser
import Foundation
import MadangProtocol
import Net

package struct Stories: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Write posts with bots, look at them, and check that everything counts once.",
    discussion: """
      Each bot writes, edits and deletes posts, comments, likes and takes likes back, uploads pictures, reads, lists, \
      searches and watches, one act after the other. Some acts are sent twice, or again over a second connection. Each \
      bot reckons by itself what must come of the answered acts. At the end the likes, views, comments and pictures of \
      all posts, the feed of all posts and what watchers were told last must be exactly that. Nobody else may act in \
      the bots' posts meanwhile.

      With --viewers the first bot writes one post, which the viewers watch while the others comment and like, \
      --acts-per-second in all. The news that each viewer gets are counted.

      Prints the times to the answers. Exits with 1 when something differs, when there were errors, or when an \
      expectation is missed.
      """
  )

  @OptionGroup var target: TargetOptions

  @Option(help: "The number of players who act; with --viewers as many as its acts need.")
  package var players = 100

  @Option(help: "Acts a second from each player, 0.1 to 1: the budgets of a player allow no more.")
  package var rate = 0.8

  @Option(help: "Seconds of acting.")
  package var seconds = 30

  @Option(help: "The share of posts with pictures, in per cent; 0 for none. Not over TLS.")
  package var picturePercent = 30

  @Option(help: "The size of a picture, 1 to 5000 kB.")
  package var pictureKB = 50

  @Option(help: "The number of viewers of one post; 0 for none.")
  package var viewers = 0

  @Option(help: "Comments and likes a second in that post, 1 to 2000.")
  package var actsPerSecond = 200

  @Option(help: "One viewer in this many decodes its news; the others count them.")
  package var lookEvery = 20

  @Option(help: "The number of connections begun in a second.")
  package var connectsPerSecond = 500

  @Option(help: "Threads for the bots.")
  package var shards = 1

  @Option(help: "The seed of the bots' random choices.")
  var seed: UInt64 = 1

  @Option(help: "Fail when fewer acts were answered than this.")
  var expectActs: Int?

  @Option(help: "Fail when a viewer gets more news than this in any second.")
  var newsPerSecondMax: Int?

  @Option(help: "Fail when the 99th percentile of the time to the answer of reads, lists or searches is over this; ms.")
  var p99MS: Double?

  package init() {}

  package func validate() throws {
    guard (1...19_000).contains(players), (0...19_000).contains(viewers) else {
      throw ValidationError("--players must be 1 to 19000, --viewers 0 to 19000.")
    }
    guard (0.1...1).contains(rate) else { throw ValidationError("--rate must be 0.1 to 1.") }
    guard (1...3_600).contains(seconds) else { throw ValidationError("--seconds must be 1 to 3600.") }
    guard (0...100).contains(picturePercent), (1...5_000).contains(pictureKB) else {
      throw ValidationError("--picture-percent must be 0 to 100, --picture-kb 1 to 5000.")
    }
    guard (1...2_000).contains(actsPerSecond), lookEvery >= 1 else {
      throw ValidationError("--acts-per-second must be 1 to 2000, --look-every 1 or more.")
    }
    guard (1...5_000).contains(connectsPerSecond), (1...64).contains(shards) else {
      throw ValidationError("--connects-per-second must be 1 to 5000, --shards 1 to 64.")
    }
  }

  /// An actor in one post comments every other time, and a player may comment 30 times a minute.
  private static let crowdRate = 0.8

  package func run() async throws {
    let plan = try plan()
    let group = try StoriesGroup(plan)
    var misses: [String] = []
    group.order { $0.start() }
    let entering = plan.pace.seconds + StoriesPlan.enteringSecondsMax
    if let missing = await group.finish(within: entering) { misses.append("bots have not begun: \(missing)") }
    let use = ServerUse(target.serverPID)
    try await begin(group, plan)
    let began = ContinuousClock.now
    let before = await group.results().actCount
    try await Task.sleep(for: .seconds(seconds))
    let acted = (ContinuousClock.now - began) / .seconds(1)
    let used = use.lines(each: "an act", await group.results().actCount - before)
    group.order { $0.stopActing() }
    if let open = await group.finish(within: StoriesPlan.settlingSecondsMax) {
      misses.append("acts are not answered: \(open)")
    }
    let results = await group.results()
    let truth = await group.truth()
    let complaints = misses.isEmpty ? await StoryAudit(group: group, plan: plan).complaints() : []
    let all = await group.results()
    await group.end()
    for line in results.lines(plan, seconds: acted) + used { print(line) }
    print(truth.line)
    try check(results, all, misses + complaints)
  }

  private func plan() throws -> StoriesPlan {
    let url = try ServerURL(target.url)
    guard !url.isSecure || picturePercent == 0 || viewers > 0 else {
      throw ValidationError("Pictures are uploaded without TLS alone: set --picture-percent 0.")
    }
    let crowd = Int((Double(actsPerSecond) / Self.crowdRate).rounded(.up)) + 1
    let actors = viewers > 0 ? crowd : players
    let interval = viewers > 0 ? Double(actors - 1) / Double(actsPerSecond) : 1 / rate
    return StoriesPlan(
      target: try target.target(),
      web: StoryWeb(host: url.host, port: url.port),
      identities: PlayerIdentities(name: String(UInt64.random(in: .min ... .max), radix: 36)),
      actors: actors,
      intervalMicroseconds: Int64(1_000_000 * interval),
      picturePercent: picturePercent,
      pictureBytes: pictureKB * 1_000,
      viewing: viewers > 0 ? StoriesPlan.Viewing(viewers: viewers, lookEvery: lookEvery) : nil,
      pace: ConnectPace(connections: actors + viewers, perSecond: connectsPerSecond),
      shards: shards,
      seed: seed
    )
  }

  private func begin(_ group: StoriesGroup, _ plan: StoriesPlan) async throws {
    guard plan.viewing != nil else { return group.order { $0.roam() } }
    group.order { $0.writePost() }
    _ = await group.finish(within: StoriesPlan.settlingSecondsMax)
    guard let post = await group.truth().posts.keys.first else { throw ValidationError("The post was not written.") }
    group.order { $0.watch(post) }
    _ = await group.finish(within: StoriesPlan.settlingSecondsMax)
    group.order { $0.beginMeasuring() }
    group.order { $0.crowd(post) }
  }

  private func check(_ results: StoryResults, _ all: StoryResults, _ differences: [String]) throws {
    var misses = differences
    if all.complaintCount > 0 { misses.append("\(all.complaintCount) answers differ, such as: \(all.complaints[0])") }
    if all.errorCount + all.losses > 0 { misses.append("\(all.errorCount) errors and \(all.losses) lost connections") }
    if let expectActs, results.actCount < expectActs {
      misses.append("\(results.actCount) acts were answered, \(expectActs) expected")
    }
    if let newsPerSecondMax, results.newsInSecondMost > newsPerSecondMax {
      misses.append("a viewer got \(results.newsInSecondMost) news in a second, at most \(newsPerSecondMax) expected")
    }
    if let p99MS {
      for kind in [StoryAct.Kind.read, .list, .search] {
        guard let p99 = results.p99MS(of: kind), p99 > p99MS else { continue }
        misses.append("\(kind.rawValue): p99 \(p99) ms, at most \(p99MS) expected")
      }
    }
    print(misses.isEmpty ? "exactly as reckoned" : "\(misses.count) differences")
    guard !misses.isEmpty else { return }
    for miss in misses.prefix(20) { print("missed: \(miss)") }
    throw ExitCode(1)
  }
}
