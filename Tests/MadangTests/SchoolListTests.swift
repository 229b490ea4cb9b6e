// Lists of schools as files have them: which encodings and forms are told apart, what becomes of each row, and which files are
// no lists at all.
import Game
import Testing
import madang

@Suite("A list of schools")
struct SchoolListTests {
  private static let header = "학교ID,학교명,학교급구분,운영상태,소재지지번주소,소재지도로명주소,시도교육청명"
  /// `가람초` in CP949.
  private static let cp949: [UInt8] = [0xB0, 0xA1, 0xB6, 0xF7, 0xC3, 0xCA]

  private func list(_ lines: String...) throws -> SchoolList {
    try SchoolList(Array(([Self.header] + lines).joined(separator: "\n").utf8))
  }

  private func json(_ content: String) throws -> SchoolList {
    try SchoolList(Array(#"{"dataSearch":{"content":[\#(content)]}}"#.utf8))
  }

  /// Why a file is no list, or none to apply; nil when it is one.
  private func reason(_ bytes: [UInt8]) -> String? {
    do throws(SchoolList.Unfit) {
      _ = try SchoolList(bytes).edition()
      return nil
    } catch {
      return error.reason
    }
  }

  private func school(_ offer: SchoolOffer?) throws -> School { try #require(offer).school.get() }

  @Test("The national list's columns become a school, in whatever order they are")
  func columns() throws {
    let offer = try list(" B1 ,가람초등학교,초등학교,운영,공덕동 1,세종대로 1,서울특별시교육청").offers.first
    let id = try #require(SchoolID("B1"))
    let expected = try School(
      id: id,
      name: "가람초등학교",
      level: .elementary,
      region: "서울특별시",
      address: "세종대로 1"
    )
    #expect(try school(offer) == expected)
    #expect(offer?.place == "line 2")
    let other = "시도교육청명,학교급구분,x,학교명, 학교ID\n서울특별시교육청,초등학교,?,가람초등학교,B1"
    let bare = try school(SchoolList(Array(other.utf8)).offers.first)
    #expect((bare.name, bare.region, bare.address, bare.isClosed) == ("가람초등학교", "서울특별시", "", false))
  }

  @Test("The lot's address stands in for the road's, other words for levels are one, and what is called closed is")
  func meanings() throws {
    let offers = try list(
      "B1,가람,초등학교,운영,공덕동 1,,서울특별시교육청",
      "B2,가람,각종학교,폐교,,,경기도",
      "B3,가람, 특수학교 ,폐(원),,,",
      "B4,가람,,휴교,,,교육청"
    ).offers
    let schools = try offers.map { try school($0) }
    #expect(schools.map(\.address) == ["공덕동 1", "", "", ""])
    #expect(schools.map(\.level) == [.elementary, .other, .special, .other])
    #expect(schools.map(\.isClosed) == [false, true, true, false])
    #expect(schools.map(\.region) == ["서울특별시", "경기도", "", ""])
  }

  @Test(
    "Rows that are no school are refused, each for its reason, and the others are taken",
    arguments: [
      (",가람,초등학교,,,,", "it has no id"),
      ("B-2,가람,초등학교,,,,", "its id \"B-2\" is not 1 to 16 letters and digits"),
      ("\u{1B}[2J\u{9B},가람,초등학교,,,,", "its id \"\u{FFFD}[2J\u{FFFD}\" is not 1 to 16 letters and digits"),
      ("B2\u{2028}added\u{202E},가람,초등학교,,,,", "its id \"B2\u{FFFD}added\u{FFFD}\" is not 1 to 16 letters and digits"),
      (
        "x" + String(repeating: "\u{301}", count: 100) + ",가람,초등학교,,,,",
        "its id \"x" + String(repeating: "\u{301}", count: 39) + "\" is not 1 to 16 letters and digits"
      ),
      ("B2, ,초등학교,,,,", "it has no name"),
      ("B2,가\u{FFFD}람,초등학교,,,,", "a broken line: bytes that are no character"),
      ("B2,가람,초등학교,,,\u{FFFD},", "a broken line: bytes that are no character"),
      ("B2,가람,초등\u{FFFD}교,,,,", "a broken line: bytes that are no character"),
      ("B2,가람,초등학교,\u{FFFD}교,,,", "a broken line: bytes that are no character"),
      ("B2,가\u{1}람,초등학교,,,,", "its name: the text has a control character"),
      ("B1,가람,초등학교,,,,", "line 2 has the id B1 already"),
      ("B2,가람", "a broken line: 2 fields, where the header has 7"),
    ]
  )
  func refused(line: String, reason: String) throws {
    let offers = try list("B1,가람,초등학교,,,,", line, "B3,가람,초등학교,,,,").offers
    #expect(offers.map(\.place) == ["line 2", "line 3", "line 4"])
    #expect(throws: SchoolOffer.Refusal.self) { try offers[1].school.get() }
    if case .failure(let refusal) = offers[1].school { #expect("\(refusal)" == reason) }
    #expect(try [offers[0], offers[2]].map { try school($0).id.description } == ["B1", "B3"])
  }

  @Test("UTF-8, with a mark or without, and CP949 are told apart")
  func encodings() throws {
    let text = Array("\(Self.header)\nB1,가람초,초등학교,,,,\n".utf8)
    #expect(try school(SchoolList([0xEF, 0xBB, 0xBF] + text).offers.first).name == "가람초")
    #expect(try !FileText(text).isCP949)
    let read = try FileText(Self.cp949)
    #expect(read.isCP949 && read.utf8.elementsEqual("가람초".utf8))
    // What is no character in either stands as one mark for each byte, and what is around it stays.
    let torn = try FileText(Self.cp949 + [0xFF, 0x2C] + Self.cp949)
    #expect(String(decoding: torn.utf8, as: UTF8.self) == "가람초\u{FFFD},가람초")
    // A file that has the mark is UTF-8, broken or not.
    let marked = try FileText([0xEF, 0xBB, 0xBF, 0x61, 0xB0, 0x2C])
    #expect(!marked.isCP949 && String(decoding: marked.utf8, as: UTF8.self) == "a\u{FFFD},")
  }

  @Test("UTF-8 that is cut inside a character is told as such", arguments: ["가람초", "가람é", "가람👍"])
  func cutOff(name: String) {
    let text = Array("\(Self.header)\nB1,\(name)".utf8)
    let length = String(name.suffix(1)).utf8.count
    for left in 1..<length {
      #expect(reason(Array(text.dropLast(length - left))) == "it is cut off inside its last character")
    }
    #expect(reason(Array(text.dropLast(length))) != "it is cut off inside its last character")
    // Bytes of CP949 that end like that.
    #expect(throws: Never.self) { try FileText(Self.cp949 + [0xC3]) }
    #expect(throws: Never.self) { try FileText([0x61, 0x2C, 0xC3]) }
  }

  @Test("The answer of career.go.kr's search is read, numbers and texts for ids alike")
  func search() throws {
    let offers = try json(
      """
      {"seq": "101", "schoolName": "나루고등학교", "schoolGubun": "고등학교", "region": "경기도", "adres": "나루로 1", "link": {}},
      {"seq": 102, "schoolName": "나루학교", "schoolGubun": "특수학교", "region": null, "adres": 5},
      {"seq": 1.5, "schoolName": "나루학교"}, {"schoolName": "나루학교"}, {"seq": "103"}, {"seq": [], "schoolName": {}}, 5, null
      """
    ).offers
    let id = try #require(SchoolID("101"))
    let first = try School(id: id, name: "나루고등학교", level: .high, region: "경기도", address: "나루로 1")
    #expect(try school(offers[0]) == first)
    #expect(try school(offers[1]).id.description == "102")
    #expect(offers.map(\.place) == (1...8).map { "entry \($0)" })
    let refusals = offers[2...].map { offer in
      if case .failure(let refusal) = offer.school { "\(refusal)" } else { "none" }
    }
    #expect(
      refusals == [
        "it has no id", "it has no id", "it has no name", "it has no id", "a broken line: no object",
        "a broken line: no object",
      ]
    )
  }

  @Test(
    "What is no list is told why",
    arguments: [
      ("", "it is empty"), (" \r\n\t", "it is empty"), ("{", "it is not JSON"), ("[", "it is not JSON"),
      ("[]", "it has no dataSearch.content"), ("{\"dataSearch\": 5}", "it has no dataSearch.content"),
      ("{\"dataSearch\": {\"content\": {}}}", "it has no dataSearch.content"),
      ("{\"dataSearch\": {\"content\": []}}", "it has no schools"),
      ("a,b", "its first line is no header with 학교ID, 학교명, 학교급구분, 시도교육청명"),
      ("학교ID,학교명,학교급구분", "its first line is no header with 시도교육청명"),
      ("\"학교ID", "its first line is no header with 학교ID, 학교명, 학교급구분, 시도교육청명"),
      (SchoolListTests.header, "it has no schools"),
    ]
  )
  func unfit(text: String, expected: String) {
    #expect(reason(Array(text.utf8)) == expected)
  }

  @Test("One row in ten may be refused, and no more")
  func share() throws {
    let sound = (1...9).map { "B\($0),가람,초등학교,,,,\n" }.joined()
    let one = Array("\(Self.header)\n\(sound)x\n".utf8)
    #expect(reason(one) == nil)
    #expect(try SchoolList(one).edition().count == 9)
    #expect(reason(one + Array("x\n".utf8)) == "2 of its 11 rows are refused, more than one in ten")
  }
}
