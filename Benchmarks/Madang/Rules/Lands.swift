// `madang-bench lands`: the search for lands near a place, among many.
import ArgumentParser
import Dispatch
import Game
import Glibc
import SeededRandom
import Store
import Synchronization

struct Lands: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure the search for lands near a place.",
    discussion: """
      Lands of a hundred vertices, about 800 m around, lie over a country (450 × 280 km) and, once more, over a city \
      (22 × 22 km). Times are from the question to the answer, which another thread gives.
      """
  )

  @Option(help: "The number of lands.")
  var lands = 100_000

  @Option(help: "The number of searches of each kind.")
  var searches = 1_000

  func validate() throws {
    guard (1...1_000_000).contains(lands), (1...1_000_000).contains(searches) else {
      throw ValidationError("--lands and --searches must be 1 to 1000000.")
    }
  }

  func run() throws {
    var table = Table(["\(lands) lands", "p50", "p99", "p99.9", "most, ms", "found, mean"])
    for (name, latitudes, longitudes) in [("over a country", 4.0, 3.2), ("over a city", 0.2, 0.25)] {
      try Self.withFolder { folder in
        var random = SplitMix64(seed: 5)
        func place() -> Coordinate {
          Coordinate(
            latE7: 350_000_000 + Int32(random.draw(0...Int(latitudes * 1e7))),
            lngE7: 1_260_000_000 + Int32(random.draw(0...Int(longitudes * 1e7)))
          )
        }
        // As after an import: the server opens the folder that the import has closed.
        try Self.with(SQLiteStore(folder: folder)) { store in
          for first in stride(from: 0, to: lands, by: 1_000) {
            _ = try store.addLands((first..<min(lands, first + 1_000)).map { Self.land($0, around: place()) })
          }
        }
        let store = try SQLiteStore(folder: folder)
        defer { store.close() }
        for (withinM, limit) in [(500, 50), (5_000, 50), (20_000, 50)] {
          var times = CPUTimes()
          var found = 0
          for _ in 0..<searches {
            let (nanoseconds, count) = try Self.search(store, near: place(), withinM: withinM, limit: limit)
            times.record(nanoseconds: nanoseconds)
            found += count
          }
          table.add(["\(name), within \(withinM) m"] + times.cells + [(Double(found) / Double(searches)).fixed(1)])
        }
      }
    }
    print(table.text)
  }

  /// A land with a hundred vertices on a circle.
  private static func land(_ number: Int, around middle: Coordinate) -> Land {
    // On a circle of 125 m, in 1e-7 degree of latitude; a vertex every 3.6°.
    var (east, north) = (11_241.0, 0.0)
    let vertices = (0..<100).map { _ in
      (east, north) = (east * 0.998_026_728 - north * 0.062_790_520, north * 0.998_026_728 + east * 0.062_790_520)
      return Coordinate(latE7: middle.latE7 + Int32(north), lngE7: middle.lngE7 + Int32(east * 1.25))
    }
    return Land(id: LandID(UInt128(number) + 1), name: "land \(number)", vertices: ContiguousArray(vertices))
  }

  private static func search(
    _ store: SQLiteStore,
    near place: Coordinate,
    withinM: Int,
    limit: Int
  ) throws -> (nanoseconds: Int64, count: Int) {
    let answered = DispatchSemaphore(value: 0)
    let answer = Mutex<Result<[NearbyLand], StoreFailure>?>(nil)
    let clock = ContinuousClock()
    let began = clock.now
    store.lands(near: place, withinM: withinM, limit: limit) { result in
      answer.withLock { $0 = result }
      answered.signal()
    }
    answered.wait()
    let took = clock.now - began
    let count = try answer.withLock { try $0?.get().count } ?? 0
    return (took.components.seconds * 1_000_000_000 + took.components.attoseconds / 1_000_000_000, count)
  }

  private static func with(_ store: SQLiteStore, _ body: (SQLiteStore) throws -> Void) throws {
    defer { store.close() }
    try body(store)
  }

  /// Calls `body` with a folder of its own, which is removed afterwards.
  private static func withFolder(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/madang-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw BenchFailure(description: "/tmp can't be written") }
    let folder = template.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    defer {
      if let names = opendir(folder) {
        while let entry = readdir(names) {
          let name = withUnsafeBytes(of: entry.pointee.d_name) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
          }
          unlink("\(folder)/\(name)")
        }
        closedir(names)
      }
      rmdir(folder)
    }
    try body(folder)
  }
}
