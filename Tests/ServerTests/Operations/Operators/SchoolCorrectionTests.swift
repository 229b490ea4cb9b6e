// Operators correct one school of the list while the server runs; its taps stay.
import Game
import MadangProtocol
import Server
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite("One school of the list is corrected while the server runs")
struct SchoolCorrectionTests {
  private static func store() throws -> MemoryStore {
    let store = MemoryStore()
    let schools = try ["A", "B", "C"].map { id in
      try School(id: #require(SchoolID(id)), name: "금성 \(id)", level: .middle, region: "서울특별시", address: "길 \(id)")
    }
    _ = try store.applySchools(schools, at: Instant(milliseconds: 0))
    return store
  }

  @Test("A corrected name is shown and found, a closed school is neither found nor tapped for, and all counts stay")
  func corrected() throws {
    let store = try Self.store()
    let operators = try TestOperators(store: store)
    let server = operators.game
    let console = try TestConsole(operators)
    let tapper = try server.tapper(of: "A")
    let closing = try server.tapper(of: "C")
    _ = try tapper.tap(1, 7)
    _ = try closing.tap(1, 5)
    let renamed = try console.ask("\"act\":\"editSchool\",\"school\":\"A\",\"name\":\" 은성 A \",\"reason\":\"moved\"")
    #expect(renamed.text("text") == "0 added, 1 changed, 0 closed")
    let closed = try console.ask("\"act\":\"editSchool\",\"school\":\"C\",\"closed\":true")
    #expect(closed.text("text") == "0 added, 0 changed, 1 closed")
    #expect(try closing.refusal(of: .chooseSchool(TestPlayer.school("C"))).code == .schoolClosed)
    try closing.expectOk(.chooseSchool(TestPlayer.school("B")))
    let rows = try console.watch("schools").rows("rows")
    #expect(rows.map { $0.text("name") } == ["은성 A", "금성 C"] && rows.map { $0.int("count") } == [7, 5])
    let known = try store.schools().sorted { $0.id < $1.id }
    #expect(known.map(\.name) == ["은성 A", "금성 B", "금성 C"] && known.map(\.isClosed) == [false, false, true])
    #expect(known[0].address == "길 A", "the rest of it stays")
    let again = try operators.ask("PUT", "/v1/schools/C", "{\"closed\":false}")
    #expect(again.status == 200)
    try closing.expectOk(.chooseSchool(TestPlayer.school("C")))
    let audit = try server.audit()
    #expect(
      audit.map(\.detail) == ["school A: 금성 A is 은성 A", "school C: 금성 C, closed", "school C: 금성 C, open again"]
    )
    #expect(audit.allSatisfy { $0.action == "editSchool" } && audit.first?.entry.reason == "moved")
    #expect(try server.crash().standings() == ["A 7", "C 5"])
  }

  @Test("A name that can't be shown, an unknown school and an empty correction are refused, and nothing is written")
  func refused() throws {
    let store = try Self.store()
    let operators = try TestOperators(store: store)
    let console = try TestConsole(operators)
    func refusal(_ members: String) throws -> String? {
      try console.ask("\"act\":\"editSchool\",\(members)").text("error")
    }
    #expect(try refusal("\"school\":\"A\",\"name\":\"\"")?.hasPrefix("school A: its name: ") == true)
    #expect(try refusal("\"school\":\"A\",\"name\":\"a\\u0007\"")?.hasPrefix("school A: its name: ") == true)
    #expect(try refusal("\"school\":\"A\"") == "nothing to correct: a name, or whether it is closed")
    #expect(try refusal("\"school\":\"한\",\"closed\":true") == "school: an identifier of the list")
    let unknown = try console.ask("\"act\":\"editSchool\",\"school\":\"Z9\",\"closed\":true")
    #expect(unknown.text("error") == "there is no such school" && unknown.text("code") == "SCHOOL_NOT_FOUND")
    #expect(try operators.game.audit().isEmpty)
    #expect(try store.schools().count { $0.isClosed } == 0)
  }
}
