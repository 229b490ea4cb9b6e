// The costs of writing for the benchmark of stories: the time that a change of each kind takes in commits of many.
import Game
import Store

struct StoryCosts {
  private static let changesAtOnce = 200
  private static let commits = 25

  private let store: SQLiteStore
  private var world: StoryWorld
  /// Changes that are new have numbers from here on.
  private var new: Int

  init(_ store: SQLiteStore, _ world: StoryWorld, new: Int) {
    (self.store, self.world, self.new) = (store, world, new)
  }

  /// Measures all kinds; each commit has changes of one kind, and one sync.
  mutating func measure() throws -> Table {
    var table = Table(["a change, \(Self.changesAtOnce) in a commit"] + ["p50", "p99", "p99.9", "most, ms"])
    let numbers = new..<new + Self.changesAtOnce * Self.commits
    new = numbers.upperBound
    let posts = numbers.map { world.write($0) }
    table.add(try cost("a post", of: posts))
    let edits = numbers.map { number in
      StoryChange.edit(
        PostEdit(
          id: StoryWorld.post(number),
          author: world.author(number),
          text: world.text(words: 20),
          at: StoryWorld.now
        )
      )
    }
    table.add(try cost("an edit of a post's text", of: edits))
    table.add(try cost("a comment", of: numbers.map { world.comment(-$0) }))
    let likes = numbers.map { _ in world.like() }
    table.add(try cost("a like", of: likes))
    let unlikes = likes.compactMap { like in
      if case .like(let post, let player, at: _) = like { StoryChange.unlike(post, player) } else { nil }
    }
    table.add(try cost("a like taken back", of: unlikes))
    table.add(try cost("a view", of: numbers.map { _ in world.view() }))
    table.add(try cost("a plan", of: numbers.map { PlanChange.write(plan($0)) }))
    table.add(try cost("a plan's stop", of: numbers.map { PlanChange.edit(stop($0)) }))
    table.add(try cost("a report of a post", of: numbers.map { _ in ModerationChange.report(report()) }))
    table.add(try cost("an introduction", of: numbers.map { _ in ProfileChange.edit(introduction()) }))
    let deletions = numbers.map { StoryChange.delete(StoryWorld.post($0), author: world.author($0)) }
    table.add(try cost("a post's deletion", of: deletions))
    return table
  }

  private func cost(_ name: String, of changes: [some ChangeFamily]) throws -> [String] {
    var times = CPUTimes()
    for start in stride(from: 0, to: changes.count, by: Self.changesAtOnce) {
      let slice = changes[start..<min(start + Self.changesAtOnce, changes.count)]
      let batch = Batch(at: StoryWorld.now, changes: slice.map(\.change))
      let began = MonotonicClock().now()
      _ = try store.answer { $0.commit(batch, $1) }
      let microseconds = MonotonicClock().now().microseconds(since: began)
      times.record(nanoseconds: microseconds * 1_000 / Int64(slice.count))
    }
    return [name] + times.cells
  }

  private mutating func plan(_ number: Int) -> Plan {
    Plan(
      id: PlanID(StoryWorld.post(number).value),
      author: world.author(number),
      title: world.text(words: 2),
      days: 20_000...20_006,
      writtenAt: StoryWorld.now
    )
  }

  private mutating func stop(_ number: Int) -> PlanEdit {
    let stop = PlanStop(
      id: PlanStopID(UInt128(number)),
      day: 20_001,
      title: world.text(words: 2),
      text: world.text(words: 20),
      place: nil
    )
    return PlanEdit(
      id: PlanID(StoryWorld.post(number).value),
      author: world.author(number),
      version: 1,
      edit: .addStop(stop, index: nil),
      at: StoryWorld.now
    )
  }

  private mutating func report() -> Report {
    Report(
      .post(StoryWorld.post(world.drawPost(of: world.posts))),
      by: world.player(),
      reasons: ReportReasons([.spam]),
      text: world.text(words: 5),
      network: [UInt8](repeating: UInt8(world.draw(0...255)), count: Report.networkByteCount),
      at: StoryWorld.now
    )
  }

  private mutating func introduction() -> ProfileEdit {
    ProfileEdit(player: world.player(), introduction: world.text(words: 10))
  }
}
