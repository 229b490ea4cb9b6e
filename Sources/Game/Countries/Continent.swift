// The continents by which players choose where to go. A plain value.

/// One of the six continents; Antarctica and its islands belong to none.
package enum Continent: Int, CaseIterable, Sendable {
  case asia = 1
  case europe, africa, oceania, northAmerica, southAmerica

  /// The name in the catalogue and on the wire.
  package var name: String {
    switch self {
    case .asia: "ASIA"
    case .europe: "EUROPE"
    case .africa: "AFRICA"
    case .oceania: "OCEANIA"
    case .northAmerica: "NORTH_AMERICA"
    case .southAmerica: "SOUTH_AMERICA"
    }
  }

  package init?(name: some StringProtocol) {
    guard let continent = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = continent
  }
}
