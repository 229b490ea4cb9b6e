// The catalogue of countries: its table, and the search in it.
import Game
import Testing

@Suite struct CountryCatalogueTests {
  private let catalogue: CountryCatalogue

  init() {
    let rows = [
      [
        "IT", "이탈리아", "Italy", "EUROPE", "447324820", "110769070", "60297396", "2019", "로마", "Rome", "Italian Republic",
      ],
      ["TR", "튀르키예", "Türkiye", "ASIA", "393453880", "345082680", "83429615", "2019", "앙카라", "Ankara", "터키|Turkiye"],
      ["KR", "대한민국", "South Korea", "ASIA", "363849240", "1281295040", "51709098", "2019", "서울", "Seoul", "한국"],
      ["KP", "북한", "North Korea", "ASIA", "398852520", "1264445160", "25666161", "2019", "평양", "Pyongyang", ""],
      ["RE", "레위니옹", "Réunion", "AFRICA", "-208666667", "554666667", "776948", "", "생드니", "Saint-Denis", ""],
      ["BV", "부베섬", "Bouvet Island", "", "-544300000", "33800000", "0", "", "", "", ""],
    ]
    let text = "# a remark\n" + rows.map { $0.joined(separator: "\t") }.joined(separator: "\n") + "\n"
    catalogue = CountryCatalogue(Array(text.utf8))
  }

  private func codes(_ text: String, in continent: Continent? = nil) -> [String] {
    catalogue.search(text, in: continent).map(\.code.description)
  }

  @Test("A row has what its line says, and nothing where that says nothing")
  func rows() throws {
    let italy = try #require(CountryCode("IT").flatMap { catalogue[$0] })
    #expect(italy.name.korean == "이탈리아" && italy.name.english == "Italy" && italy.continent == .europe)
    #expect(italy.centre == Coordinate(latE7: 447_324_820, lngE7: 110_769_070))
    #expect(italy.population == 60_297_396 && italy.populationYear == 2019)
    #expect(
      italy.capital?.korean == "로마" && italy.capital?.english == "Rome" && italy.otherNames == ["Italian Republic"]
    )
    let island = try #require(CountryCode("BV").flatMap { catalogue[$0] })
    #expect(island.continent == nil && island.capital == nil && island.populationYear == nil)
    #expect(CountryCode("ZZ").flatMap { catalogue[$0] } == nil)
  }

  @Test("Any part of any name finds a country, in either language; names that begin with it come first")
  func search() {
    #expect(codes("탈리") == ["IT"] && codes("ITAL") == ["IT"] && codes("아") == ["IT"])
    #expect(codes("korea") == ["KR", "KP"] && codes("한") == ["KR", "KP"], "한국 begins with it")
    #expect(codes("northkorea") == ["KP"] && codes("south  korea") == ["KR"])
    #expect(codes("turkiye") == ["TR"] && codes("Tu\u{0308}rkiye") == ["TR"] && codes("터키") == ["TR"])
    #expect(codes("kr") == ["KR"] && codes("r").contains("TR") && codes("없는 나라").isEmpty)
  }

  @Test("An empty text lists all in the order of their Korean names, or a continent's")
  func lists() {
    #expect(codes("") == ["KR", "RE", "BV", "KP", "IT", "TR"])
    #expect(codes("", in: .asia) == ["KR", "KP", "TR"] && codes("korea", in: .europe).isEmpty)
    #expect(catalogue.codes(of: .africa).map(\.description) == ["RE"])
  }

  @Test("Each continent has a name of its own")
  func continents() {
    for continent in Continent.allCases { #expect(Continent(name: continent.name) == continent) }
    #expect(Continent(name: "") == nil && Set(Continent.allCases.map(\.name)).count == 6)
  }
}
