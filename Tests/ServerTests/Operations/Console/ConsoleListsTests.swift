// The whole lists of the console and the API: lands on the map with their names, a land's ring, and all schools.
import Foundation
import Game
import MadangProtocol
import Server
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite("Operators find every land and every school of the server")
struct ConsoleListsTests {
  private static let origin = Coordinate(latE7: 375_000_000, lngE7: 1_267_000_000)

  /// A ring around a square, so many ten-millionths of a degree high, with a corner at each `step` of its sides.
  private static func ring(east: Int32 = 0, size: Int32 = 9_000, step: Int32 = 3_000) -> [Coordinate] {
    let along = stride(from: Int32(0), to: size, by: Int(step)).map { $0 }
    let corners =
      along.map { (Int32(0), $0) } + along.map { ($0, size) } + along.map { (size, size - $0) }
      + along.map { (size - $0, Int32(0)) }
    let places = corners.map { Coordinate(latE7: origin.latE7 + $0.0, lngE7: origin.lngE7 + east + $0.1) }
    return places + places.prefix(1)
  }

  private static func box(_ reach: Int32) -> String {
    let (lat, lng) = (origin.latE7, origin.lngE7)
    return "\"southE7\":\(lat - reach),\"westE7\":\(lng - reach),\"northE7\":\(lat + reach),\"eastE7\":\(lng + reach)"
  }

  private static func object(_ answer: TestHTTP) throws -> [String: Any] {
    let json = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
    guard answer.status == 200, let object = json as? [String: Any] else { throw TestFailure(answer.body) }
    return object
  }

  private static func names(_ places: [String: Any]) -> [String?] { places.rows("lands").map { $0.text("name") } }

  // Lands.

  @Test("A map has the lands that meet it with their shapes, and shows a new and a renamed one; a ring can be imported")
  func lands() throws {
    let operators = try TestOperators()
    let console = try TestConsole(operators)
    let lands = [
      OfferedLand(name: "마당", ring: Self.ring()), OfferedLand(name: "먼 땅", ring: Self.ring(east: 500_000)),
    ]
    #expect(operators.game.perform(.importLands(lands)).isDone)
    let near = try console.watch("places", Self.box(100_000))
    #expect(Self.names(near) == ["마당"] && near["moreLands"] == nil)
    let land = near.rows("lands")[0]
    let id = try #require(land.text("land"))
    #expect((land["ringLatE7"] as? [Int])?.count == 4, "the corners alone")
    #expect((land["ringLngE7"] as? [Int])?.count == 4 && (land.int("lengthM") ?? 0) > 300)
    #expect(Set(land.keys) == ["land", "name", "lengthM", "ringLatE7", "ringLngE7"])

    let renamed = try console.ask("\"act\":\"renameLand\",\"land\":\"\(id)\",\"name\":\"뒷마당\",\"reason\":\"moved\"")
    #expect(renamed.text("text") == "마당 is renamed")
    _ = try console.received("places") { Self.names($0) == ["뒷마당"] }
    let another = OfferedLand(name: "새 땅", ring: Self.ring(east: 20_000, size: 6_000))
    #expect(operators.game.perform(.importLands([another])).isDone)
    _ = try console.received("places") { Self.names($0) == ["뒷마당", "새 땅"] }
    let audit = try operators.game.audit()
    #expect(audit.contains { $0.action == "renameLand" && $0.entry.reason == "moved" })

    // One land, as an import takes it.
    let whole = try operators.ask("GET", "/v1/lands/\(id)")
    #expect(try Self.object(whole).text("name") == "뒷마당")
    let other = try TestOperators()
    let imported = try other.ask("POST", "/v1/lands", "{\"lands\":[\(whole.body)]}")
    #expect(try Self.object(imported).text("text") == "1 added, 0 there already")
    #expect(try other.ask("GET", "/v1/lands/\(id)").body == whole.body, "the same land")
    #expect(try other.ask("PUT", "/v1/lands/\(id)", "{\"name\":\"옆마당\"}").status == 200)
    #expect(try Self.object(other.ask("GET", "/v1/lands/\(id)")).text("name") == "옆마당")
  }

  @Test("A land is not renamed without a name that can be shown, when it is unknown, or by less than an admin")
  func refusedNames() throws {
    let operators = try TestOperators()
    #expect(operators.game.perform(.importLands([OfferedLand(name: "마당", ring: Self.ring())])).isDone)
    let console = try TestConsole(operators)
    let id = try #require(try console.watch("places").rows("lands").first?.text("land"))
    func refusal(_ land: String, _ name: String) throws -> [String: Any] {
      try console.ask("\"act\":\"renameLand\",\"land\":\"\(land)\",\"name\":\"\(name)\"")
    }
    #expect(try refusal(id, "").text("code") == "INVALID")
    #expect(try refusal(id, "a\\u0007").text("error")?.hasPrefix("a land's name: ") == true)
    #expect(try refusal(String(repeating: "0", count: 32), "뒷마당").text("code") == "LAND_NOT_FOUND")
    #expect(try refusal("마당", "뒷마당").text("error") == "land: 32 hexadecimal digits")
    #expect(try operators.ask("GET", "/v1/lands/\(String(repeating: "0", count: 32))").status == 404)
    #expect(OperatorAct.renameLand.leastRole == .admin)
    #expect(try operators.game.audit().map(\.action) == ["importLands"])
  }

  @Test("Of more than a hundred lands the tallest are shown, each in at most 64 vertices")
  func bounds() throws {
    let store = MemoryStore()
    let lands = (0..<120).map { number in
      let ring = Self.ring(size: 9_000 + 100 * Int32(number), step: 100).dropLast()
      return Land(id: LandID(UInt128(number + 1)), name: "land \(number)", vertices: ContiguousArray(ring))
    }
    _ = try store.addLands(lands)
    let operators = try TestOperators(store: store)
    let console = try TestConsole(operators)
    let places = try console.watch("places")
    #expect(places.rows("lands").count == 100 && places["moreLands"] as? Bool == true)
    #expect(Self.names(places).first == "land 119" && Self.names(places).last == "land 20")
    #expect(places.rows("lands").allSatisfy { ($0["ringLatE7"] as? [Int])?.count ?? 0 <= Limits.outlineVerticesMax })
    withExtendedLifetime(operators) {}
  }

  // Schools.

  private static func store(_ count: Int) throws -> MemoryStore {
    let store = MemoryStore()
    let schools = try (0..<count).map { number in
      try School(
        id: #require(SchoolID("S\(1_000 + number)")),
        name: number == 0 ? "금성중학교" : "은성 \(1_000 + number)",
        level: number == 0 ? .middle : .high,
        region: number == 0 ? "서울특별시" : "",
        address: number == 0 ? "길 1" : "",
        isClosed: number == 1
      )
    }
    _ = try store.applySchools(schools, at: Instant(milliseconds: 0))
    return store
  }

  @Test("Schools without taps and closed ones are found in pages, with all that an import takes, and corrected")
  func schools() throws {
    let operators = try TestOperators(store: try Self.store(60))
    let console = try TestConsole(operators)
    let tapper = try operators.game.tapper(of: "S1000")
    _ = try tapper.tap(1, 7)
    let found = try console.ask("\"query\":\"schools\",\"text\":\"금성\"").object("schools")
    let row = try #require(found.rows("rows").first)
    #expect(found.rows("rows").count == 1 && found["next"] == nil && found["counts"] as? [Int] == [7])
    #expect(row.text("id") == "S1000" && row.text("name") == "금성중학교" && row.text("level") == "middle")
    #expect(row.text("region") == "서울특별시" && row.text("address") == "길 1" && row["closed"] == nil)
    let first = try console.ask("\"query\":\"schools\",\"text\":\"은성\"").object("schools")
    #expect(first.rows("rows").count == 50 && first.rows("rows")[0]["closed"] as? Bool == true)
    let next = try #require(first.text("next"))
    let rest = try console.ask("\"query\":\"schools\",\"text\":\"은성\",\"after\":\"\(next)\"").object("schools")
    #expect(rest.rows("rows").count == 9 && rest["next"] == nil)
    #expect(Set((first.rows("rows") + rest.rows("rows")).compactMap { $0.text("id") }).count == 59)
    // A school without taps is corrected by what the search told.
    let opened = try console.ask("\"act\":\"editSchool\",\"school\":\"S1001\",\"closed\":false")
    #expect(opened.text("text") == "0 added, 1 changed, 0 closed")
    let again = try console.ask("\"query\":\"schools\",\"text\":\"은성 1001\"").object("schools").rows("rows")
    #expect(again.count == 1 && again[0]["closed"] == nil)
  }

  @Test("The API's list of schools is imported by another server as it is; a wrong page is refused")
  func exported() throws {
    let operators = try TestOperators(store: try Self.store(60))
    let all = try operators.ask("GET", "/v1/school-list?limit=200")
    let rows = try Self.object(all).rows("rows")
    #expect(rows.count == 60 && rows.compactMap { $0.text("level") }.count == 60)
    let edition = String(decoding: try JSONSerialization.data(withJSONObject: ["schools": rows]), as: UTF8.self)
    let store = MemoryStore()
    let other = try TestOperators(store: store)
    let imported = try other.ask("PUT", "/v1/schools", edition)
    #expect(try Self.object(imported)["ok"] as? Bool == true)
    let name = "금성".addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? ""
    let there = try Self.object(other.ask("GET", "/v1/school-list?text=\(name)")).rows("rows")
    #expect(there.count == 1 && there[0].text("address") == "길 1")
    #expect(try store.schools().count { $0.isClosed } == 1)
    for query in ["after=x", "after=b-Z9", "limit=201", "text=\(String(repeating: "a", count: 1_001))"] {
      #expect(try operators.ask("GET", "/v1/school-list?\(query)").status == 400, "\(query)")
    }
  }
}
