// Previews of imports: consoles see the changes that an import would make, and nothing is changed.
import Game
import MadangProtocol
import Server
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite("A console sees the changes of an import before it is made")
struct PreviewTests {
  private static func circle(_ number: UInt128, name: String, northM: Double = 0, radiusMm: Int64 = 100_000) -> String {
    let place = TestFences.place(northM: northM)
    return """
      {"fenceId":"\(FenceID(number))","name":"\(name)","latE7":\(place.latE7),"lngE7":\(place.lngE7),\
      "radiusMm":\(radiusMm)}
      """
  }

  private static func ring(_ number: UInt128, _ corners: [(Int, Int)]) -> String {
    let lats = corners.map { "\(375_000_000 + $0.0)" }.joined(separator: ",")
    let lngs = corners.map { "\(1_270_000_000 + $0.1)" }.joined(separator: ",")
    return "{\"fenceId\":\"\(FenceID(number))\",\"name\":\"ring\",\"ringLatE7\":[\(lats)],\"ringLngE7\":[\(lngs)]}"
  }

  private static func land(_ name: String, _ corners: [(Int, Int)]) -> String {
    let lats = corners.map { "\(375_000_000 + $0.0)" }.joined(separator: ",")
    let lngs = corners.map { "\(1_270_000_000 + $0.1)" }.joined(separator: ",")
    return "{\"name\":\"\(name)\",\"latE7\":[\(lats)],\"lngE7\":[\(lngs)]}"
  }

  @Test("Fences would be added, replaced, left as they are, removed or refused, with the players inside")
  func fences() throws {
    let operators = try TestOperators()
    let console = try TestConsole(operators)
    let known = [Self.circle(1, name: "gate"), Self.circle(2, name: "yard", northM: 5_000)].joined(separator: ",")
    #expect(try console.ask("\"act\":\"importFences\",\"fences\":[\(known)]")["ok"] as? Bool == true)
    let player = try operators.game.player("가람")
    try player.watchPlaces()
    operators.game.clock.advance(seconds: 1)
    _ = try player.walk(toM: 0)

    let crossing = [(0, 0), (5_000, 5_000), (0, 5_000), (5_000, 0), (0, 0)]
    let offered = [
      Self.circle(1, name: "gate"), Self.circle(2, name: "yard", northM: 4_000),
      Self.circle(3, name: "new", northM: 50),
      Self.circle(4, name: "tiny", radiusMm: 4_999), Self.ring(5, crossing),
    ].joined(separator: ",")
    let removed = "\"removedFenceIds\":[\"\(FenceID(2))\",\"\(FenceID(9))\"]"
    let preview = try console.ask("\"query\":\"previewFences\",\"fences\":[\(offered)],\(removed)").rows("preview")
    #expect(
      preview.map { $0.text("change") }
        == ["unchanged", "replaced", "added", "refused", "refused", "removed", "unknown"]
    )
    #expect(preview.map { $0.int("playersInside") } == [1, 0, 1, nil, nil, 0, nil])
    #expect(preview[5].text("name") == "yard" && preview[5].text("id") == "\(FenceID(2))")
    // The import refuses by the same words.
    let refusals = try [Self.circle(4, name: "tiny", radiusMm: 4_999), Self.ring(5, crossing)].map {
      try console.ask("\"act\":\"importFences\",\"fences\":[\($0)]").text("error")
    }
    #expect(preview[3...4].map { $0.text("error") } == refusals)
    // Nothing has changed.
    #expect(try console.watch("places").rows("fences").count == 2)
    #expect(try operators.game.audit().map(\.action) == ["importFences"])
    let fault = try console.ask("\"query\":\"previewFences\",\"removedFenceIds\":[\"x\"]")
    #expect(fault.text("error") == "fence: 32 hexadecimal digits")
    withExtendedLifetime(player) {}
  }

  @Test("Lands would be added, are there already, or are refused, with their lengths")
  func lands() throws {
    let operators = try TestOperators()
    let console = try TestConsole(operators)
    let square = [(0, 0), (0, 5_000), (5_000, 5_000), (5_000, 0), (0, 0)]
    let wide = [(0, 0), (0, 9_000), (5_000, 9_000), (5_000, 0), (0, 0)]
    #expect(try console.ask("\"act\":\"importLands\",\"lands\":[\(Self.land("yard", square))]")["ok"] as? Bool == true)
    let offered = [
      Self.land("again", square), Self.land("wide", wide), Self.land("open", [(0, 0), (0, 5_000), (5_000, 0)]),
      Self.land("", square),
    ].joined(separator: ",")
    let preview = try console.ask("\"query\":\"previewLands\",\"lands\":[\(offered)]").rows("preview")
    #expect(preview.map { $0.text("change") } == ["unchanged", "added", "refused", "refused"])
    #expect(preview[0].text("id") != nil && preview[2].text("id") == nil)
    let (short, long) = (preview[0].int("lengthM") ?? 0, preview[1].int("lengthM") ?? 0)
    #expect((190...205).contains(short) && (255...280).contains(long))
    #expect(preview[2...3].allSatisfy { $0.text("error")?.isEmpty == false })
    #expect(try operators.game.audit().map(\.action) == ["importLands"])
  }
}
