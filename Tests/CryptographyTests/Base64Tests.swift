// Base64, both ways.
import Cryptography
import Testing

struct Base64Tests {
  @Test(
    "Bytes are encoded as in RFC 4648 §10, and decoded back",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ]
  )
  func examples(plain: String, encoded: String) {
    #expect(Base64.encode(Array(plain.utf8)) == encoded)
    #expect(Base64.decode(encoded) == Array(plain.utf8))
  }

  @Test("Every byte comes back")
  func roundTrip() {
    let bytes = (0...255).map { UInt8($0) }
    #expect(Base64.decode(Base64.encode(bytes)) == bytes)
  }

  @Test(
    "Another spelling is refused: no padding, too much, bits behind the end, other alphabets, blanks",
    arguments: ["Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Z===", "====", "Zm9v\n", " Zm9v", "Zm-_", "Zm=v", "é"]
  )
  func refused(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
