// A streamed copy of a store: what it restores is what was committed, whatever happens in between.
import Copies
import Dispatch
import Game
import SeededRandom
import Store
import TestSupport
import Testing

@Suite("Streamed copies")
struct StoreCopyTests {
  /// The bytes that differ by the way of journalling, and counters of writes.
  private static let free = Set([18, 19] + Array(24..<28) + Array(92..<100))

  private func expectSame(_ restored: [UInt8], _ bytes: [UInt8], _ comment: String = "") {
    #expect(restored.count == bytes.count, "\(comment)")
    let other = zip(restored, bytes).enumerated().first {
      $0.element.0 != $0.element.1 && !Self.free.contains($0.offset)
    }
    #expect(other == nil, "\(comment) page \((other?.offset ?? 0) / 4_096 + 1)")
  }

  @Test("A copy of a store makes the same database, from the first commits on")
  func whole() async throws {
    let trial = try CopyTrial()
    try await trial.store.commit([(RoomID(1), [1])], RoomChange.open(room(1)))
    try trial.becomeWhole()
    #expect(trial.status.age == .zero && trial.status.failure == nil && trial.status.generationBeganAt != nil)
    try await trial.store.commit([(RoomID(1), [2])])
    trial.pass(.seconds(5))
    #expect(trial.status.age == .seconds(5))
    trial.step()
    #expect(trial.status.age == .zero)
    try await trial.store.commit([(RoomID(1), [3])])
    trial.end()
    expectSame(try trial.restored(), trial.bytes)
    #expect(trial.events.count == 1)
  }

  @Test(
    "Whatever commits, checkpoints and maintenance come between, the copy makes the same database",
    arguments: 1...6 as ClosedRange<UInt64>
  )
  func anyOrder(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    var settings = CopySettings.quick
    settings.piecePages = Int.random(in: 1...40, using: &random)
    // Generations follow each other while deltas go on.
    settings.generationSpan = .seconds(Int.random(in: 5...200, using: &random))
    let trial = try CopyTrial(settings)
    let queue = DispatchQueue(label: "madang.tests.checkpoints")
    let checkpoints = try Checkpoints(path: SQLiteStore.path(in: trial.data.path), queue: queue)
    try await trial.store.commit([], RoomChange.open(room(1)), RoomChange.open(room(2)))
    for round in 0..<100 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: try await trial.store.maintain()
      case 1:
        checkpoints.noteWrites(bytes: 4 << 20, rows: 0)
        queue.sync {}
      case 2...5: trial.step(Int.random(in: 1...4, using: &random))
      case 6:
        let bytes = [UInt8](
          repeating: UInt8(truncatingIfNeeded: round),
          count: Int.random(in: 1...300_000, using: &random)
        )
        try await trial.store.commit([(RoomID(1), bytes)])
      default: try await trial.store.commit([(RoomID(2), [UInt8(truncatingIfNeeded: round)])])
      }
    }
    try trial.becomeWhole()
    try await trial.store.commit([(RoomID(2), [7])])
    checkpoints.close()
    trial.end()
    expectSame(try trial.restored(), trial.bytes, "seed \(seed)")
    #expect(trial.lossCount == 0)
  }

  @Test("Commits from other threads miss no page, while the log begins anew again and again")
  func race() async throws {
    let trial = try CopyTrial()
    let path = SQLiteStore.path(in: trial.data.path)
    try await trial.store.commit([], RoomChange.open(room(1)))
    let store = trial.store
    let writing = Task {
      for number in 0..<150 {
        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 20_000)
        try await store.commit([(RoomID(1), bytes)])
      }
    }
    let checking = Task {
      let queue = DispatchQueue(label: "madang.tests.checkpoints")
      let checkpoints = try Checkpoints(path: path, queue: queue)
      for _ in 0..<100 {
        checkpoints.noteWrites(bytes: 4 << 20, rows: 0)
        queue.sync {}
        await Task.yield()
      }
      checkpoints.close()
    }
    while trial.events.isEmpty { trial.step() }
    try await writing.value
    try await checking.value
    trial.end()
    expectSame(try trial.restored(), trial.bytes)
  }

  @Test("A failing destination holds up no commit, and gets all of it later")
  func failing() async throws {
    let trial = try CopyTrial()
    try await trial.store.commit([(RoomID(1), [1])], RoomChange.open(room(1)))
    try trial.becomeWhole()
    trial.destination.fail(true)
    for number in UInt8(2)..<9 {
      try await trial.store.commit([(RoomID(1), [number])])
      trial.step()
    }
    #expect(trial.status.failure == "the disk is away" && trial.status.age >= .seconds(5))
    trial.destination.fail(false)
    trial.step(70)
    #expect(trial.status.failure == nil && trial.status.age == .zero)
    trial.end()
    expectSame(try trial.restored(), trial.bytes)
    #expect(trial.events.count == 1, "the generation goes on")
  }

  @Test("Beyond the bound of what waits another generation begins, and the old point stays until then")
  func overflow() async throws {
    let trial = try CopyTrial(backlogBytesMax: 16 << 20)
    try await trial.store.commit([(RoomID(1), [1])], RoomChange.open(room(1)))
    try trial.becomeWhole()
    let before = try trial.restored()
    trial.destination.fail(true)
    for _ in 0..<6 { try await trial.store.commit([(RoomID(1), [UInt8](repeating: 5, count: 3 << 20))]) }
    // The log is short again before the next generation takes it over.
    let queue = DispatchQueue(label: "madang.tests.checkpoints")
    let checkpoints = try Checkpoints(path: SQLiteStore.path(in: trial.data.path), queue: queue)
    checkpoints.noteWrites(bytes: 4 << 20, rows: 0)
    checkpoints.close()
    trial.step()
    #expect(trial.lossCount == 1)
    #expect(trial.status.generationBeganAt == nil && trial.status.age > .zero)
    trial.destination.fail(false)
    #expect(try trial.restored() == before)
    try trial.becomeWhole()
    trial.end()
    expectSame(try trial.restored(), trial.bytes)
  }

  @Test("A point in the past is restored by its moment, and none that is before the first")
  func until() async throws {
    let trial = try CopyTrial()
    try await trial.store.commit([(RoomID(1), [1])], RoomChange.open(room(1)))
    let early = trial.now
    try trial.becomeWhole()
    var points: [(at: Instant, journal: [UInt8])] = []
    for number in UInt8(2)..<6 {
      try await trial.store.commit([(RoomID(1), [number])])
      trial.step()
      points.append((trial.now, (1...number).map { $0 }))
      trial.pass(.seconds(10))
    }
    trial.end()
    for point in points {
      let folder = try TestFolder()
      _ = try trial.copy.restore(to: SQLiteStore.path(in: folder.path), until: point.at)
      let store = try SQLiteStore(folder: folder.path)
      #expect(try store.liveRooms().map(\.journal) == [point.journal])
      store.close()
    }
    #expect(throws: CopyFailure.self) { try trial.restored(until: early - .seconds(1)) }
  }

  @Test("A damaged or missing delta ends the copy there; an older generation serves where the newest gives nothing")
  func damaged() async throws {
    var settings = CopySettings.quick
    settings.generationSpan = .seconds(300)
    let trial = try CopyTrial(settings)
    try await trial.store.commit([(RoomID(1), [1])], RoomChange.open(room(1)))
    try trial.becomeWhole()
    trial.pass(.seconds(301))
    try trial.becomeWhole()
    for number in UInt8(2)..<6 {
      try await trial.store.commit([(RoomID(1), [number])])
      trial.step()
    }
    trial.end()
    let generations = try trial.destination.entries(in: "generations").folders
    #expect(generations.count == 2)
    let newest = "generations/\(generations[1])"
    let deltas = try trial.destination.entries(in: newest).files.filter { $0.hasPrefix("delta") }
    let last = "\(newest)/\(try #require(deltas.last))"
    var bytes = try trial.destination.get(last)
    bytes[bytes.count / 2] ^= 1
    try trial.destination.put(last, bytes)
    let folder = try TestFolder()
    let point = try trial.copy.restore(to: folder.file("one"))
    #expect(point.generation == generations[1] && point.fault?.contains("is damaged") == true)
    try trial.destination.delete("\(newest)/\(deltas[deltas.count - 2])")
    let gap = try trial.copy.restore(to: folder.file("two"))
    #expect(gap.deltas == point.deltas - 1 && gap.fault?.contains("is missing") == true)
    let piece = try #require(trial.destination.entries(in: newest).files.last { $0.hasPrefix("snapshot") })
    let bytesOfPiece = try trial.destination.get("\(newest)/\(piece)")
    try trial.destination.delete("\(newest)/\(piece)")
    #expect(try trial.copy.restore(to: folder.file("two")).generation == generations[0])
    try trial.destination.put("\(newest)/\(piece)", bytesOfPiece)
    try trial.destination.delete("\(newest)/\(deltas[0])")
    let older = try trial.copy.restore(to: folder.file("three"))
    #expect(older.generation == generations[0] && older.fault?.contains(generations[1]) == true)
    try trial.destination.delete("generations/\(generations[0])/whole")
    #expect(throws: CopyFailure.self) { try trial.copy.restore(to: folder.file("four")) }
    #expect(folder.names == ["one", "three", "two"])
  }
}
