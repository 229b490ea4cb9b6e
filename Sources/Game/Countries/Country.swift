// A country or territory of ISO 3166-1. A plain value.

package struct Country: Hashable, Sendable {
  /// A name in Korean and in English.
  package struct Name: Hashable, Sendable {
    package let korean: String
    package let english: String
  }

  package let code: CountryCode
  package let name: Name
  /// Nil for Antarctica and its islands.
  package let continent: Continent?
  /// The place of its name on a map.
  package let centre: Coordinate
  package let population: Int64
  /// The year that the population is of; nil where the source tells none.
  package let populationYear: Int?
  /// Nil where there is none.
  package let capital: Name?
  /// Further names by which it is found.
  package let otherNames: [String]
}
