// Schools for tests of the contest, in a store of their own.
import Game
import Store
import TestSupport

enum TestSchools {
  /// A store with schools A1, A2 … and a closed one, Z.
  static func store(_ count: Int = 4, in store: any Store = MemoryStore()) throws -> any Store {
    _ = try store.applySchools(try schools(count) + [try school("Z")], at: Instant(milliseconds: 0))
    _ = try store.applySchools(try schools(count), at: Instant(milliseconds: 1))
    return store
  }

  static func schools(_ count: Int) throws -> [School] {
    try (1...count).map { try school("A\($0)") }
  }

  private static func school(_ id: String) throws -> School {
    guard let schoolID = SchoolID(id) else { throw TestFailure("no id: \(id)") }
    return try School(id: schoolID, name: "학교 \(id)", level: .middle, region: "서울특별시", address: "")
  }
}
