// Operators' fences, over every back end.
import Game
import Store
import Testing

@Suite("Every store keeps the operators' fences")
struct FenceContractTests {
  private static func fence(_ number: UInt128, _ byte: UInt8 = 1, at: Int64 = 5) -> StoredFence {
    StoredFence(id: FenceID(number), bytes: [UInt8](repeating: byte, count: Int(number)), importedAt: moment(at))
  }

  private static func entry(_ action: String) -> AuditEntry {
    AuditEntry(at: moment(5), address: "::1", action: action)
  }

  private static func details(in store: any Store) async throws -> [String] {
    try await withCheckedContinuation { waiting in
      store.audit(before: nil, limit: 9) { waiting.resume(returning: $0) }
    }.get().map(\.detail)
  }

  @Test("Fences are added, replaced and removed, with the counts in the audit log", arguments: BackEnd.allCases)
  func imports(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let first = ImportChange.fences([Self.fence(2), Self.fence(1)], Self.entry("importFences"))
      let added = try await store.change(first)
      #expect(added == .fences(FenceCounts(added: 2)))
      let second = ImportChange.fences(
        [Self.fence(1, at: 9), Self.fence(2, 7, at: 9), Self.fence(65_536, at: 9)],
        Self.entry("importFences")
      )
      #expect(try await store.change(second) == .fences(FenceCounts(added: 1, replaced: 1, unchanged: 1)))
      #expect(try store.allFences() == [Self.fence(1), Self.fence(2, 7, at: 9), Self.fence(65_536, at: 9)])
      let removal = ImportChange.removeFences([FenceID(2), FenceID(3)], Self.entry("removeFences"))
      #expect(try await store.change(removal) == .removedFences(1))
      #expect(try store.allFences().map(\.id) == [FenceID(1), FenceID(65_536)])
      #expect(
        try await Self.details(in: store)
          == ["1 removed", "1 added, 1 replaced, 1 there already", "2 added, 0 replaced, 0 there already"]
      )
      #expect(throws: StoreFailure.full) { try store.fences { _ in throw StoreFailure.full } }
    }
  }

  @Test("Beyond the bound nothing of an import is kept", arguments: BackEnd.allCases)
  func bound(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let all = (1...UInt128(StoredFence.countMax)).map {
        StoredFence(id: FenceID($0), bytes: [1], importedAt: moment(5))
      }
      let added = try await store.change(ImportChange.fences(all, Self.entry("importFences")))
      #expect(added == .fences(FenceCounts(added: StoredFence.countMax)))
      let more = ImportChange.fences([Self.fence(1, 9), Self.fence(20_000)], Self.entry("importFences"))
      #expect(try await store.change(more) == .tooManyFences)
      #expect(try store.allFences().first?.bytes == [1])
      #expect(try await Self.details(in: store).count == 1)
      #expect(
        try await store.change(ImportChange.fences([Self.fence(1, 9)], Self.entry("importFences")))
          == .fences(FenceCounts(replaced: 1))
      )
    }
  }
}
