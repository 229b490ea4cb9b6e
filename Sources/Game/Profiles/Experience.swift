// Players' earnings by stories, and the grades that they give. Pure; the store adds it up, in the commit of what earns
// it.
// Decisions: 120 (docs/decisions).

/// The points of experience that acts earn.
package enum ExperienceRules {
  /// A post that is written; its deletion takes as much.
  package static let post: Int64 = 5
  /// A like that is given; taking it back takes as much, and so does the end of its post.
  package static let like: Int64 = 1

  /// The experience after points were earned, or lost: never below 0.
  package static func sum(_ experience: Int64, _ points: Int64) -> Int64 { max(0, experience + points) }
}

/// The grade of a traveller. The raw value is the number on the wire.
package enum Grade: Int, CaseIterable, Comparable, Sendable {
  case economy = 1
  case business, first, master

  /// The least experience of the grade.
  package var experienceMin: Int64 {
    switch self {
    case .economy: 0
    case .business: 100
    case .first: 200
    case .master: 300
    }
  }

  /// The grade that an experience gives.
  package init(experience: Int64) {
    self = Self.allCases.last { $0.experienceMin <= experience } ?? .economy
  }

  /// The name on the wire.
  package var name: String {
    switch self {
    case .economy: "ECONOMY"
    case .business: "BUSINESS"
    case .first: "FIRST"
    case .master: "MASTER"
    }
  }

  package static func < (left: Grade, right: Grade) -> Bool { left.rawValue < right.rawValue }
}
