// All countries, found by code, by continent and by any part of their names. Immutable: any thread may ask it.
//
// The text is the program's own, so a fault in it is a broken invariant. A search walks some 1,500 names.

/// The countries and territories of ISO 3166-1, in the order of their Korean names.
package struct CountryCatalogue: Sendable {
  package let countries: [Country]
  private let indices: [CountryCode: Int]
  /// The names of each in the form that queries are compared with, its code first.
  private let keys: [[[UInt8]]]

  /// The catalogue that ships with the program; it is read at the first use.
  package static let shipped = CountryCatalogue(PackageResources.countries_tsv)

  /// Reads a table: a line for each country, its fields separated by tabs; lines that begin with `#` are remarks.
  package init(_ text: [UInt8]) {
    let lines = text.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }
    self.init(lines.map { Country(line: String(decoding: $0, as: UTF8.self)) })
  }

  /// A catalogue of countries in any order, each with a code of its own.
  package init(_ countries: [Country]) {
    self.countries = countries.sorted { $0.name.korean.utf8.lexicographicallyPrecedes($1.name.korean.utf8) }
    let pairs = self.countries.enumerated().map { ($1.code, $0) }
    indices = Dictionary(pairs) { _, _ in preconditionFailure("codes of countries are unique") }
    keys = self.countries.map { country in
      ([country.code.description, country.name.korean, country.name.english] + country.otherNames).map {
        SchoolQuery.key(of: $0)
      }
    }
  }

  /// A country; nil for a code that none has.
  package subscript(code: CountryCode) -> Country? { indices[code].map { countries[$0] } }

  /// Whether a country has this code.
  package func contains(_ code: CountryCode) -> Bool { indices[code] != nil }

  /// The codes of a continent's countries.
  package func codes(of continent: Continent) -> Set<CountryCode> {
    Set(countries.lazy.filter { $0.continent == continent }.map(\.code))
  }

  /// The countries that have `text` anywhere in one of their names, or as their code, in a continent or anywhere: first
  /// those with a name that begins with it. White space, case and the way of typing make no difference. An empty text
  /// finds all.
  package func search(_ text: String, in continent: Continent? = nil) -> [Country] {
    let key = SchoolQuery.key(of: text)
    var (beginnings, others): ([Country], [Country]) = ([], [])
    for (country, names) in zip(countries, keys) where continent == nil || country.continent == continent {
      if names[0] == key || names[1...].contains(where: { $0.starts(with: key) }) {
        beginnings.append(country)
      } else if names[1...].contains(where: { $0.contains(key) }) {
        others.append(country)
      }
    }
    return beginnings + others
  }
}

extension Country {
  /// Reads a line of the catalogue, which the program brings along.
  fileprivate init(line: String) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 11, let code = CountryCode(fields[0]), let latE7 = Int32(fields[4]),
      let lngE7 = Int32(fields[5]), let population = Int64(fields[6]), fields[8].isEmpty == fields[9].isEmpty
    else { preconditionFailure("a line of the catalogue has eleven fields: \(line)") }
    self.init(
      code: code,
      name: Name(korean: fields[1], english: fields[2]),
      continent: Continent(name: fields[3]),
      centre: Coordinate(latE7: latE7, lngE7: lngE7),
      population: population,
      populationYear: Int(fields[7]),
      capital: fields[8].isEmpty ? nil : Name(korean: fields[8], english: fields[9]),
      otherNames: fields[10].split(separator: "|").map(String.init)
    )
  }
}
