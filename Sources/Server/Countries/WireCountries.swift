// Countries and continents on the wire. Pure.
import Game
import MadangProtocol

extension WireCountry {
  init(_ country: Country, _ photos: SharedPhotos) {
    self.init()
    code = country.code.description
    koreanName = country.name.korean
    englishName = country.name.english
    continent = WireContinent(country.continent)
    latE7 = country.centre.latE7
    lngE7 = country.centre.lngE7
    population = UInt32(clamping: country.population)
    if let year = country.populationYear { populationYear = UInt32(year) }
    if let capital = country.capital {
      koreanCapital = capital.korean
      englishCapital = capital.english
    }
    guard photos.areServed else { return }
    photoURL = "/photo/\(country.code)"
    photoAttribution = photos.photo(of: country.code)?.attribution ?? ""
  }
}

extension WireContinent {
  init(_ continent: Continent?) {
    switch continent {
    case nil: self = .unspecified
    case .asia: self = .asia
    case .europe: self = .europe
    case .africa: self = .africa
    case .oceania: self = .oceania
    case .northAmerica: self = .northAmerica
    case .southAmerica: self = .southAmerica
    }
  }
}

extension Continent {
  /// The continent; nil for an absent or unknown one.
  init?(_ continent: WireContinent) {
    switch continent {
    case .unspecified, .UNRECOGNIZED: return nil
    case .asia: self = .asia
    case .europe: self = .europe
    case .africa: self = .africa
    case .oceania: self = .oceania
    case .northAmerica: self = .northAmerica
    case .southAmerica: self = .southAmerica
    }
  }
}
