// The roles of operators. A value.

/// What an operator may do: each role may do all that the roles before it may.
package enum OperatorRole: String, Sendable, CaseIterable, Comparable {
  /// Sees everything, changes nothing.
  case viewer
  /// Also decides about players and what they write.
  case moderator
  /// Also changes the server, and who its operators are.
  case admin

  package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .viewer: 0
    case .moderator: 1
    case .admin: 2
    }
  }

  /// The roles for an operator's reading.
  package static let words = allCases.map(\.rawValue).joined(separator: ", ")
}
