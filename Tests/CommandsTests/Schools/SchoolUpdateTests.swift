// A list applied to existing schools: the schools that it closes, and those that stay because rows were refused.
import Game
import Testing
import Commands

@Suite("A list of schools applied to the existing schools")
struct SchoolUpdateTests {
  private func rows(_ numbers: ClosedRange<Int>) -> [String] {
    numbers.map { "B\($0),가람\($0)초등학교,초등학교,운영,,,서울특별시교육청" }
  }

  private func schools(_ rows: [String]) throws -> [School] {
    try SchoolList.national(rows).edition()
  }

  private func update(_ rows: [String], over known: [String], allowsClosing: Bool = false) throws -> SchoolUpdate {
    try update(.national(rows), over: known, allowsClosing: allowsClosing)
  }

  private func update(_ list: SchoolList, over known: [String], allowsClosing: Bool = false) throws -> SchoolUpdate {
    let invented = try #require(SchoolID("B99"))
    return try SchoolUpdate(list, over: schools(known), invented: [invented], allowsClosing: allowsClosing)
  }

  private func names(_ schools: some Sequence<School>) -> [String] {
    schools.filter { !$0.isClosed }.map { "\($0.id) \($0.name)" }.sorted()
  }

  @Test("A refused row leaves its school as it was, open or closed, and closes no other school")
  func kept() throws {
    let known = rows(1...28) + ["B29,가람,초등학교,폐교,,,", "B30,가람,초등학교,운영,,,"]
    let newer = rows(1...27) + ["B28,가\u{FFFD}람,초등학교,운영,,,", "B29,,초등학교,운영,,,"]
    let update = try update(newer, over: known)
    #expect(update.kept.map(\.id.description) == ["B28"])
    #expect(update.closing.map(\.description) == ["B30"] && !update.withholdsClosing && !update.closesTooMany)
    #expect(try names(update.edition) == names(schools(rows(1...28))))
    #expect(!update.edition.contains { $0.id.description == "B29" || $0.id.description == "B30" })
  }

  @Test("Of two rows with the same identifier the first one counts")
  func repeated() throws {
    let update = try update(rows(1...18) + ["B1,나루,초등학교,폐교,,,"], over: rows(1...18))
    #expect(update.kept.isEmpty && update.closing.isEmpty)
    #expect(try names(update.edition) == names(schools(rows(1...18))))
  }

  @Test(
    "A refused row without a readable identifier prevents all closings, unless they are allowed",
    arguments: ["x", ",가람,초등학교,운영,,,", "B 20,가람,초등학교,운영,,,", "B20,가람,초등학교,운영,,세종대로 1, 2층,", "B20,\"가람"]
  )
  func unknown(row: String) throws {
    let known = rows(1...20) + ["B99,가람,초등학교,운영,,,"]
    let newer = rows(1...18) + ["B19,나루,초등학교,폐교,,,", row]
    let withheld = try update(newer, over: known)
    #expect(withheld.withholdsClosing && !withheld.closesTooMany)
    #expect(withheld.closing.map(\.description).sorted() == ["B19", "B20"])
    #expect(try names(withheld.edition) == names(schools(rows(1...20))), "sample schools are removed nevertheless")
    let allowed = try update(newer, over: known, allowsClosing: true)
    #expect(!allowed.withholdsClosing && allowed.closing == withheld.closing)
    #expect(try names(allowed.edition) == names(schools(rows(1...18))))
  }

  @Test("A list that would close more than one open school in ten is reported as such, whatever else is wrong with it")
  func closesTooMany() throws {
    for end in [[], ["x"]] {
      #expect(try !update(rows(1...18) + end, over: rows(1...20)).closesTooMany)
      #expect(try update(rows(1...17) + end, over: rows(1...20)).closesTooMany)
      #expect(try !update(rows(1...17) + end, over: rows(1...20), allowsClosing: true).closesTooMany)
    }
    let over = try update(rows(1...10), over: ["B99,가람,초등학교,운영,,,"])
    #expect(!over.closesTooMany && over.closing.isEmpty)
  }
  @Test("Files of one list do not close each other's schools, and their closings are reported as one total")
  func together() throws {
    let known = rows(101...200)
    let both = try SchoolList([.national("a", rows(101...160)), .national("b", rows(161...190))])
    #expect(try !update(both, over: known).closesTooMany)
    #expect(try update(both, over: known).closing.count == 10)
    let fewer = try SchoolList([.national("a", rows(101...160)), .national("b", rows(161...189))])
    #expect(try update(fewer, over: known).closesTooMany)
    #expect(try update(rows(101...160), over: known).closing.count == 40)
    let unknown = try SchoolList([.national("a", rows(101...160) + ["x"]), .national("b", rows(161...195))])
    #expect(try update(unknown, over: known).withholdsClosing, "a row of one file may be a school of another")
  }
}
