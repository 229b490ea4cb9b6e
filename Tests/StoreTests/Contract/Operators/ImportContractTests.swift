// Imports with their rows of the audit log, over every back end.
import Game
import Store
import Testing

@Suite("Every store imports lists with their rows of the audit log")
struct ImportContractTests {
  private static func land(_ number: UInt128) -> Land {
    let vertices = [(0, 0), (0, 9_000), (7_200, 9_000)].map { (north: Int32, east: Int32) in
      Coordinate(latE7: 375_000_000 + north, lngE7: 1_267_000_000 + east)
    }
    return Land(id: LandID(number), name: "land \(number)", vertices: ContiguousArray(vertices))
  }

  private static func school(_ id: String, _ name: String) throws -> School {
    try School(id: try #require(SchoolID(id)), name: name, level: .high, region: "", address: "")
  }

  private static func entry(_ action: String) -> AuditEntry {
    AuditEntry(at: moment(5), address: "::1", action: action, player: nil, room: nil, detail: "")
  }

  private static func audit(in store: any Store) async throws -> [AuditRow] {
    try await withCheckedContinuation { waiting in
      store.audit(before: nil, limit: 9) { waiting.resume(returning: $0) }
    }.get()
  }

  @Test("Lands are added with the counts in the audit log", arguments: BackEnd.allCases)
  func lands(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let first = ImportChange.lands([Self.land(1), Self.land(2)], Self.entry("importLands"))
      #expect(try await store.change(first) == .lands([true, true]))
      let second = ImportChange.lands([Self.land(2), Self.land(3)], Self.entry("importLands"))
      #expect(try await store.change(second) == .lands([false, true]))
      #expect(try await store.lands((1...3).map { LandID($0) }).count == 3)
      let details = try await Self.audit(in: store).map(\.detail)
      #expect(details == ["1 added, 1 there already", "2 added, 0 there already"])
    }
  }

  @Test(
    "A land gets another name, both are in the audit log; an unknown one writes nothing",
    arguments: BackEnd.allCases
  )
  func renamedLand(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      _ = try await store.change(ImportChange.lands([Self.land(1), Self.land(2)], Self.entry("importLands")))
      let rename = ImportChange.renameLand(LandID(1), name: "뒷마당", Self.entry("renameLand"))
      #expect(try await store.change(rename) == .renamedLand(from: "land 1"))
      let unknown = ImportChange.renameLand(LandID(3), name: "뒷마당", Self.entry("renameLand"))
      #expect(try await store.change(unknown) == .unknownLand)
      let known = try await store.lands((1...3).map { LandID($0) })
      #expect(known.map(\.name) == ["뒷마당", "land 2"])
      #expect(known[0].vertices == Self.land(1).vertices)
      // The ring is known under its new name: an import leaves that.
      let again = ImportChange.lands([Self.land(1)], Self.entry("importLands"))
      #expect(try await store.change(again) == .lands([false]))
      #expect(try await store.lands([LandID(1)]).map(\.name) == ["뒷마당"])
      let details = try await Self.audit(in: store).map(\.detail)
      #expect(
        details == [
          "0 added, 1 there already", "land \(LandID(1)): land 1 is 뒷마당", "2 added, 0 there already",
        ]
      )
    }
  }

  @Test("An edition is applied with the counts in the audit log", arguments: BackEnd.allCases)
  func schools(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let schools = try [Self.school("A", "a"), Self.school("B", "b")]
      let first = ImportChange.schools(schools, at: moment(5), Self.entry("importSchools"))
      guard case .schools(let added) = try await store.change(first) else { throw StoreFailure.other("no edition") }
      #expect(added.added.count == 2)
      let newer = try [Self.school("A", "A")]
      let second = ImportChange.schools(newer, at: moment(6), Self.entry("importSchools"))
      guard case .schools(let changed) = try await store.change(second) else { throw StoreFailure.other("no edition") }
      #expect(changed.changed.count == 1 && changed.closed.count == 1)
      let known = try store.schools().sorted { $0.id < $1.id }
      #expect(known.map(\.name) == ["A", "b"] && known.map(\.isClosed) == [false, true])
      let rows = try await Self.audit(in: store)
      #expect(rows.map(\.detail) == ["0 added, 1 changed, 1 closed", "2 added, 0 changed, 0 closed"])
      #expect(rows.map(\.action) == ["importSchools", "importSchools"])
    }
  }
}
