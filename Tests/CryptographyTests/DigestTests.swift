// Digests against the examples of the standards that define them.
import Cryptography
import Testing

struct DigestTests {
  @Test(
    "SHA-1 gives the digests of RFC 3174 §7.3",
    arguments: [
      ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
      ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
      ),
    ]
  )
  func sha1(text: String, digest: String) {
    #expect(Hexadecimal.encode(Digest.sha1(Array(text.utf8))) == digest)
  }

  @Test(
    "SHA-256 gives the digests of RFC 6234 §8.5",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ]
  )
  func sha256(text: String, digest: String) {
    #expect(Hexadecimal.encode(Digest.sha256(Array(text.utf8))) == digest)
  }

  @Test("A million bytes are digested as one message")
  func millionBytes() {
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(Hexadecimal.encode(Digest.sha1(bytes)) == "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
    #expect(
      Hexadecimal.encode(Digest.sha256(bytes)) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    )
  }

  @Test("Pieces of any length have the digest of the whole", arguments: [1, 3, 64, 999, 10_000])
  func pieces(length: Int) {
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var stream = SHA256Stream()
    for start in stride(from: 0, to: bytes.count, by: length) {
      bytes[start..<min(start + length, bytes.count)].withUnsafeBytes { stream.add($0) }
    }
    #expect(stream.finish() == Digest.sha256(bytes))
    let empty = SHA256Stream()
    #expect(empty.finish() == Digest.sha256([]))
  }
}
