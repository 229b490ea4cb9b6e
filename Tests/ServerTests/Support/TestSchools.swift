// Schools for tests of the contest, in a store of their own.
import Game
import MadangProtocol
import Store
import StoreDoubles
import TestSupport

enum TestSchools {
  /// A store with schools A1, A2 … and a closed one, Z.
  static func store(_ count: Int = 4, in store: any Store = MemoryStore()) throws -> any Store {
    _ = try store.applySchools(try schools(count) + [try school("Z")], at: Instant(milliseconds: 0))
    _ = try store.applySchools(try schools(count), at: Instant(milliseconds: 1))
    return store
  }

  static func schools(_ count: Int) throws -> [School] {
    try (1...count).map { try school("A\($0)") }
  }

  private static func school(_ id: String) throws -> School {
    guard let schoolID = SchoolID(id) else { throw TestFailure("no id: \(id)") }
    return try School(id: schoolID, name: "학교 \(id)", level: .middle, region: "서울특별시", address: "")
  }
}

extension TestServer {
  /// A new player who has chosen a school.
  func tapper(_ subprotocol: Subprotocol = .json, of school: String = "A1") throws -> TestPlayer {
    let player = try player("가람", subprotocol)
    try player.expectOk(.chooseSchool(TestPlayer.school(school)))
    return player
  }

  /// A resumed session, and its player's standing in the welcome.
  func comeBack(_ token: String) throws -> (player: TestPlayer, standing: WireOwnPlayer) {
    let player = try TestPlayer(port: port)
    return (player, try player.resume(token).player)
  }

  /// The schools' ranks and counts, as a new watcher gets them.
  func standings() throws -> [String] {
    let watcher = try player("watcher")
    defer { watcher.socket.reset() }
    return try watcher.watchRanking(top: 100).top.map { "\($0.schoolID) \($0.count)" }
  }
}
