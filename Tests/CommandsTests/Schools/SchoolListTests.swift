// Lists of schools in files: the result of each row, files that are no lists, and several files together.
import Game
import Testing
import Commands

@Suite("A list of schools")
struct SchoolListTests {
  private static let header = SchoolList.header

  private func list(_ lines: String...) throws -> SchoolList { try .national(lines) }

  /// The reason why a file is no list, or none to apply; nil when it is one.
  private func reason(_ bytes: [UInt8]) -> String? {
    do throws(SchoolList.Unfit) {
      _ = try SchoolList(bytes).edition()
      return nil
    } catch {
      return error.reason
    }
  }

  private func school(_ offer: SchoolOffer?) throws -> School { try #require(offer).school.get() }

  @Test("The columns of the national list become a school, in whatever order they are")
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
    let other = "운영상태,시도교육청명,학교급구분,x,x,학교명, 학교ID\n운영,서울특별시교육청,초등학교,?,!,가람초등학교,B1"
    let bare = try school(SchoolList(Array(other.utf8)).offers.first)
    #expect((bare.name, bare.region, bare.address, bare.isClosed) == ("가람초등학교", "서울특별시", "", false))
  }

  @Test(
    "A lot address replaces a missing road address, levels have synonyms, and rows marked closed are closed schools"
  )
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
    "Rows that are no school are refused with a reason, and the other rows are accepted",
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
      ("B2,가\u{FFFD}\u{301}람,초등학교,,,,", "a broken line: bytes that are no character"),
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
    #expect(offers[1].refusal?.description == reason)
    #expect(try [offers[0], offers[2]].map { try school($0).id.description } == ["B1", "B3"])
  }

  @Test(
    "A file that is no list is refused with its reason",
    arguments: [
      ("", "it is empty"), (" \r\n\t", "it is empty"), ("{", "it is not JSON"), ("[", "it is not JSON"),
      ("[]", "it has no dataSearch.content"), ("{\"dataSearch\": 5}", "it has no dataSearch.content"),
      ("{\"dataSearch\": {\"content\": {}}}", "it has no dataSearch.content"),
      ("{\"dataSearch\": {\"content\": []}}", "it has no schools"),
      ("a,b", "its first line is no header with 학교ID, 학교명, 학교급구분, 운영상태, 시도교육청명"),
      ("학교ID,학교명,학교급구분", "its first line is no header with 운영상태, 시도교육청명"),
      ("학교ID,학교명,학교급구분,시도교육청명\nB1,가람,초등학교,경기도", "its first line is no header with 운영상태"),
      (SchoolListTests.header + ", 학교명\nB1,가람,초등학교,,,,,나루", "its header has the column 학교명 twice"),
      (SchoolListTests.header + ",소재지도로명주소", "its header has the column 소재지도로명주소 twice"),
      ("\"학교ID", "its first line is no header with 학교ID, 학교명, 학교급구분, 운영상태, 시도교육청명"),
      (SchoolListTests.header, "it has no schools"),
    ]
  )
  func unfit(text: String, expected: String) {
    #expect(reason(Array(text.utf8)) == expected)
  }

  @Test("At most one row in ten may be refused")
  func share() throws {
    let sound = (1...9).map { "B\($0),가람,초등학교,,,,\n" }.joined()
    let one = Array("\(Self.header)\n\(sound)x\n".utf8)
    #expect(reason(one) == nil)
    #expect(try SchoolList(one).edition().count == 9)
    #expect(reason(one + Array("x\n".utf8)) == "2 of its 11 rows are refused, more than one in ten")
  }
  private func rows(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { "B\($0),가람,초등학교,,,," } }

  /// The file that makes a list unfit, and the reason; nil when it is fit.
  private func unfit(_ files: SchoolFile...) -> String? {
    do throws(SchoolList.Unfit) {
      _ = try SchoolList(files).edition()
      return nil
    } catch {
      return "\(error.file): \(error.reason)"
    }
  }

  @Test("Several files form one edition, and the positions of their rows name the file")
  func together() throws {
    let list = try SchoolList([
      .national("a.csv", rows(1...10)), .national("b.csv", rows(11...30) + ["x", "B1,나루,초등학교,,,,"]),
    ])
    #expect(try list.edition().map(\.id.description) == (1...30).map { "B\($0)" })
    #expect([0, 10, 30].map { list.offers[$0].place } == ["a.csv line 2", "b.csv line 2", "b.csv line 22"])
    #expect(list.offers[31].refusal?.description == "a.csv line 2 has the id B1 already")
    #expect(try list.refusedPlaces == [#require(SchoolID("B1")): "b.csv line 23"])
  }

  @Test("Each of several files must be a list by itself, and in each at most one row in ten may be refused")
  func each() {
    let sound = SchoolFile.national("a.csv", rows(1...100))
    let reason = "2 of its 12 rows are refused, more than one in ten"
    #expect(unfit(sound, .national("b.csv", rows(101...110) + ["x", "x"])) == "b.csv: \(reason)")
    #expect(unfit(.national("b.csv", rows(101...110) + ["x", "x"]), sound) == "b.csv: \(reason)")
    #expect(unfit(sound, .national("b.csv", rows(101...110) + ["x"])) == nil)
    #expect(unfit(sound, .national("b.csv", [])) == "b.csv: it has no schools")
    #expect(unfit(sound, SchoolFile(name: "b.csv", bytes: [])) == "b.csv: it is empty")
    #expect(unfit(sound, SchoolFile(name: "b.json", bytes: Array("{}".utf8))) == "b.json: it has no dataSearch.content")
  }

  @Test("A file given twice is detected by its rows' identifiers")
  func twice() {
    let file = SchoolFile.national("a.csv", rows(1...20))
    #expect(
      unfit(file, file)
        == "a.csv: 20 of its 20 rows are refused, more than one in ten; 20 of them have the id of a row before them"
    )
  }

  @Test("A changed school is reported with its old values")
  func changes() throws {
    let id = try #require(SchoolID("B1"))
    let old = try School(id: id, name: "가람초", level: .elementary, region: "경기도", address: "", isClosed: true)
    let renamed = try School(id: id, name: "가람초등학교", level: .elementary, region: "경기도", address: "", isClosed: true)
    #expect(renamed.line(since: old) == "B1  name 가람초 → 가람초등학교")
    #expect(old.closed.line(since: old) == "B1  가람초")
    let other = try School(id: id, name: "가람초", level: .middle, region: "", address: "세종대로 1")
    #expect(
      other.line(since: old)
        == "B1  가람초  level 초등학교 → 중학교  region 경기도 → none  address none → 세종대로 1  opened again"
    )
    #expect(old.line(since: other).hasSuffix("address 세종대로 1 → none"), "the closing has a line of its own")
  }
}
