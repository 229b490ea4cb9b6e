// The search for schools over the wire: results, pages, filters, and refusals.
import Game
import MadangProtocol
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite struct SchoolsTests {
  private static func school(
    _ id: String,
    _ name: String,
    level: SchoolLevel = .elementary,
    region: String = "서울특별시"
  ) throws -> School {
    guard let id = SchoolID(id) else { throw TestFailure("no id: \(id)") }
    return try School(id: id, name: name, level: level, region: region, address: "\(region) 1")
  }

  private func server(_ editions: [School]...) throws -> TestServer {
    let store = MemoryStore()
    for edition in editions { _ = try store.applySchools(edition, at: Instant(milliseconds: 0)) }
    return try TestServer(store: store)
  }

  private func search(
    _ player: TestPlayer,
    _ query: String,
    _ change: (inout WireSearchSchools) -> Void = { _ in }
  ) throws -> WireSchools {
    var request = WireSearchSchools()
    request.query = query
    change(&request)
    let answer = try player.request(.searchSchools(request))
    guard case .schools(let schools) = answer else { throw TestFailure("no schools: \(answer)") }
    return schools
  }

  private func refusal(_ player: TestPlayer, _ change: (inout WireSearchSchools) -> Void) throws -> WireError {
    var request = WireSearchSchools()
    change(&request)
    return try player.refusal(of: .searchSchools(request))
  }

  @Test(
    "A part of a name finds schools with their distinguishing details, in either encoding",
    arguments: Subprotocol.allCases
  )
  func found(subprotocol: Subprotocol) throws {
    let server = try server([
      try Self.school("B1", "남금성초등학교"), try Self.school("B2", "금성고등학교", level: .high, region: "부산광역시"),
    ])
    let player = try server.player("가람", subprotocol)
    let found = try search(player, "\u{1100}\u{1173}\u{11B7} 성")
    #expect(found.schools.map(\.schoolID) == ["B2", "B1"] && found.nextCursor.isEmpty)
    #expect(found.schools[0].name == "금성고등학교" && found.schools[0].level == .high)
    #expect(found.schools[0].region == "부산광역시" && found.schools[0].address == "부산광역시 1")
    #expect(try search(player, "은성").schools.isEmpty)
  }

  @Test("Filters by region and level exclude all others")
  func filters() throws {
    let levels: [SchoolLevel] = [.elementary, .middle, .high, .special, .other]
    let server = try server(
      try levels.enumerated().flatMap { index, level in
        try ["서울특별시", "부산광역시"].map {
          try Self.school("\($0 == "서울특별시" ? "S" : "P")\(index)", "금성", level: level, region: $0)
        }
      }
    )
    let player = try server.player("가람")
    #expect(try search(player, "금성").schools.count == 10)
    #expect(try search(player, "", { $0.region = "부산광역시" }).schools.map(\.schoolID) == ["P0", "P1", "P2", "P3", "P4"])
    for (index, level) in [WireSchoolLevel.elementary, .middle, .high, .special, .other].enumerated() {
      let found = try search(player, "성", { $0.level = level })
      #expect(
        found.schools.map(\.schoolID) == ["P\(index)", "S\(index)"] && found.schools.allSatisfy { $0.level == level }
      )
    }
    let one = try search(player, "금") { request in
      request.region = "서울특별시"
      request.level = .special
    }
    #expect(one.schools.map(\.schoolID) == ["S3"])
    #expect(try search(player, "", { $0.region = "부산" }).schools.isEmpty)
  }

  @Test("Pages follow one another without repeat or gap, also over a restart with a newer edition")
  func pages() throws {
    let names = ["금성", "금성가", "가금성", "나금성", "다금성"]
    let schools = try (0..<45).map { try Self.school("B\(100 + $0)", names[$0 % 5]) }
    let server = try server(schools)
    var player = try server.player("가람")
    #expect(try search(player, "금성").schools.count == 20)
    var found: [String] = []
    var cursor = ""
    for _ in 0..<5 {
      let page = try search(player, "금성") { request in
        request.cursor = cursor
        request.limit = 10
      }
      found += page.schools.map(\.schoolID)
      cursor = page.nextCursor
      #expect(cursor.isEmpty == (found.count == 45))
    }
    let expected = names.indices.flatMap { name in (0..<9).map { "B\(100 + name + 5 * $0)" } }
    #expect(found == expected)

    let half = try search(player, "금성", { $0.limit = 30 })
    // The last school of that page is closed meanwhile.
    let last = try #require(half.schools.last).schoolID
    _ = try server.store.applySchools(schools.filter { $0.id.description != last }, at: Instant(milliseconds: 1))
    let restarted = try server.crash()
    player = try restarted.player("가람")
    let rest = try search(player, "금성") { $0.cursor = half.nextCursor }
    #expect(rest.schools.map(\.schoolID) == Array(expected.dropFirst(30)) && rest.nextCursor.isEmpty)
    #expect(try !search(player, "금성", { $0.limit = 50 }).schools.map(\.schoolID).contains(last))
  }

  @Test("An out-of-range value is refused, with the field's name")
  func refused() throws {
    let server = try server([try Self.school("B1", "금성")])
    let player = try server.player("가람")
    for limit: UInt32 in [0, 51, .max] {
      #expect(try refusal(player, { $0.limit = limit }).code == .outOfRange, "\(limit)")
    }
    let long = String(repeating: "a", count: Limits.schoolQueryBytesMax + 1)
    #expect(try refusal(player, { $0.query = long }).message.hasPrefix("query"))
    #expect(try refusal(player, { $0.region = long }).message.hasPrefix("region"))
    #expect(try search(player, String(long.dropLast())).schools.isEmpty)
    #expect(try refusal(player, { $0.level = .UNRECOGNIZED(6) }).message.hasPrefix("level"))
    let cursors = ["b", "b-", "x-B1", "b-B2", "b-B1-", "-B1", "B1", "b-가", "b-" + String(repeating: "B", count: 200)]
    for cursor in cursors {
      let refusal = try refusal(player) { $0.cursor = cursor }
      #expect(refusal.code == .outOfRange && refusal.message.hasPrefix("cursor"), "\(cursor)")
    }
    #expect(try search(player, "", { $0.cursor = "p-B1" }).schools.isEmpty)
  }
}
