// `madang-bench stories`: the store's reads of posts among many, beside writes.
import ArgumentParser
import Game
import Store

struct Stories: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure the store's feeds, searches and reads of posts, or its writes.",
    discussion: """
      Fills a store with posts of a year, comments and likes, of which few posts have many. Then it asks for each kind \
      of read, one after the other, beside twenty commits a second of views, likes, comments, posts and edits. The \
      times are those from the call to the answer.
      """
  )

  @Option(help: "The folder of the store; one that has stories of an earlier run is filled up.")
  var data: String

  @Option(help: "The number of posts.")
  var posts = 100_000

  @Option(help: "The number of comments.")
  var comments = 1_000_000

  @Option(help: "The number of likes.")
  var likes = 5_000_000

  @Option(help: "The number of players.")
  var players = 100_000

  @Option(help: "The number of changes a second beside the reads.")
  var writes = 1_000

  @Option(help: "The number of reads of each kind.")
  var reads = 1_000

  @Flag(help: "Only fill the store.")
  var fillOnly = false

  @Flag(help: "Measure what a change of each kind costs, in place of the reads.")
  var writeCosts = false

  func validate() throws {
    guard (1_000...10_000_000).contains(posts), (0...100_000_000).contains(comments),
      (100...1_000_000).contains(players),
      (0...posts * players / 10).contains(likes), (0...10_000).contains(writes), (1...1_000_000).contains(reads)
    else { throw ValidationError("A number is out of range.") }
  }

  func run() throws {
    let began = MonotonicClock().now()
    let store = try SQLiteStore(folder: data)
    let openedMs = Double(MonotonicClock().now().microseconds(since: began)) / 1_000
    defer { store.close() }
    var world = StoryWorld(players: players, posts: posts, seed: 22)
    try fill(store, &world)
    let counts = try store.answer { $0.storyCounts($1) }
    print("\(counts.posts) posts, \(counts.counts.comments) comments, \(counts.counts.likes) likes")
    print("opened in \(openedMs.fixed(0)) ms")
    guard !fillOnly else { return }
    let new = Int(counts.posts + counts.counts.comments) + posts + comments
    guard !writeCosts else {
      var costs = StoryCosts(store, world, new: new)
      return print(try costs.measure().text)
    }
    let writer = StoryWriter(store, world, writesPerSecond: writes, new: new)
    if writes > 0 { writer.start() }
    var table = Table(["read, \(writes) changes/s beside it"] + ["p50", "p99", "p99.9", "most, ms", "found, mean"])
    for read in StoryReads.all {
      var times = CPUTimes()
      var found = 0
      for _ in 0..<reads {
        let question = read.question(&world)
        let began = MonotonicClock().now()
        found += try question(store)
        times.record(nanoseconds: MonotonicClock().now().microseconds(since: began) * 1_000)
      }
      table.add([read.name] + times.cells + [(Double(found) / Double(reads)).fixed(1)])
    }
    let commits = writer.stop()
    table.add(["a commit of the writer"] + commits.cells + [""])
    print(table.text)
  }

  private func fill(_ store: SQLiteStore, _ world: inout StoryWorld) throws {
    let before = try store.answer { $0.storyCounts($1) }
    if before.posts == 0 {
      try fill("players", store, 0..<players) { world.hello($0).change }
    }
    try fill("posts", store, min(Int(before.posts), posts)..<posts) { world.write($0 + 1).change }
    try fill("comments", store, min(Int(before.counts.comments), comments)..<comments) { world.comment(-$0 - 1).change }
    // Some are repeats, which count nothing.
    var known = Int(before.counts.likes)
    while known < likes {
      try fill("likes", store, known..<likes) { _ in world.like().change }
      let count = Int(try store.answer { $0.storyCounts($1) }.counts.likes)
      guard count > known else { throw BenchFailure(description: "there are no more likes to give") }
      known = count
    }
  }

  private func fill(_ name: String, _ store: SQLiteStore, _ range: Range<Int>, _ change: (Int) -> Change) throws {
    guard range.count > 0 else { return }
    let began = MonotonicClock().now()
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 2_000) {
      let changes = (start..<min(start + 2_000, range.upperBound)).map(change)
      _ = try store.answer { $0.commit(Batch(at: StoryWorld.now, changes: changes), $1) }
    }
    let microseconds = Double(MonotonicClock().now().microseconds(since: began))
    print(
      "\(range.count) \(name) in \((microseconds / 1_000_000).fixed(1)) s, "
        + "\((microseconds / Double(range.count)).fixed(0)) µs each, in commits of two thousand"
    )
  }
}
