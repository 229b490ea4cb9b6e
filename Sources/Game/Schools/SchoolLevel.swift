// Which kind of school it is. The numbers are kept by the store and never change their meaning.

/// A kind of school.
package enum SchoolLevel: Int, CaseIterable, Sendable {
  case elementary = 0
  case middle = 1
  case high = 2
  case special = 3
  /// Whatever else a list has.
  case other = 4
}
