// The list of schools. Part of the contract. The start and commands read and write it.
import Game

/// Schools. All calls block.
package protocol SchoolStore: Sendable {
  /// Applies `edition`, which has each school once, as the newest list of schools, in one transaction. Its schools
  /// replace the stored ones, and schools that it lacks are closed until an edition has them again. `SchoolEdition`
  /// works out the difference. A school that stays closed keeps the moment of its closing. An edition without
  /// differences changes nothing.
  func applySchools(_ edition: [School], at: Instant) throws(StoreFailure) -> SchoolEdition

  /// Every school, closed ones too, in no order.
  func schools() throws(StoreFailure) -> [School]
}
