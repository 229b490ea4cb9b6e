// The catalogue of countries over real sockets: it is whole, and each request has its answer and its refusals.
import MadangProtocol
import TestSupport
import Testing

@Suite struct CountriesTests {
  private let server: TestServer
  private let player: TestPlayer

  init() throws {
    server = try TestServer(shards: 1)
    player = try server.player("가람")
  }

  @Test("The catalogue has all of ISO 3166-1, each with its names, place and population")
  func whole() throws {
    let countries = try player.countries()
    #expect(countries.count == 249 && Set(countries.map(\.code)).count == 249)
    #expect(Set(countries.map(\.koreanName)).count == 249 && Set(countries.map(\.englishName)).count == 249)
    for country in countries {
      #expect(country.koreanName.unicodeScalars.allSatisfy { !("a"..."z").contains($0) }, "\(country.code)")
      #expect(country.hasLatE7 && abs(Int(country.latE7)) <= 900_000_000 && country.hasLngE7, "\(country.code)")
      #expect(country.koreanCapital.isEmpty == country.englishCapital.isEmpty, "\(country.code)")
    }
    let inhabited = countries.filter { $0.population > 0 && $0.hasPopulationYear && !$0.koreanCapital.isEmpty }
    #expect(inhabited.count >= 230)
    let apart = countries.filter { $0.continent == .unspecified }.map(\.code)
    #expect(Set(apart) == ["AQ", "BV", "GS", "HM", "TF"])
    let byContinent = try WireContinent.allCases.filter { $0 != .unspecified }.map {
      try player.countries(in: $0).count
    }
    #expect(byContinent.allSatisfy { $0 >= 14 } && byContinent.reduce(0, +) == 244)
  }

  @Test("A country is found by any part of its names in both languages, and by its code")
  func search() throws {
    for (query, code) in [
      ("필리핀", "PH"), ("대만", "TW"), ("이탈", "IT"), ("netherl", "NL"), ("멕시코", "MX"), ("한국", "KR"), ("cote d'iv", "CI"),
      ("UK", "GB"), ("튀르", "TR"), ("hong", "HK"), ("vn", "VN"),
    ] {
      #expect(try player.countries(query).first?.code == code, "\(query)")
    }
    #expect(try player.countries("korea", in: .asia).map(\.code) == ["KR", "KP"])
    #expect(try player.countries("korea", in: .africa).isEmpty && player.countries("xyz").isEmpty)
    var request = WireCountryRequest()
    request.code = "KR"
    guard case .country(let korea) = try player.request(.country(request)) else { throw TestFailure("no country") }
    #expect(korea.koreanName == "대한민국" && korea.englishName == "South Korea" && korea.continent == .asia)
    #expect(korea.koreanCapital == "서울" && korea.englishCapital == "Seoul" && korea.populationYear >= 2015)
  }

  @Test("Bad input has its own error")
  func refusals() throws {
    for code in ["ZZ", "kr", "KOR", "", "XK"] {
      var request = WireCountryRequest()
      request.code = code
      #expect(try player.refusal(of: .country(request)).code == .countryNotFound, "\(code)")
    }
    var search = WireSearchCountries()
    search.query = String(repeating: "가", count: 67)
    #expect(try player.refusal(of: .searchCountries(search)).code == .textTooLong)
    search.query = ""
    search.continent = .UNRECOGNIZED(9)
    #expect(try player.refusal(of: .searchCountries(search)).code == .outOfRange)
    try player.send(text: #"{"id":900,"searchCountries":{"continent":"ATLANTIS"}}"#)
    guard case .error(let error) = try player.reply(to: 900) else { throw TestFailure("taken") }
    #expect(error.code == .malformed)
  }
}

extension TestPlayer {
  fileprivate func countries(_ query: String = "", in continent: WireContinent = .unspecified) throws -> [WireCountry] {
    var search = WireSearchCountries()
    search.query = query
    search.continent = continent
    let answer = try request(.searchCountries(search))
    guard case .countries(let countries) = answer else { throw TestFailure("no countries: \(answer)") }
    return countries.countries
  }
}
