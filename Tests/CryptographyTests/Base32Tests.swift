// Base32 against the examples of its standard.
import Cryptography
import Testing

struct Base32Tests {
  @Test(
    "Texts are those of RFC 4648 §10, without padding",
    arguments: [
      ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
      ("foobar", "MZXW6YTBOI"),
    ]
  )
  func examples(plain: String, text: String) {
    #expect(Base32.encode(Array(plain.utf8)) == text)
    #expect(Base32.decode(text) == Array(plain.utf8))
  }

  @Test("Other spellings are none", arguments: ["my", "M", "MZ======", "MZXW6YQ1", "MR", "MZX"])
  func others(text: String) {
    #expect(Base32.decode(text) == nil)
  }
}
