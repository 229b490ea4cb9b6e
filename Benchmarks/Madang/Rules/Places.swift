// `madang-bench places`: the store's searches for capsules among a million, beside writes.
import ArgumentParser
import Game
import Store

struct Places: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure the store's searches for capsules.",
    discussion: """
      Fills a store with capsules as cities have them, a fifth of all in one, nine of ten for everyone. Then it asks \
      for each kind of list, one after the other, beside twenty commits a second of openings, edits and new capsules. \
      The times are those from the call to the answer.
      """
  )

  @Option(help: "The folder of the store; one that has capsules of an earlier run is filled up.")
  var data: String

  @Option(help: "The number of capsules.")
  var capsules = 1_000_000

  @Option(help: "The number of changes a second beside the searches.")
  var writes = 1_000

  @Option(help: "The number of searches of each kind.")
  var searches = 1_000

  @Flag(help: "Only fill the store.")
  var fillOnly = false

  func validate() throws {
    guard (1_000...10_000_000).contains(capsules), (0...10_000).contains(writes), (1...1_000_000).contains(searches)
    else { throw ValidationError("--capsules, --writes or --searches is out of range.") }
  }

  func run() throws {
    let store = try SQLiteStore(folder: data)
    defer { store.close() }
    var world = CapsuleWorld(players: max(1, capsules / 500), seed: 21)
    try world.greet(in: store)
    let before = Int(try store.answer { $0.capsuleCounts($1) }.capsules)
    let began = MonotonicClock().now()
    var buried = before
    while buried < capsules {
      let batch = (0..<min(1_000, capsules - buried)).map { world.bury(UInt128(buried + $0 + 1)).change }
      _ = try store.answer { $0.commit(Batch(at: CapsuleWorld.now, changes: batch), $1) }
      buried += batch.count
    }
    if buried > before {
      let seconds = Double(MonotonicClock().now().microseconds(since: began)) / 1_000_000
      print(
        "\(buried - before) capsules buried in \(seconds.fixed(1)) s, "
          + "\((seconds * 1_000_000 / Double(buried - before)).fixed(0)) µs each, in commits of a thousand"
      )
    }
    guard !fillOnly else { return }
    let writer = CapsuleWriter(store, world, writesPerSecond: writes, known: buried)
    if writes > 0 { writer.start() }
    var table = Table(["\(buried) capsules, \(writes) changes/s"] + ["p50", "p99", "p99.9", "most, ms", "found, mean"])
    for search in CapsuleSearches.all {
      var times = CPUTimes()
      var found = 0
      for _ in 0..<searches {
        let place = world.draw()
        let began = MonotonicClock().now()
        found += try search.ask(store, world.player(), place)
        times.record(nanoseconds: MonotonicClock().now().microseconds(since: began) * 1_000)
      }
      table.add([search.name] + times.cells + [(Double(found) / Double(searches)).fixed(1)])
    }
    let commits = writer.stop()
    table.add(["a commit of the writer"] + commits.cells + [""])
    print(table.text)
  }
}

/// The kinds of searches, each with the number of rows that it finds.
private struct CapsuleSearches {
  let name: String
  let ask: (SQLiteStore, PlayerID, Coordinate) throws -> Int

  static var all: [CapsuleSearches] {
    [
      CapsuleSearches(name: "257 nearest within 1 km") { store, player, place in
        try store.answer { $0.capsules(near: place, withinM: 1_000, visibleTo: player, limit: 257, $1) }.count
      },
      page("nearest", { .nearest($0) }), page("furthest", { .furthest($0) }), page("latest", { _ in .latest }),
      page("oldest", { _ in .oldest }), laterPage("nearest", { .nearest($0) }),
      laterPage("furthest", { .furthest($0) }), laterPage("latest", { _ in .latest }),
      ownPage("nearest", { .nearest($0) }),
    ] + [2_000, 50_000, 1_000_000, 20_000_000, 400_000_000].map(map)
      + [
        CapsuleSearches(name: "highlights of everyone's") { store, player, place in
          try store.answer { $0.capsuleHighlights(.everyone, of: player, at: place, $1) }.nearest == nil ? 0 : 8
        }
      ]
  }

  private static func page(_ name: String, _ sort: @escaping (Coordinate) -> CapsuleSort) -> CapsuleSearches {
    CapsuleSearches(name: "10 \(name) of everyone's") { store, player, place in
      try store.answer { $0.capsules(.everyone, of: player, by: sort(place), after: nil, limit: 10, $1) }.count
    }
  }

  /// The page behind the first fifty of a sort that began elsewhere.
  private static func laterPage(_ name: String, _ sort: @escaping (Coordinate) -> CapsuleSort) -> CapsuleSearches {
    CapsuleSearches(name: "10 \(name), behind a distance of 30 to 3,000 km or a day") { store, player, place in
      let sort = sort(place)
      let far = CapsuleWorld.moved(place, by: Int(player.value % 100) * 2_700_000 + 2_700_000)
      let key =
        switch sort {
        case .latest, .oldest: 18_000 - Int64(player.value % 500)
        case .nearest, .furthest: SphereVector(place).measure(to: SphereVector(far))
        }
      let cursor = CapsuleCursor(key: key, id: CapsuleID(0))
      return try store.answer { $0.capsules(.everyone, of: player, by: sort, after: cursor, limit: 10, $1) }.count
    }
  }

  private static func ownPage(_ name: String, _ sort: @escaping (Coordinate) -> CapsuleSort) -> CapsuleSearches {
    CapsuleSearches(name: "10 \(name) of one's own") { store, player, place in
      try store.answer { $0.capsules(.own, of: player, by: sort(place), after: nil, limit: 10, $1) }.count
    }
  }

  private static func map(_ spanE7: Int) -> CapsuleSearches {
    CapsuleSearches(name: "a map \((Double(2 * spanE7) * 1e-7).fixed(4))° wide") { store, player, place in
      let (south, north) = (Int(place.latE7) - spanE7, Int(place.latE7) + spanE7)
      let (west, east) = (CapsuleWorld.moved(place, by: -spanE7), CapsuleWorld.moved(place, by: spanE7))
      let box = MapBox(
        southE7: Int32(max(-900_000_000, south)),
        westE7: west.lngE7,
        northE7: Int32(min(900_000_000, north)),
        eastE7: east.lngE7
      )
      guard let box else { throw BenchFailure(description: "no map") }
      switch try store.answer({ $0.capsules(in: box, .everyone, of: player, limit: 256, $1) }) {
      case .capsules(let rows): return rows.count
      case .clusters(let clusters): return clusters.count
      }
    }
  }
}

extension CapsuleWorld {
  fileprivate mutating func greet(in store: SQLiteStore) throws {
    for start in stride(from: 0, to: players, by: 1_000) {
      let changes = (start..<min(start + 1_000, players)).map { hello($0).change }
      _ = try store.answer { $0.commit(Batch(at: CapsuleWorld.now, changes: changes), $1) }
    }
  }
}
