// The console's view of places: fences and capsules on a map, totals, and one read of the store at a time.
import Game
import MadangProtocol
import Server
import Store
import StoreDoubles
import Synchronization
import TestSupport
import Testing

@Suite struct ConsolePlacesTests {
  /// The members of a box around `TestFences.origin`, so many degrees to each side.
  private static func around(degrees: Double) -> String {
    let reach = Int32(degrees * 1e7)
    let origin = TestFences.origin
    return box(origin.latE7 - reach, origin.lngE7 - reach, origin.latE7 + reach, origin.lngE7 + reach)
  }

  private static func box(_ southE7: Int32, _ westE7: Int32, _ northE7: Int32, _ eastE7: Int32) -> String {
    "\"southE7\":\(southE7),\"westE7\":\(westE7),\"northE7\":\(northE7),\"eastE7\":\(eastE7)"
  }

  private static func circle(_ number: UInt128, _ latE7: Int32, _ lngE7: Int32, radiusM: Int64 = 100) throws -> Fence {
    let center = Coordinate(latE7: latE7, lngE7: lngE7)
    return try Fence(
      id: FenceID(number),
      name: "fence \(number)",
      shape: .circle(FenceCircle(center: center, radiusMm: radiusM * 1_000))
    )
  }

  private static func names(_ places: [String: Any]) -> [String?] {
    places.rows("fences").map { $0.text("name") }
  }

  /// Buries capsules for everyone, in the server's place.
  private static func bury(_ count: Int, of owner: PlayerID, in store: TestStore, at clock: ManualClock) {
    let now = Instant(milliseconds: clock.now().milliseconds)
    let changes = (0..<count).map { number in
      let capsule = Capsule(
        id: CapsuleID(UInt128(number + 1)),
        owner: owner,
        title: "capsule \(number)",
        text: "secret",
        pictures: [],
        memoryDay: 20_000,
        place: TestFences.place(northM: Double(number)),
        buriedAt: now,
        isForEveryone: true
      )
      return CapsuleChange.bury(capsule, sharedWith: []).change
    }
    store.commit(Batch(at: now, changes: changes))
  }

  @Test("A map has the fences that meet it with their parts, everyone's capsules without their texts, and the totals")
  func map() throws {
    let opensAt = Instant(milliseconds: 1_800_000_000_000)
    let ring = [(0, 0), (0, 9_000), (5_000, 12_000), (7_200, 9_000), (7_200, 0), (0, 0)]
    let polygon = try Fence(
      id: FenceID(2),
      name: "<b>뜰</b>",
      shape: .polygon(
        FencePolygon(
          ring: ring.map { Coordinate(latE7: 375_665_000 + Int32($0.0), lngE7: 1_269_780_000 + Int32($0.1)) }
        )
      ),
      opensAt: opensAt
    )
    let store = try TestFences.store([
      TestFences.circle(1, northM: 300, radiusM: 50, dwellS: 20), polygon,
      TestFences.circle(3, northM: 9_000, radiusM: 50),
    ])
    let operators = try TestOperators(store: store.store)
    let player = try operators.game.player("가람")
    try player.watchPlaces()
    let shown = try player.bury(atM: 10) { $0.everyone = true }
    _ = try player.bury(atM: 20)
    _ = try player.bury(atM: 9_000) { $0.everyone = true }
    let reader = try operators.game.player("나래")
    try reader.watchPlaces()
    _ = try reader.walk(toM: 10)
    _ = try reader.open(shown)
    let console = try TestConsole(operators)
    let places = try console.watch("places", Self.around(degrees: 0.01))
    #expect(places.int("fenceCount") == 2)
    #expect(Self.names(places) == ["fence 1", "<b>뜰</b>"], "the tallest first")
    let circle = places.rows("fences")[0]
    #expect(circle.text("fenceId") == FenceID(1).description && circle.text("topic") == "gate")
    #expect(circle.int("dwellS") == 20 && circle.int("radiusMm") == 50_000)
    #expect(circle.int("latE7") == Int(TestFences.place(northM: 300).latE7) && circle.int("lngE7") == 1_269_780_000)
    #expect(circle["opensAtMs"] == nil && circle["ringLatE7"] == nil)
    let shape = places.rows("fences")[1]
    #expect(shape.int("opensAtMs") == Int(opensAt.milliseconds) && shape["dwellS"] == nil && shape["radiusMm"] == nil)
    #expect((shape["ringLatE7"] as? [Int])?.count == 5 && (shape["ringLngE7"] as? [Int])?.count == 5)
    let capsule = try #require(places.rows("capsules").first)
    #expect(places.rows("capsules").count == 1 && places["clusters"] == nil)
    #expect(capsule.text("capsuleId") == shown.capsuleID && capsule.text("title") == "첫눈")
    #expect(capsule.text("memoryDate") == "2026-01-12" && capsule.int("opens") == 1)
    #expect(capsule.int("latE7") == Int(shown.latE7) && capsule.int("buriedAtMs") == Int(shown.buriedAtMs))
    #expect(Set(capsule.keys) == ["capsuleId", "title", "memoryDate", "latE7", "lngE7", "buriedAtMs", "opens"])
    let whole = try console.watch("places")
    #expect(whole.int("fenceCount") == 3 && whole.rows("capsules").count == 2)
    // The totals of capsules are those of some seconds ago.
    let later = try console.received("places") { $0.object("totals").int("capsules") == 3 }
    let totals = later.object("totals")
    #expect(totals.int("fences") == 3 && totals.int("openings") == 1 && totals.int("watching") == 2)
    #expect(totals.int("capsuleBytes") == 3 * ("첫눈".utf8.count + "여기 있었다.".utf8.count))
    #expect(totals.int("resting") == 0)
    try reader.expectOk(.unwatchPlaces(WireUnwatchPlaces()))
    _ = try console.received("places") { $0.object("totals").int("resting") == 1 }
    withExtendedLifetime((player, reader)) {}
  }

  @Test("A map lies across the antimeridian, at a pole or on one place; a fence is found from either side")
  func edges() throws {
    let fences = try [
      Self.circle(1, 0, 1_799_999_000), Self.circle(2, 0, -1_799_000_000), Self.circle(3, 0, 1_795_000_000),
      Self.circle(4, 849_000_000, 0, radiusM: 50_000), Self.circle(5, -849_000_000, 0, radiusM: 50_000),
    ]
    let store = try TestFences.store(fences)
    let operators = try TestOperators(store: store.store)
    let console = try TestConsole(operators)
    func found(_ box: String) throws -> Set<String?> {
      defer { operators.game.clock.advance(milliseconds: 60) }
      return Set(Self.names(try console.watch("places", box)))
    }
    #expect(try found(Self.box(-1_000, 1_799_000_000, 1_000, -1_799_000_000)) == ["fence 1", "fence 2"])
    #expect(try found(Self.box(-1_000, -1_800_000_000, 1_000, -1_799_995_000)) == ["fence 1"], "it reaches over")
    #expect(try found(Self.box(-1_000, 1_790_000_000, 1_000, 1_800_000_000)) == ["fence 1", "fence 3"])
    #expect(try found(Self.box(-1_000, 1_800_000_000, 1_000, 1_800_000_000)) == ["fence 1"])
    #expect(try found(Self.box(850_000_000, -1_800_000_000, 900_000_000, 1_800_000_000)) == ["fence 4"])
    #expect(try found(Self.box(-900_000_000, -100_000_000, -850_000_000, 100_000_000)) == ["fence 5"])
    #expect(try found(Self.box(900_000_000, 0, 900_000_000, 0)) == [])
    #expect(try found(Self.box(-900_000_000, 1, 900_000_000, 0)).count == 5, "all around, but for one unit")
    #expect(try found("").count == 5)
  }

  @Test("More than 200 fences are counted, and the tallest shown; more than 200 capsules come as clusters")
  func bounds() throws {
    let fences = try (1...250).map { try TestFences.circle($0, northM: Double($0), radiusM: Int64($0) + 10) }
    let store = try TestFences.store(fences)
    let operators = try TestOperators(store: store.store)
    let player = try TestPlayer(port: operators.game.port)
    let owner = try player.helloID("가람")
    Self.bury(200, of: owner, in: store, at: operators.game.clock)
    let console = try TestConsole(operators)
    let few = try console.watch("places", Self.around(degrees: 0.1))
    #expect(few.int("fenceCount") == 250 && few.rows("fences").count == 200)
    #expect(Self.names(few).first == "fence 250" && Self.names(few).last == "fence 51")
    #expect(few.rows("capsules").count == 200 && few["clusters"] == nil)
    Self.bury(201, of: owner, in: store, at: operators.game.clock)
    let many = try console.received("places") { $0["clusters"] != nil }
    #expect(many["capsules"] == nil)
    #expect(many.rows("clusters").compactMap { $0.int("count") }.reduce(0, +) == 201)
    #expect(!"\(many)".contains("secret") && !"\(few)".contains("secret"))
  }

  @Test("An import and a removal of fences show with the next update")
  func changes() throws {
    let operators = try TestOperators()
    let console = try TestConsole(operators)
    #expect(try console.watch("places").int("fenceCount") == 0)
    let id = FenceID(7).description
    let fence = "{\"fenceId\":\"\(id)\",\"name\":\"문\",\"latE7\":375665000,\"lngE7\":1269780000,\"radiusMm\":50000}"
    #expect(try console.ask("\"act\":\"importFences\",\"fences\":[\(fence)]")["ok"] as? Bool == true)
    let with = try console.received("places") { $0.int("fenceCount") == 1 }
    #expect(Self.names(with) == ["문"])
    #expect(try console.ask("\"act\":\"removeFences\",\"fenceIds\":[\"\(id)\"]")["ok"] as? Bool == true)
    _ = try console.received("places") { $0.int("fenceCount") == 0 }
  }

  @Test("While the store can't be read the view says so, and shows places again later")
  func storeFails() throws {
    let store = MapStore()
    let operators = try TestOperators(store: store)
    let console = try TestConsole(operators)
    store.fail(with: .io("the disk is gone"))
    let failed = try console.watch("places")
    #expect(failed.text("error")?.contains("the disk is gone") == true && failed.count == 1)
    store.fail(with: nil)
    _ = try console.received("places") { $0["error"] == nil && $0.int("fenceCount") == 0 }
  }

  @Test("A console has one read of the store at a time: of maps in quick succession the first and the last are read")
  func oneRead() throws {
    let store = MapStore()
    let operators = try TestOperators(store: store)
    let console = try TestConsole(operators)
    store.hold()
    for degrees in 1...10 { try console.send("{\"watch\":\"places\",\(Self.around(degrees: Double(degrees)))}") }
    // The reply comes behind them all, and the view is due many times.
    _ = try console.ask("\"query\":\"none\"")
    for _ in 0..<10 { try console.step() }
    #expect(store.maps.count == 1)
    #expect(console.take { $0["places"] != nil } == nil, "the first map is no longer watched")
    store.release()
    _ = try console.received("places")
    let heights = store.maps.map(\.heightE7)
    #expect(heights == [20_000_000, 200_000_000])
  }
}

/// A store whose reads of maps a test counts, fails and holds back.
private final class MapStore: ForwardingStore {
  private struct State {
    var failure: StoreFailure?
    var isHolding = false
    var held: [@Sendable () -> Void] = []
    var maps: [MapBox] = []
  }

  let inner: any Store = MemoryStore()
  private let state = Mutex(State())

  /// The maps that were asked for.
  var maps: [MapBox] { state.withLock { $0.maps } }

  func fail(with failure: StoreFailure?) {
    state.withLock { $0.failure = failure }
  }

  /// Makes later reads wait.
  func hold() {
    state.withLock { $0.isHolding = true }
  }

  /// Does the waiting reads; later ones wait no more.
  func release() {
    let held = state.withLock { state in
      state.isHolding = false
      defer { state.held = [] }
      return state.held
    }
    for read in held { read() }
  }

  func capsules(
    in map: MapBox,
    _ scope: CapsuleScope,
    of player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<CapsuleMap>
  ) {
    let inner = inner
    let (isHeld, failure) = state.withLock { state in
      state.maps.append(map)
      if state.isHolding {
        state.held.append { inner.capsules(in: map, scope, of: player, limit: limit, completion) }
      }
      return (state.isHolding, state.failure)
    }
    if isHeld { return }
    if let failure { return completion(.failure(failure)) }
    inner.capsules(in: map, scope, of: player, limit: limit, completion)
  }
}
