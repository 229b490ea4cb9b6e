// Operators, their links and tokens, and their file.
import Game
import OperatorAccounts
import TestSupport
import Testing

private func moment(_ milliseconds: Int64) -> Instant { Instant(milliseconds: 1_790_000_000_000 + milliseconds) }

struct OperatorBookTests {
  private let yuna: OperatorName
  private let grafana: OperatorName

  init() throws {
    yuna = try #require(OperatorName("Yuna"))
    grafana = try #require(OperatorName("grafana"))
  }

  @Test("Names are few characters that look like nothing else", arguments: ["yuna", "a", "나래", "ops-2", "a.b_c"])
  func names(text: String) {
    #expect(OperatorName(text)?.text == text)
  }

  @Test(
    "Other texts are no names",
    arguments: ["", "token", "Token", "-a", "a b", "a\nb", "аdmin", "a/b", "[a]", String(repeating: "a", count: 33)]
  )
  func others(text: String) {
    #expect(OperatorName(text) == nil)
  }

  @Test("Names are unique over operators and tokens, and bounded in number")
  func unique() throws {
    var book = OperatorBook()
    _ = try book.add(yuna, .admin, at: moment(0))
    #expect(throws: OperatorRefusal("yuna is there already", code: "OPERATOR_EXISTS")) {
      try book.addToken(yuna, .viewer, at: moment(1))
    }
    for number in 1..<OperatorBook.countMax {
      _ = try book.addToken(#require(OperatorName("t\(number)")), .viewer, at: moment(2))
    }
    #expect(throws: OperatorRefusal.self) { try book.add(grafana, .viewer, at: moment(3)) }
    try book.remove(yuna)
    _ = try book.add(grafana, .viewer, at: moment(4))
    #expect(throws: OperatorRefusal.self) { try book.remove(yuna) }
    #expect(throws: OperatorRefusal.self) { try book.setRole(yuna, .admin) }
    #expect(throws: OperatorRefusal.self) { try book.reset(#require(OperatorName("t1")), at: moment(5)) }
  }

  @Test("A link is good once, for 24 hours, and not behind a newer one")
  func links() throws {
    var book = OperatorBook()
    let first = try book.add(yuna, .viewer, at: moment(0))
    let day: Int64 = 24 * 60 * 60 * 1_000
    #expect(book.account(ofLink: first.text, at: moment(day - 1))?.name == yuna)
    #expect(book.account(ofLink: first.text, at: moment(day)) == nil)
    let second = try book.reset(yuna, at: moment(10))
    #expect(book.account(ofLink: first.text, at: moment(11)) == nil)
    let before = try #require(book.accounts[yuna]).proof
    #expect(book.setPassword(ofLink: second.text, "hash", nil, usedStep: 7, at: moment(12))?.passwordHash == "hash")
    #expect(book.accounts[yuna]?.proof != before, "sessions of before have ended")
    #expect(book.setPassword(ofLink: second.text, "other", nil, usedStep: 0, at: moment(13)) == nil)
    #expect(book.accounts[yuna]?.passwordHash == "hash")
    #expect(book.account(ofLink: "", at: moment(13)) == nil)
    _ = try book.reset(yuna, at: moment(14))
    #expect(book.accounts[yuna]?.passwordHash == nil)
    #expect(book.accounts[yuna]?.usedStep == 7, "a used code stays used")
  }

  @Test("The file has all of it, is its owner's alone, and is read again")
  func file() throws {
    let folder = try TestFolder()
    #expect(try OperatorBook(inFolder: folder.path).isEmpty)
    var book = OperatorBook()
    let link = try book.add(yuna, .moderator, at: moment(0))
    let token = try book.addToken(grafana, .viewer, at: moment(1))
    _ = try book.add(#require(OperatorName("나래")), .admin, at: moment(2))
    _ = book.setPassword(ofLink: link.text, "scrypt$15$8$3$00$11", OneTimeCodes(), usedStep: 3, at: moment(3))
    try OperatorBook.file(in: folder.path).write(book.text)
    #expect(folder.names == ["madang.operators"])
    #expect(try OperatorBook(inFolder: folder.path) == book)
    let text = String(decoding: folder.read("madang.operators"), as: UTF8.self)
    #expect(!text.contains(token.text) && !text.contains(link.text))
    #expect(book.token(OperatorSecret.digest(of: token.text))?.name == grafana)
    #expect(book.token(OperatorSecret.digest(of: link.text)) == nil)
  }

  @Test(
    "A file of another form is refused with its line",
    arguments: [
      ("role = admin", "line 1"), ("[operator yuna]\nrole = king\ncreatedAtMs = 1\nepoch = 1", "line 1"),
      ("\n[operator]\n", "line 2"), ("[operator yuna]\nrole", "line 2"), ("[robot a]\nrole = admin", "line 1"),
      ("[operator yuna]\nrole = admin\nrole = viewer", "line 3"),
      ("[operator yuna]\nrole = admin\ncreatedAtMs = 1\nepoch = 1\nstar = 1", "line 1"),
      ("[operator yuna]\nrole = admin\ncreatedAtMs = 1\nepoch = 1\ncodeSecret = A", "line 1"),
      ("[operator Yuna]\nrole = admin\ncreatedAtMs = 1\nepoch = 1", "line 1"),
    ]
  )
  func malformed(text: String, line: String) throws {
    let fault = #expect(throws: OperatorFileFault.self) { try OperatorBook(text) }
    #expect(fault?.description.hasPrefix(line) == true)
  }

  @Test("Sessions are read again, and a damaged file has none")
  func sessions() throws {
    let folder = try TestFolder()
    let sessions = [
      OperatorSession(cookie: "a", yuna, proof: "epoch-1", at: moment(0), address: "::1", browser: "Firefox, Linux"),
      OperatorSession(cookie: "b", nil, proof: "token-1", at: moment(1), address: "10.0.0.1", browser: ""),
    ]
    try OperatorSessions.file(in: folder.path).write(OperatorSessions.text(of: sessions))
    #expect(try OperatorSessions.read(inFolder: folder.path) == sessions)
    try folder.write("[session a]\nnothing", to: "madang.sessions")
    #expect(try OperatorSessions.read(inFolder: folder.path).isEmpty)
  }
}
