// Fences for tests: circles around places north of one point, in a store that a server starts with.
import Game
import MadangProtocol
import Store
import StoreDoubles
import TestSupport

enum TestFences {
  /// The point that places are north of.
  static let origin = Coordinate(latE7: 375_665_000, lngE7: 1_269_780_000)
  /// The place so far north of the point.
  static func place(northM: Double) -> Coordinate {
    Coordinate(latE7: origin.latE7 + Int32((northM * 1e9 / 11_119_508).rounded()), lngE7: origin.lngE7)
  }

  static func circle(
    _ number: UInt128,
    northM: Double,
    radiusM: Int64,
    dwellS: Int64? = nil,
    closesAt: Instant? = nil
  ) throws -> Fence {
    try Fence(
      id: FenceID(number),
      name: "fence \(number)",
      topic: "gate",
      shape: .circle(FenceCircle(center: place(northM: northM), radiusMm: radiusM * 1_000)),
      dwellS: dwellS,
      closesAt: closesAt
    )
  }

  /// A store with these fences.
  static func store(_ fences: [Fence]) throws -> TestStore {
    let store = try TestStore(.memory)
    let now = Instant(milliseconds: ManualClock().now().milliseconds)
    let rows = fences.map { StoredFence(id: $0.id, bytes: $0.encoded, importedAt: now) }
    let entry = AuditEntry(at: now, address: "127.0.0.1", action: "importFences", detail: "")
    store.commit(Batch(at: now, changes: [ImportChange.fences(rows, entry).change]))
    return store
  }

  /// A store with a fence 100 m north, over another store.
  static func storeWithFence(_ store: any Store = MemoryStore()) throws -> any Store {
    try Self.store(with: [circle(1, northM: 100, radiusM: 60)], store)
  }

  static func store(with fences: [Fence], _ store: any Store = MemoryStore()) throws -> any Store {
    let now = Instant(milliseconds: ManualClock().now().milliseconds)
    let rows = fences.map { StoredFence(id: $0.id, bytes: $0.encoded, importedAt: now) }
    let entry = AuditEntry(at: now, address: "127.0.0.1", action: "importFences")
    let box = Box<Result<[Outcome], StoreFailure>>()
    store.commit(Batch(at: now, changes: [ImportChange.fences(rows, entry).change])) { box.put($0) }
    _ = try box.take().get()
    return store
  }
}

extension TestServer {
  /// Has a player walk northwards, 5 m a second.
  func walk(_ player: TestPlayer, fromM: Int, toM: Int) throws {
    for northM in stride(from: fromM, through: toM, by: 5) {
      clock.advance(seconds: 1)
      _ = try player.walk(toM: Double(northM))
    }
  }
}

extension TestPlayer {
  /// Watches places; returns the names of the fences that the player is in.
  @discardableResult
  func watchPlaces() throws -> [String] {
    let answer = try request(.watchPlaces(WireWatchPlaces()))
    guard case .placesWatched(let watched) = answer else { throw TestFailure("no placesWatched: \(answer)") }
    return watched.inside.map(\.name)
  }

  /// Sends a fix outside of games at a place so far north; returns the answer.
  func walk(toM northM: Double, accuracyM: UInt32 = 5) throws -> WireMoved {
    let place = TestFences.place(northM: northM)
    let answer = try request(.move(TestPlayer.move(place.latE7, place.lngE7, accuracyM: accuracyM)))
    guard case .moved(let moved) = answer else { throw TestFailure("no moved: \(answer)") }
    return moved
  }

  /// Takes the notifications of fences that have come, as `ENTERED fence 1`.
  func takeFenceChanges() throws -> [String] {
    // Everything before the answer has come.
    _ = try request(.time(WireTimeRequest()))
    return takeAll {
      if case .fence(let change) = $0.body { "\(change.change) \(change.fence.name)".uppercased() } else { nil }
    }
  }
}
