// Editions of the list of schools, over every back end: the changes of each, and the schools that stay.
import Game
import Store
import Testing

@Suite("The contract: schools")
struct SchoolContractTests {
  private static func school(
    _ id: String,
    _ name: String = "가람초등학교",
    level: SchoolLevel = .elementary,
    region: String = "서울특별시",
    address: String = "",
    isClosed: Bool = false
  ) throws -> School {
    let id = try #require(SchoolID(id))
    return try School(id: id, name: name, level: level, region: region, address: address, isClosed: isClosed)
  }

  private static func known(_ store: any Store) throws -> [School] {
    try store.schools().sorted { $0.id < $1.id }
  }

  @Test("The first edition adds its schools, and a repeated one changes nothing", arguments: BackEnd.allCases)
  func first(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      #expect(try store.schools().isEmpty)
      let edition = try [
        Self.school("B2", address: "세종대로 1"), Self.school("B1", "나루고등학교", level: .high, region: ""),
        Self.school("ABCDEFGHIJKLMNOP", level: .other), Self.school("B3", isClosed: true),
      ]
      let applied = try store.applySchools(edition, at: moment(1))
      #expect(applied.added == edition.map(\.id) && applied.changed.isEmpty && applied.closed.isEmpty)
      #expect(try Self.known(store) == edition.sorted { $0.id < $1.id })
      let again = try store.applySchools(edition.reversed(), at: moment(2))
      #expect(again.added.isEmpty && again.changed.isEmpty && again.closed.isEmpty)
      #expect(try Self.known(store) == edition.sorted { $0.id < $1.id })
    }
  }

  @Test(
    "A newer edition adds schools, changes every text, and closes missing schools and those marked as closed",
    arguments: BackEnd.allCases
  )
  func newer(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let names = ["B1", "B2", "B3", "B4", "B5", "B6", "B7"]
      _ = try store.applySchools(names.map { try Self.school($0) }, at: moment(1))
      let edition = try [
        Self.school("B8"), Self.school("B5", address: "세종대로 1"), Self.school("B1"), Self.school("B2", "나루초등학교"),
        Self.school("B4", region: "부산광역시"), Self.school("B3", level: .middle), Self.school("B7", isClosed: true),
      ]
      let applied = try store.applySchools(edition, at: moment(2))
      #expect(applied.added.map(\.description) == ["B8"])
      #expect(applied.changed.map(\.description) == ["B5", "B2", "B4", "B3"])
      #expect(applied.closed.map(\.description) == ["B6", "B7"])
      let expected = try (edition + [Self.school("B6", isClosed: true)]).sorted { $0.id < $1.id }
      #expect(try Self.known(store) == expected)
    }
  }

  @Test("A closed school stays closed and known, until an edition has it again", arguments: BackEnd.allCases)
  func reopened(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      _ = try store.applySchools([Self.school("B1"), Self.school("B2")], at: moment(1))
      #expect(try store.applySchools([Self.school("B1")], at: moment(2)).closed.map(\.description) == ["B2"])
      let still = try store.applySchools([Self.school("B1")], at: moment(3))
      #expect(still.added.isEmpty && still.changed.isEmpty && still.closed.isEmpty)
      #expect(try Self.known(store).map(\.isClosed) == [false, true])
      // A closed school may get another name, and stays closed.
      let renamed = try store.applySchools([Self.school("B1"), Self.school("B2", "나루", isClosed: true)], at: moment(4))
      #expect(renamed.changed.map(\.description) == ["B2"] && renamed.closed.isEmpty)
      let back = try store.applySchools([Self.school("B2", "나루"), Self.school("B1")], at: moment(5))
      #expect(back.changed.map(\.description) == ["B2"] && back.added.isEmpty && back.closed.isEmpty)
      #expect(try Self.known(store).map(\.isClosed) == [false, false])
    }
  }

  @Test(
    "A correction changes one school, has its row of the audit log, and an unknown school none",
    arguments: BackEnd.allCases
  )
  func correction(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      _ = try store.applySchools(["B1", "B2"].map { try Self.school($0, address: "길 1") }, at: moment(1))
      func correct(_ id: String, name: String? = nil, isClosed: Bool? = nil) async throws -> ImportOutcome {
        let correction = try SchoolCorrection(id: #require(SchoolID(id)), name: name, isClosed: isClosed)
        let entry = AuditEntry(at: moment(2), address: "::1", action: "editSchool")
        return try await store.change(ImportChange.school(correction, at: moment(2), entry))
      }
      guard case .schools(let renamed) = try await correct("B1", name: " 나루 ") else { throw StoreFailure.full }
      #expect(renamed.changed.map(\.description) == ["B1"] && renamed.closed.isEmpty && renamed.added.isEmpty)
      guard case .schools(let closed) = try await correct("B2", isClosed: true) else { throw StoreFailure.full }
      #expect(closed.closed.map(\.description) == ["B2"] && closed.changed.isEmpty)
      #expect(
        try Self.known(store)
          == [Self.school("B1", "나루", address: "길 1"), Self.school("B2", address: "길 1", isClosed: true)]
      )
      guard case .schools(let nothing) = try await correct("B2", isClosed: true) else { throw StoreFailure.full }
      #expect(nothing.rows.isEmpty)
      #expect(try await correct("B3", isClosed: true) == .unknownSchool)
      let rows = try await withCheckedContinuation { waiting in
        store.audit(before: nil, limit: 9) { waiting.resume(returning: $0) }
      }.get()
      #expect(
        rows.map(\.detail)
          == ["school B2: 가람초등학교", "school B2: 가람초등학교, closed", "school B1: 가람초등학교 is 나루"]
      )
    }
  }
}
