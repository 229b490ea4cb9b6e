// Seasons that are long over: their counts are only in the store, and operators void them all the same.
import Game
import MadangProtocol
import Server
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite("Taps of old seasons")
struct TapSeasonsTests {
  @Test(
    "Taps of three seasons ago are voided while the server runs, once, over crashes too",
    arguments: TestStore.Kind.allCases
  )
  func voiding(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    let store = try TestSchools.store(in: kept.store)
    var server = try TestServer(store: store)
    let player = try TestPlayer(port: server.port)
    let id = try player.helloID("가람")
    try player.expectOk(.chooseSchool(TestPlayer.school("A1")))
    let other = try server.tapper()
    for season in 1...4 as ClosedRange<UInt32> {
      _ = try player.tap(season, Int64(season))
      _ = try other.tap(season, 100)
      if season < 4 { #expect(server.perform(.closeSeason(season)).isDone) }
      try server.pass(seconds: 11, player, other)
    }
    func total(_ season: UInt32) throws -> Int64 {
      try store.recoverTally().tally.total(of: TestSchools.schools(1)[0].id, in: season)
    }
    #expect(
      server.perform(.voidTaps(id, season: 1)) == .done("1 taps of season 1 are taken out of the schools' totals")
    )
    #expect(try total(1) == 100)
    let nothing = "player \(id) has no taps in season 1 that count"
    #expect(server.perform(.voidTaps(id, season: 1)).refusal == nothing)
    server = try server.crash()
    #expect(server.perform(.voidTaps(id, season: 1)).refusal == nothing)
    // All at once.
    let outcomes = (0..<5).map { _ in server.begin(.voidTaps(id, season: 2)) }.map { $0.take() }
    #expect(outcomes.count { $0.isDone } == 1)
    #expect(try total(2) == 100)
    for season in [3, 4] as [UInt32] { #expect(server.perform(.voidTaps(id, season: season)).isDone) }
    #expect(try (1...4).map { try total($0) } == [100, 100, 100, 100])
    #expect(try store.recoverTally().tally.check().isEmpty)
    #expect(try server.audit().map(\.action).filter { $0 == "voidTaps" }.count == 4)
    #expect(
      server.perform(.voidTaps(PlayerID(7), season: 1)).refusal
        == "player \(PlayerID(7)) has no taps in season 1 that count"
    )
    #expect(!server.perform(.voidTaps(id, season: 0)).isDone)
  }

  @Test("A season closed while old counts are read voids nothing twice")
  func closing() throws {
    let store = try TestSchools.store(in: MemoryStore())
    let server = try TestServer(store: store)
    let player = try TestPlayer(port: server.port)
    let id = try player.helloID("가람")
    try player.expectOk(.chooseSchool(TestPlayer.school("A1")))
    for season in 1...10 as ClosedRange<UInt32> {
      _ = try player.tap(season, 5)
      try server.pass(seconds: 1, player)
      let voids = (0..<3).map { _ in server.begin(.voidTaps(id, season: max(1, season / 2))) }
      let closing = server.begin(.closeSeason(season))
      let more = (0..<3).map { _ in server.begin(.voidTaps(id, season: max(1, season / 2))) }
      #expect(closing.take().isDone)
      #expect((voids + more).map { $0.take() }.count { $0.isDone } <= 1)
    }
    let tally = try store.recoverTally().tally
    #expect(tally.check().isEmpty)
    #expect(tally.counts(of: id).map(\.voided) == [5, 5, 5, 5, 5, 0, 0, 0, 0, 0])
  }

  @Test("If the counts can't be read, the operator gets an error, and nothing is voided")
  func unreadable() throws {
    let store = StubbornStore()
    _ = try TestSchools.store(in: store)
    let server = try TestServer(store: store)
    let player = try TestPlayer(port: server.port)
    let id = try player.helloID("가람")
    try player.expectOk(.chooseSchool(TestPlayer.school("A1")))
    _ = try player.tap(1, 5)
    for season in 1...3 as ClosedRange<UInt32> { #expect(server.perform(.closeSeason(season)).isDone) }
    try server.pass(seconds: 11, player)
    store.failReading(with: .io("no"))
    let refusal = server.perform(.voidTaps(id, season: 1)).refusal
    #expect(refusal == "what players counted in season 1 can't be read: the disk failed: no")
    store.failReading(with: nil)
    #expect(server.perform(.voidTaps(id, season: 1)).isDone)
  }
}
