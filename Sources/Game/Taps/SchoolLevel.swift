// The kind of a school. The store keeps the numbers, whose meaning never changes.

/// A kind of school.
package enum SchoolLevel: Int, CaseIterable, Sendable {
  case elementary = 0
  case middle = 1
  case high = 2
  case special = 3
  /// Any other kind in a list.
  case other = 4
}
