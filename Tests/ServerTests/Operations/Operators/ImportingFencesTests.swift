// Fences that operators import and remove while the server runs, as players who watch places see them.
import Foundation
import Game
import MadangProtocol
import Server
import Store
import Synchronization
import TestSupport
import Testing

@Suite("Fences are imported and removed while the server runs")
struct ImportingFencesTests {
  /// A circle around a place north of `TestFences.origin`.
  private static func circle(
    _ number: UInt128,
    northM: Double,
    radiusM: Int64 = 30,
    name: String? = nil,
    dwellS: Int64? = nil,
    opensAt: Instant? = nil,
    closesAt: Instant? = nil
  ) -> OfferedFence {
    OfferedFence(
      id: FenceID(number),
      name: name ?? "fence \(number)",
      topic: "gate",
      shape: .circle(TestFences.place(northM: northM), radiusMm: radiusM * 1_000),
      dwellS: dwellS,
      opensAt: opensAt,
      closesAt: closesAt
    )
  }

  private static func ring(_ number: UInt128, _ corners: [(Int32, Int32)]) -> OfferedFence {
    OfferedFence(
      id: FenceID(number),
      name: "fence \(number)",
      shape: .ring(corners.map { Coordinate(latE7: 375_000_000 + $0.0, lngE7: 1_270_000_000 + $0.1) })
    )
  }

  /// Walks northwards or southwards, 5 m a second; returns the changes of fences that the player is told.
  private func walk(_ player: TestPlayer, _ server: TestServer, fromM: Int, toM: Int) throws -> [String] {
    for northM in stride(from: fromM, through: toM, by: fromM < toM ? 5 : -5) {
      server.clock.advance(seconds: 1)
      _ = try player.walk(toM: Double(northM))
    }
    return try player.takeFenceChanges()
  }

  private func stored(_ server: TestServer) throws -> [FenceID] {
    var ids: [FenceID] = []
    try server.store.fences { ids.append($0.id) }
    return ids
  }

  @Test("An imported, a replaced and a removed fence are so for players at once; each has its row of the audit log")
  func imported() throws {
    let notifications = Mutex<[OperatorNotification]>([])
    let server = try TestServer {
      $0.notifyOperator = { item in if case .operatorActed = item { notifications.withLock { $0.append(item) } } }
    }
    let player = try server.player("가람")
    try player.watchPlaces()
    #expect(try walk(player, server, fromM: 0, toM: 50).isEmpty)
    let both = [Self.circle(1, northM: 100), Self.circle(2, northM: 300)]
    #expect(server.perform(.importFences(both)) == .done("2 added, 0 replaced, 0 there already"))
    #expect(try walk(player, server, fromM: 55, toM: 100) == ["ENTERED FENCE 1"])
    // The player's own fence has moved away.
    let moved = [Self.circle(1, northM: 1_000), both[1]]
    #expect(server.perform(.importFences(moved)) == .done("0 added, 1 replaced, 1 there already"))
    #expect(try walk(player, server, fromM: 100, toM: 80) == ["LEFT FENCE 1"])
    #expect(server.perform(.importFences(moved)) == .done("0 added, 0 replaced, 2 there already"))
    #expect(server.perform(.removeFences([FenceID(2), FenceID(2), FenceID(9)])) == .done("1 removed"))
    #expect(try walk(player, server, fromM: 85, toM: 400).isEmpty)
    #expect(server.perform(.removeFences([FenceID(9)])) == .done("0 removed"))

    let rows = try server.audit()
    #expect(rows.map(\.action) == Array(repeating: "importFences", count: 3) + ["removeFences", "removeFences"])
    #expect(
      rows.map(\.detail) == [
        "2 added, 0 replaced, 0 there already", "0 added, 1 replaced, 1 there already",
        "0 added, 0 replaced, 2 there already", "1 removed", "0 removed",
      ]
    )
    let imports = rows[..<3].map { OperatorNotification.operatorActed(.imported(.fences, $0.detail)) }
    let removals = [1, 0].map { OperatorNotification.operatorActed(.removedFences($0)) }
    #expect(notifications.withLock { $0 } == imports + removals)
    let restarted = try server.crash()
    #expect(try stored(restarted) == [FenceID(1)])
    let other = try restarted.player("나래")
    try other.watchPlaces()
    #expect(try walk(other, restarted, fromM: 940, toM: 1_000) == ["ENTERED FENCE 1"])
  }

  @Test("Imports that follow each other take effect in their order")
  func order() throws {
    let server = try TestServer()
    let player = try server.player("가람")
    try player.watchPlaces()
    let boxes = (0..<6).map { server.begin(.importFences([Self.circle(1, northM: Double(100 + 100 * $0))])) }
    #expect(boxes.map { $0.take() }.allSatisfy { $0.isDone })
    #expect(try walk(player, server, fromM: 0, toM: 600) == ["ENTERED FENCE 1"])
    #expect(try server.audit().count == 6)
  }

  @Test("One bad fence refuses all of a request, and nothing is written")
  func bad() throws {
    let server = try TestServer()
    let sound = Self.circle(1, northM: 100)
    let square: [(Int32, Int32)] = [(0, 0), (0, 9_000), (7_200, 9_000), (7_200, 0), (0, 0)]
    let noon = Instant(milliseconds: 1_790_000_000_000)
    let faults: [(OfferedFence, String, String)] = [
      (Self.circle(2, northM: 0, radiusM: 4), "a radius of 4000 mm", "FENCE_RADIUS_OUT_OF_RANGE"),
      (Self.circle(2, northM: 0, radiusM: 50_001), "a radius of 50001000 mm", "FENCE_RADIUS_OUT_OF_RANGE"),
      (Self.circle(2, northM: 0, name: " "), "its name", "FENCE_NAME"),
      (Self.circle(2, northM: 0, name: "a\u{7}"), "its name", "FENCE_NAME"),
      (Self.circle(2, northM: 0, dwellS: 0), "0 s of dwelling", "FENCE_DWELL_OUT_OF_RANGE"),
      (
        Self.circle(2, northM: 0, opensAt: noon, closesAt: noon), "closes before it opens",
        "FENCE_CLOSES_BEFORE_OPENING"
      ),
      (Self.circle(2, northM: 0, opensAt: Instant(milliseconds: -1)), "before 1970", "FENCE_TIME_OUT_OF_RANGE"),
      (Self.circle(2, northM: 0, closesAt: Instant(milliseconds: .max)), "too far ahead", "FENCE_TIME_OUT_OF_RANGE"),
      (Self.circle(2, northM: 5_500_000), "beyond 85° north", "FENCE_NEAR_POLE"),
      (Self.circle(2, northM: 6_000_000), "not on Earth", "FENCE_OFF_THE_MAP"),
      // East of 180° begins -180°.
      (
        Self.ring(2, [(0, 529_999_000), (0, 530_008_000), (7_200, 530_008_000), (0, 529_999_000)]), "not on Earth",
        "FENCE_OFF_THE_MAP"
      ),
      (Self.ring(2, []), "fewer than three", "FENCE_TOO_FEW_CORNERS"),
      (Self.ring(2, square.dropLast()), "not closed", "FENCE_NOT_CLOSED"),
      (
        Self.ring(2, [square[0], square[2], square[1], square[3], square[0]]), "crosses or touches itself",
        "FENCE_CROSSES_ITSELF"
      ),
      (Self.ring(2, [(0, 0), (0, 20_000_000), (9, 0), (0, 0)]), "more than 100 km", "FENCE_TOO_WIDE"),
      (Self.ring(2, [(0, 0), (0, 9_000), (9, 9_000), (9, 0), (0, 0)]), "less than 1 m", "FENCE_TOO_NARROW"),
    ]
    for (bad, reason, code) in faults {
      let outcome = server.perform(.importFences([sound, bad]))
      #expect(outcome.code == code)
      let refusal = try #require(outcome.refusal)
      #expect(refusal.contains(reason) && refusal.hasPrefix("fence \(FenceID(2)): "), "\(refusal)")
    }
    #expect(server.perform(.importFences([sound, sound])).refusal == "an import has each fence once")
    #expect(try stored(server).isEmpty && server.audit().isEmpty)
    let player = try server.player("가람")
    try player.watchPlaces()
    #expect(try walk(player, server, fromM: 0, toM: 100).isEmpty)
  }

  @Test("There are at most ten thousand fences, also in one place, where a player is in 32 of them at most")
  func most() throws {
    let server = try TestServer()
    let player = try server.player("가람")
    try player.watchPlaces()
    let all = (1...StoredFence.countMax + 1).map { Self.circle(UInt128($0), northM: 100) }
    #expect(server.perform(.importFences(all)).refusal == "there would be more than 10000 fences")
    #expect(try stored(server).isEmpty && server.audit().isEmpty)
    #expect(try walk(player, server, fromM: 0, toM: 100).isEmpty)
    #expect(server.perform(.importFences(Array(all.dropLast()))) == .done("10000 added, 0 replaced, 0 there already"))
    let one = server.perform(.importFences([all[StoredFence.countMax]]))
    #expect(one.refusal == "there would be more than 10000 fences" && one.code == "TOO_MANY_FENCES")
    #expect(server.perform(.importFences([all[0]])).isDone)
    #expect(try walk(player, server, fromM: 100, toM: 110).count == FenceRules.staysMax)
    #expect(server.perform(.removeFences(all.map(\.id))) == .done("10000 removed"))
    #expect(try walk(player, server, fromM: 110, toM: 120).allSatisfy { $0.hasPrefix("LEFT") })
  }

  @Test("A console imports and removes fences; a bad message is answered, and changes nothing")
  func feed() throws {
    let operators = try TestOperators()
    let server = operators.game
    let console = try TestConsole(operators)
    let id = "0123456789abcdef0123456789abcdef"
    func fence(_ members: String, id: String = id) -> String {
      "{\"fenceId\":\"\(id)\",\"name\":\"남문\",\(members)}"
    }
    let (lat, lng) = (TestFences.origin.latE7, TestFences.origin.lngE7)
    let circle = "\"latE7\":\(lat),\"lngE7\":\(lng),\"radiusMm\":50000"
    let ring = """
      "ringLatE7":[375000000,375000000,375007200,375000000],"ringLngE7":[1267000000,1267009000,1267009000,1267000000]
      """
    var code: String?
    func refusal(_ members: String) throws -> String {
      let reply = try console.ask(members)
      #expect(reply["ok"] as? Bool == false, "\(members)")
      code = reply["code"] as? String
      server.clock.advance(milliseconds: 60)
      return reply["error"] as? String ?? ""
    }
    func importing(_ fences: String...) -> String {
      "\"act\":\"importFences\",\"fences\":[\(fences.joined(separator: ","))]"
    }
    #expect(try refusal("\"act\":\"importFences\"") == "fences: at least one")
    #expect(try refusal(importing(fence("\"latE7\":1"))).contains("each has latE7, lngE7 and radiusMm, or"))
    #expect(try refusal(importing(fence("\"topic\":\"a\""))).contains("each has latE7, lngE7 and radiusMm, or"))
    #expect(try refusal(importing(fence("\(circle),\(ring)"))).contains("each has latE7, lngE7 and radiusMm, or"))
    #expect(try refusal(importing(fence("\"ringLatE7\":[1]"))).contains("equal length"))
    #expect(try refusal(importing(fence(circle, id: "ABC"))) == "fence: 32 hexadecimal digits")
    #expect(code == "INVALID", "it is no fence yet")
    let small = circle.replacingOccurrences(of: "50000", with: "4999")
    #expect(try refusal(importing(fence(small))).contains("5 m to 50 km"))
    #expect(code == "FENCE_RADIUS_OUT_OF_RANGE")
    #expect(try refusal(importing("{\(circle)}")) == "fence: 32 hexadecimal digits")
    #expect(try refusal(importing("{\"fenceId\":\"\(id)\",\(circle)}")).contains("its name: the text is empty"))
    #expect(try refusal(importing(fence(circle), fence(ring))) == "an import has each fence once")
    #expect(try refusal(importing(fence("\(circle),\"dwellS\":-1"))) != "")
    #expect(try refusal("\"act\":\"removeFences\"") == "fenceIds: at least one")
    #expect(try refusal("\"act\":\"removeFences\",\"fenceIds\":[\"\(id)\",5]") != "")
    #expect(try refusal("\"act\":\"removeFences\",\"fenceIds\":[\"x\"]") == "fence: 32 hexadecimal digits")
    #expect(try stored(server).isEmpty && server.audit().isEmpty)

    let times = "\"dwellS\":60,\"opensAtMs\":1,\"closesAtMs\":4000000000000,\"topic\":\"gate\""
    let other = "f" + id.dropFirst()
    let reply = try console.ask(importing(fence("\(circle),\(times)"), fence(ring, id: other)))
    #expect(reply["ok"] as? Bool == true && reply["text"] as? String == "2 added, 0 replaced, 0 there already")
    let player = try server.player("가람")
    try player.watchPlaces()
    #expect(try walk(player, server, fromM: -70, toM: 0) == ["ENTERED 남문"])
    let removal = try console.ask("\"act\":\"removeFences\",\"fenceIds\":[\"\(other)\"]")
    #expect(removal["text"] as? String == "1 removed")
    var fences: [Fence] = []
    try server.store.fences { fences.append(try Fence(encoded: $0.bytes)) }
    let expected = try Fence(
      id: try #require(FenceID(id)),
      name: "남문",
      topic: "gate",
      shape: .circle(FenceCircle(center: TestFences.origin, radiusMm: 50_000)),
      dwellS: 60,
      opensAt: Instant(milliseconds: 1),
      closesAt: Instant(milliseconds: 4_000_000_000_000)
    )
    #expect(fences == [expected])
  }
}
