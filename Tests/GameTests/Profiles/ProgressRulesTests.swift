// Experience and grades, and the collectibles that a post earns.
import Game
import Testing

@Suite("Progression")
struct ProgressRulesTests {
  @Test("A post earns 5 and a like 1, and nothing goes below 0")
  func experience() {
    #expect(ExperienceRules.post == 5 && ExperienceRules.like == 1)
    #expect(ExperienceRules.sum(0, 5) == 5 && ExperienceRules.sum(5, -5) == 0 && ExperienceRules.sum(3, -5) == 0)
  }

  @Test(
    "Grades begin at 100, 200 and 300",
    arguments: [
      (0, .economy), (99, .economy), (100, .business), (199, .business), (200, .first), (299, .first), (300, .master),
      (1_000_000, .master),
    ] as [(Int64, Grade)]
  )
  func grades(experience: Int64, grade: Grade) {
    #expect(Grade(experience: experience) == grade)
  }

  private func earned(
    _ countries: String...,
    soundtrack: Soundtrack = .silent,
    posts: Int64 = 1,
    known: Set<Collectible> = []
  ) -> [Collectible] {
    CollectibleRules.earned(
      byPostAbout: countries.compactMap { CountryCode($0) },
      soundtrack,
      posts: posts,
      known: known
    )
  }

  @Test(
    "A post earns the continent of each of its countries",
    arguments: [
      ("KR", .asia), ("FR", .europe), ("EG", .africa), ("AU", .oceania), ("US", .northAmerica), ("BR", .southAmerica),
    ] as [(String, Collectible)]
  )
  func continents(country: String, collectible: Collectible) {
    #expect(earned(country) == [collectible])
    #expect(earned(country, known: [collectible]) == [])
  }

  @Test("Each of the catalogue's countries earns its own continent, and Antarctica none")
  func catalogue() {
    for country in CountryCatalogue.shipped.countries {
      #expect(earned(country.code.description) == country.continent.map { [Collectible($0)] } ?? [])
    }
    #expect(earned("AQ") == [] && earned("ZZ") == [] && earned() == [])
    #expect(earned("KR", "JP", "BR") == [.asia, .southAmerica])
  }

  @Test("The sixth continent brings all of them")
  func allContinents() {
    let five = Collectible.ofContinents.subtracting([.africa])
    #expect(earned("EG", known: five) == [.africa, .allContinents])
    #expect(earned("KR", known: five) == [])
    #expect(earned("EG", "KR", "FR", known: [.oceania, .northAmerica, .southAmerica]).last == .allContinents)
    #expect(earned("EG", known: Collectible.ofContinents.union([.allContinents])) == [])
  }

  @Test("Ten posts, and a soundtrack of a music and three effects, earn one each")
  func others() throws {
    #expect(earned(posts: 9) == [] && earned(posts: 10) == [.tenPosts] && earned(posts: 11) == [.tenPosts])
    #expect(earned(posts: 11, known: [.tenPosts]) == [])
    let effects = (0..<3).map { Sound($0, volumePercent: 50) }
    let full = try #require(Soundtrack(music: Sound(0, volumePercent: 0), effects: effects))
    #expect(earned(soundtrack: full) == [.fullSoundtrack])
    #expect(earned(soundtrack: full, known: [.fullSoundtrack]) == [])
    #expect(earned(soundtrack: try #require(Soundtrack(music: nil, effects: effects))) == [])
    let two = try #require(Soundtrack(music: Sound(0, volumePercent: 9), effects: Array(effects.prefix(2))))
    #expect(earned(soundtrack: two) == [])
    #expect(earned("KR", soundtrack: full, posts: 10) == [.asia, .tenPosts, .fullSoundtrack])
  }

  @Test("There are twelve collectibles, each with a number and a name of its own")
  func twelve() {
    #expect(Collectible.allCases.map(\.rawValue) == Array(1...12))
    #expect(Set(Collectible.allCases.map(\.name)).count == 12)
  }

  @Test("An introduction has 0 to 300 characters and 1,200 bytes, in lines")
  func introductions() throws {
    for text in ["", "안녕", String(repeating: "가", count: 300), "한 줄\n두 줄"] {
      try ProfileRules.check(introduction: text)
    }
    let faults: [(String, TextFault)] = [
      (String(repeating: "가", count: 301), .tooLong(charactersMax: 300)),
      (String(repeating: "👨‍👩‍👧‍👦", count: 60), .tooLong(charactersMax: 300)),
      (" \n", .onlyWhiteSpace), ("\u{200B}", .onlyWhiteSpace), ("a\tb", .controlCharacter),
    ]
    for (text, fault) in faults {
      #expect(throws: fault) { try ProfileRules.check(introduction: text) }
    }
  }
}
