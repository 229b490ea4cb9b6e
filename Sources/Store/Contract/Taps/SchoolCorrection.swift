// A correction of one school between two editions of the list. A value that exists only when it can be shown.
import Game

package struct SchoolCorrection: Hashable, Sendable {
  package let id: SchoolID
  /// Nil for the present name.
  package let name: String?
  /// Nil for a school that stays open or closed as it is.
  package let isClosed: Bool?

  /// A correction with this name, trimmed of white space.
  ///
  /// - Throws: The fault of a name that can't be shown.
  package init(id: SchoolID, name: String?, isClosed: Bool?) throws(SchoolFault) {
    self.id = id
    self.name = try name.map { name throws(SchoolFault) in
      try School(id: id, name: name, level: .other, region: "", address: "").name
    }
    self.isClosed = isClosed
  }

  /// The corrected school.
  package func corrected(_ school: School) -> School {
    precondition(school.id == id, "a correction is of its own school")
    let corrected = try? School(
      id: id,
      name: name ?? school.name,
      level: school.level,
      region: school.region,
      address: school.address,
      isClosed: isClosed ?? school.isClosed
    )
    guard let corrected else { preconditionFailure("the texts of a school and of a correction can be shown") }
    return corrected
  }
}
