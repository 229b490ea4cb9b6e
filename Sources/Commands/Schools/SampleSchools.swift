// The schools of a server without a list: invented ones, so that a first game needs no list. Made by
// scripts/generate-schools.
// Decisions: 070 (docs/decisions).
import Game
import Store

package enum SampleSchools {
  /// Applies the sample to a store without schools; returns whether it did.
  package static func fill(_ store: SQLiteStore, at: Instant) throws -> Bool {
    guard try store.schools().isEmpty else { return false }
    _ = try store.applySchools(all, at: at)
    return true
  }

  static var all: [School] {
    do throws(SchoolList.Unfit) {
      return try SchoolList([SchoolFile(name: "schools.csv", bytes: PackageResources.schools_csv)]).edition()
    } catch {
      preconditionFailure("the program's sample of schools is not valid: \(error.reason)")
    }
  }
}
