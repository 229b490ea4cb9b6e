// The search for schools, by its rules and compared with a plain search of each name.
import Game
import SeededRandom
import Testing

@Suite("The catalogue of schools")
struct SchoolCatalogueTests {
  private static func school(
    _ id: String,
    _ name: String,
    level: SchoolLevel = .elementary,
    region: String = "",
    isClosed: Bool = false
  ) throws -> School {
    let id = try #require(SchoolID(id))
    return try School(id: id, name: name, level: level, region: region, address: "", isClosed: isClosed)
  }

  private static func found(
    _ catalogue: SchoolCatalogue,
    _ text: String,
    region: String? = nil,
    level: SchoolLevel? = nil,
    isClosed: Bool? = false
  ) -> [String] {
    let page = catalogue.search(SchoolQuery(text, region: region, level: level, isClosed: isClosed), limit: 1_000)
    #expect(page?.next == nil)
    return page?.indices.map { catalogue.schools[$0].id.description } ?? []
  }

  @Test("Any part of a name finds a school: names that begin with it first, then by name, then by identifier")
  func order() throws {
    let catalogue = SchoolCatalogue([
      try Self.school("B5", "남금성초등학교"), try Self.school("B2", "금성초등학교"), try Self.school("B1", "금성중학교"),
      try Self.school("B4", "가금성초등학교"), try Self.school("B10", "금성초등학교"), try Self.school("B9", "산성초등학교"),
    ])
    #expect(Self.found(catalogue, "금성") == ["B1", "B10", "B2", "B4", "B5"])
    #expect(Self.found(catalogue, "금성초등학교") == ["B10", "B2", "B4", "B5"])
    #expect(Self.found(catalogue, "성초") == ["B4", "B10", "B2", "B5", "B9"])
    #expect(Self.found(catalogue, "금성고") == [])
    #expect(Self.found(catalogue, "금성초등학교금성초등학교금성초등학교") == [])
    #expect(Self.found(catalogue, "") == ["B4", "B1", "B10", "B2", "B5", "B9"])
  }

  @Test("Hangul is found in any composition, ASCII letters in any case, and spaces are ignored")
  func forms() throws {
    let catalogue = SchoolCatalogue([
      try Self.school("B1", "\u{1100}\u{1161}\u{1105}\u{1161}\u{11B7} 초등학교"), try Self.school("B2", "DMZ 국제 고등학교"),
    ])
    for text in ["가람초", "\u{1100}\u{1161}\u{1105}\u{1161}\u{11B7}", "람 초", " 가\u{3000}람\n"] {
      #expect(Self.found(catalogue, text) == ["B1"], "\(text)")
    }
    for text in ["dmz국제", "DmZ", "mZ 국"] { #expect(Self.found(catalogue, text) == ["B2"], "\(text)") }
    // A part of a syllable is no part of the name.
    #expect(Self.found(catalogue, "\u{1100}") == [])
    #expect(Self.found(catalogue, "가라") == [])
  }

  @Test("No match begins inside a character or crosses the border of two names")
  func borders() throws {
    let catalogue = SchoolCatalogue([try Self.school("B1", "가나"), try Self.school("B2", "다라")])
    #expect(Self.found(catalogue, "나다") == [])
    #expect(Self.found(catalogue, "라") == ["B2"])
  }

  @Test("Filters by region and level exclude all others, and closed schools are found only on request")
  func filters() throws {
    let catalogue = SchoolCatalogue([
      try Self.school("B1", "금성초등학교", region: "서울특별시"), try Self.school("B2", "금성중학교", level: .middle, region: "서울특별시"),
      try Self.school("B3", "금성초등학교", region: "부산광역시"), try Self.school("B4", "금성고등학교", level: .high),
      try Self.school("B5", "금성초등학교", region: "서울특별시", isClosed: true),
    ])
    #expect(Self.found(catalogue, "금성", region: "서울특별시") == ["B2", "B1"])
    #expect(Self.found(catalogue, "금성", region: "서울특별시", level: .elementary) == ["B1"])
    #expect(Self.found(catalogue, "", region: "부산광역시") == ["B3"])
    #expect(Self.found(catalogue, "", level: .high) == ["B4"])
    #expect(Self.found(catalogue, "금성", isClosed: true) == ["B5"])
    #expect(Set(Self.found(catalogue, "금성", isClosed: nil)) == Set(Self.found(catalogue, "금성") + ["B5"]))
    #expect(Self.found(catalogue, "", region: "부산광역시", isClosed: true) == [])
    #expect(Self.found(catalogue, "", region: "서울") == [])
    #expect(Self.found(catalogue, "", region: "") == ["B4"])
    #expect(Self.found(catalogue, "", region: "\u{1109}\u{1165}\u{110B}\u{116E}\u{11AF}특별시") == ["B2", "B1"])
    #expect(catalogue.index(of: try #require(SchoolID("B5"))).map { catalogue.schools[$0].isClosed } == true)
    #expect(catalogue.index(of: try #require(SchoolID("B6"))) == nil)
  }

  @Test("A cursor of a missing school finds nothing, and one at the end finds no more")
  func cursors() throws {
    let catalogue = SchoolCatalogue([try Self.school("B1", "가"), try Self.school("B2", "나가")])
    let stranger = SchoolCursor(isBeginning: true, school: try #require(SchoolID("B3")))
    #expect(catalogue.search(SchoolQuery("가"), after: stranger, limit: 1) == nil)
    let last = SchoolCursor(isBeginning: false, school: try #require(SchoolID("B2")))
    #expect(catalogue.search(SchoolQuery("가"), after: last, limit: 1)?.indices == [])
    #expect(SchoolCatalogue([]).search(SchoolQuery("가"), limit: 1)?.indices == [])
  }

  /// A catalogue of names from few letters, so that each part occurs in many names.
  private static func drawn(_ random: inout SplitMix64) throws -> SchoolCatalogue {
    SchoolCatalogue(
      try (0..<200).map { number in
        let name = (0..<random.draw(1...5)).map { _ in random.pick(["가", "나", "각", "A", "a", "b"]) }.joined()
        return try school(
          "B\(number)",
          name,
          level: random.pick([.elementary, .middle]),
          region: random.pick(["서울", "부산", ""]),
          isClosed: random.chance(10)
        )
      }
    )
  }

  @Test("Random searches find the same as a linear scan of all names, page by page without repeat or gap")
  func againstPlainSearch() throws {
    var random = SplitMix64(seed: 6)
    var longest = 0
    for _ in 0..<20 {
      let catalogue = try Self.drawn(&random)
      for _ in 0..<30 {
        let text = (0..<random.draw(0...3)).map { _ in random.pick(["가", "나", "각", "A", "b"]) }.joined()
        let region: String? = random.pick([nil, nil, "서울", ""])
        let level: SchoolLevel? = random.pick([nil, nil, .middle])
        let fitting = catalogue.schools.indices.filter { index in
          let school = catalogue.schools[index]
          return !school.isClosed && (region == nil || school.region == region)
            && (level == nil || school.level == level)
        }
        func name(_ index: Int) -> String { catalogue.schools[index].name.lowercased() }
        let expected =
          fitting.filter { name($0).hasPrefix(text.lowercased()) }
          + fitting.filter { !name($0).hasPrefix(text.lowercased()) && name($0).contains(text.lowercased()) }

        var found: [Int] = []
        var cursor: SchoolCursor?
        var pages = 0
        let limit = random.draw(1...7)
        repeat {
          let query = SchoolQuery(text, region: region, level: level)
          let page = try #require(catalogue.search(query, after: cursor, limit: limit))
          #expect(page.indices.count == limit || page.next == nil)
          found += page.indices
          cursor = page.next
          pages += 1
        } while cursor != nil
        #expect(found == expected, "\(text) in \(region ?? "any") of \(level.map { "\($0)" } ?? "any")")
        #expect(pages == max(1, (expected.count + limit - 1) / limit))
        longest = max(longest, pages)
      }
    }
    #expect(longest > 10)
  }
}
