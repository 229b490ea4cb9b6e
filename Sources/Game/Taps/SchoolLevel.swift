// The kind of a school. The store keeps the numbers, whose meaning never changes.

/// A kind of school.
package enum SchoolLevel: Int, CaseIterable, Sendable {
  case elementary = 0
  case middle = 1
  case high = 2
  case special = 3
  /// Any other kind in a list.
  case other = 4

  /// The name in operators' messages.
  package var name: String {
    switch self {
    case .elementary: "elementary"
    case .middle: "middle"
    case .high: "high"
    case .special: "special"
    case .other: "other"
    }
  }

  /// The level with this name; nil for any other text.
  package init?(name: String) {
    guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = level
  }
}
