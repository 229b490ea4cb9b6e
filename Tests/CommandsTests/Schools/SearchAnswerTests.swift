// The lists that career.go.kr answers with: their entries, identifiers and levels.
import Game
import Testing
import Commands

@Suite("A list of career.go.kr")
struct SearchAnswerTests {
  private func school(_ offer: SchoolOffer) throws -> School { try offer.school.get() }

  private func entry(_ number: Int, _ name: String, kind: String? = nil) -> String {
    let kind = kind.map { #","schoolGubun":"\#($0)""# } ?? ""
    return #"{"seq":"\#(number)","schoolName":"\#(name)","region":"경기도","totalCount":"9"\#(kind)}"#
  }

  /// The levels of schools of one list.
  private func levels(_ entries: [String]) throws -> [SchoolLevel] {
    try SchoolList([.search("list", entries)]).offers.map { try school($0).level }
  }

  @Test("A real entry becomes a school, identified by its list's letter and its number in the list")
  func form() throws {
    let offers = try SchoolList.search(
      """
      {"link":"http://naru.example","adres":"나루로 1","schoolName":"나루고등학교","region":"경기도","totalCount":"2396",\
      "estType":"공립","seq":"2072","schoolGubun":"일반고","schoolType":"일반고"}
      """,
      #"{"seq": 2073, "schoolName": "나루학교", "region": null, "adres": 5, "link": {}}"#
    ).offers
    let id = try #require(SchoolID("H2072"))
    let first = try School(id: id, name: "나루고등학교", level: .high, region: "경기도", address: "나루로 1")
    #expect(try school(offers[0]) == first)
    #expect(try school(offers[1]).id.description == "H2073")
    #expect(offers.map(\.place) == ["entry 1", "entry 2"])
  }

  @Test("Entries that are no school are refused with a reason")
  func refused() throws {
    let offers = try SchoolList.search(
      #"{"seq": "1", "schoolName": "나루초등학교"}"#,
      #"{"seq": 1.5, "schoolName": "나루학교"}"#,
      #"{"seq": true, "schoolName": "나루학교"}"#,
      #"{"seq": [], "schoolName": {}}"#,
      #"{"seq": null}"#,
      #"{"schoolName": "나루학교"}"#,
      #"{"seq": " ", "schoolName": "나루학교"}"#,
      #"{"seq": -1, "schoolName": "나루학교"}"#,
      #"{"seq": "103"}"#,
      #"{"seq": " 1 ", "schoolName": "나루학교"}"#,
      #"{"seq": "2", "schoolName": "나\ud800루"}"#,
      #"{"seq": "3", "schoolName": "나루", "schoolGubun": "\#u{FFFD}고"}"#,
      "5",
      "null",
      #"{"seq": "4", "schoolName": "다리초등학교"}"#
    ).offers
    #expect(try school(offers[0]).id.description == "E1")
    let seq = "its seq is no text and no whole number"
    #expect(
      offers[1...13].map { $0.refusal?.description } == [
        seq, seq, seq, seq, "it has no id", "it has no id", "its id \"E-1\" is not 1 to 16 letters and digits",
        "it has no name", "entry 1 has the id E1 already", "a broken line: bytes that are no character",
        "a broken line: bytes that are no character", "a broken line: no object", "a broken line: no object",
      ]
    )
    #expect(offers[8...11].map { $0.id?.description } == ["E103", "E1", "E2", "E3"], "the refusal names its row")
  }

  @Test(
    "A known kind decides the level, whatever the name says",
    arguments: [
      ("초등학교", SchoolLevel.elementary), (" 중학교 ", .middle), ("고등학교", .high), ("특수학교", .special), ("각종학교", .other),
      ("대안학교", .other), ("일반고", .high), ("특성화고", .high), ("특수목적고", .high), ("자율고", .high),
    ]
  )
  func kinds(kind: String, level: SchoolLevel) throws {
    for name in ["가람초등학교", "가람중학교"] { #expect(try levels([entry(1, name, kind: kind)]) == [level]) }
  }

  @Test(
    "If the kind is unknown or missing, the only word for a level in the name decides",
    arguments: [
      ("가람초등학교", SchoolLevel.elementary), ("가람여자중학교", .middle), ("가람고등학교", .high), ("가람특수학교", .special),
      ("가람대학교사범대학부설고등학교", .high), ("가람고등학교부설방송통신고등학교", .high), ("가람초등학교 나루분교", .elementary),
    ]
  )
  func names(name: String, level: SchoolLevel) throws {
    for kind in [nil, "", "외국인"] { #expect(try levels([entry(1, name, kind: kind)]) == [level]) }
  }

  @Test(
    "A name with no word, several words or an ambiguous word for a level leaves the level to the list's majority",
    arguments: [
      "가람학교", "가람중고등학교", "가람중·고등학교", "가람중 고등학교", "가람초중학교", "가람초.중학교", "가람초중고등학교", "가람초등학교중학교",
      "가람국제학교",
    ]
  )
  func most(name: String) throws {
    let middle = [entry(1, "나루중학교"), entry(2, "다리중학교")]
    #expect(try levels(middle + [entry(3, "나루고등학교"), entry(4, name)]) == [.middle, .middle, .high, .middle])
    #expect(try levels([entry(1, "나루", kind: "일반고"), entry(2, name)]) == [.high, .high])
    #expect(try levels([entry(1, name)]) == [.other])
    #expect(
      try levels(middle + [entry(3, "나루", kind: "일반고"), entry(4, "다리", kind: "자율고"), entry(5, name)]).last == .other
    )
  }

  @Test(
    "The letter is that of the list's majority, not of a single entry",
    arguments: [
      ("초등학교", "E"), ("중학교", "M"), ("자율고", "H"), ("특수학교", "S"), ("대안학교", "O"),
    ]
  )
  func letters(kind: String, letter: String) throws {
    let list = try SchoolList.search(
      entry(1, "가람학교", kind: kind),
      entry(2, "나루학교", kind: kind),
      entry(3, "다리고등학교"),
      entry(4, "마을학교")
    )
    #expect(try list.offers.map { try school($0).id.description } == (1...4).map { "\(letter)\($0)" })
  }

  @Test("Lists that number their schools alike are one edition")
  func alike() throws {
    let list = try SchoolList([
      .search("elem.json", [entry(1, "가람초등학교"), entry(2, "나루초등학교")]),
      .search("midd.json", [entry(1, "가람중학교"), entry(2, "나루중학교")]),
      .search("high.json", [entry(1, "가람고등학교", kind: "일반고"), entry(2, "나루", kind: "특성화고")]),
    ])
    #expect(try list.edition().map(\.id.description) == ["E1", "E2", "M1", "M2", "H1", "H2"])
    #expect(try list.edition().map(\.level) == [.elementary, .elementary, .middle, .middle, .high, .high])
    #expect(list.offers[2].place == "midd.json entry 1")
  }

  @Test("Invalid bytes make only their own entry invalid")
  func damaged() throws {
    var bytes = SchoolFile.search("list", (1...10).map { entry($0, "가람\($0)초등학교") }).bytes
    let place = try #require(bytes.firstRange(of: Array("가람5".utf8))).lowerBound
    bytes[place] = 0xFF
    let list = try SchoolList(bytes)
    #expect(try list.edition().map(\.id.description) == [1, 2, 3, 4, 6, 7, 8, 9, 10].map { "E\($0)" })
    #expect(list.offers[4].refusal?.description == "a broken line: bytes that are no character")
  }
}
