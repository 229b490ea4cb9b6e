// The rules for e-mail addresses and passwords, at their bounds.
import MadangProtocol
import Testing

@Suite("Credentials")
struct CredentialsTests {
  @Test("An address is accepted unchanged, except for the case of A to Z")
  func addresses() {
    #expect(EmailAddress("a@b")?.text == "a@b")
    #expect(EmailAddress("Garam.Kim+1@Example.ORG")?.text == "garam.kim+1@example.org")
    #expect(EmailAddress("가람É@예.kr")?.text == "가람É@예.kr")
    #expect(EmailAddress("a@" + String(repeating: "b", count: 252)) != nil)
  }

  @Test(
    "Text that is no address is refused",
    arguments: [
      "", "@", "ab", "a@", "@b", "abc", "a@@b", "a@b@c", "a b@c", "a@b ", " a@b", "a@b\n", "a\u{0}@b", "a@b\u{7F}",
      "a\u{85}@b", "a\u{3000}@b", "a@\u{2028}b", "a@" + String(repeating: "b", count: 253),
    ]
  )
  func notAddresses(_ text: String) {
    #expect(EmailAddress(text) == nil)
  }

  @Test("A password has 8 to 64 characters, as readers count them, and is kept byte by byte")
  func passwords() {
    #expect(Password("12345678")?.bytes == Array("12345678".utf8))
    #expect(Password("맨발로 걷는 길") != nil)
    #expect(Password("        ") != nil)
    #expect(Password("a\u{1}\t\u{7F}1234") != nil)
    #expect(Password(String(repeating: "🏃", count: 64))?.bytes.count == Limits.passwordBytesMax)
    let composed = Password("12345\u{E9}78"), apart = Password("12345e\u{301}78")
    #expect(composed != nil && apart != nil && composed?.bytes != apart?.bytes)
  }

  @Test("A password that is too short or too long is refused")
  func notPasswords() {
    #expect(Password("") == nil)
    #expect(Password("1234567") == nil)
    // Eight scalars, seven characters.
    #expect(Password("123456e\u{301}") == nil)
    #expect(Password(String(repeating: "1", count: 65)) == nil)
    #expect(Password("12345678\u{0}") == nil)
    // Eight characters, 258 bytes.
    #expect(Password("1234567e" + String(repeating: "\u{301}", count: 124) + "\u{301}") == nil)
  }

  @Test("A password's description does not reveal it")
  func silence() {
    #expect(Password("12345678").map { "\($0)" } == "a password")
  }
}
