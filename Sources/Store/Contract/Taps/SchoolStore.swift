// The list of schools. Part of the contract. It is read and written by the start and by commands.
import Game

/// Schools. All calls block.
package protocol SchoolStore: Sendable {
  /// Makes `edition`, which has each school once, the newest of the list of schools, in one transaction: what it says
  /// of a school is true from now on, and those that it lacks are closed, until an edition has them again.
  /// `SchoolEdition` works out the difference. A school that stays closed keeps the moment when it was. An edition that
  /// says nothing new changes nothing.
  func applySchools(_ edition: [School], at: Instant) throws(StoreFailure) -> SchoolEdition

  /// Every school, closed ones too, in no order.
  func schools() throws(StoreFailure) -> [School]
}
