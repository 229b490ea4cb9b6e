// URLs that are sent to, and texts that are none.
import HTTPClient
import Testing

@Suite("URLs to send to")
struct HTTPURLTests {
  @Test(
    "A URL is kept as it is, but for a slash behind the host and the spelling of scheme and numbers",
    arguments: [
      ("https://example.org", "https://example.org/", "example.org", true),
      ("http://example.org:8080/a/b?c=d&e=%20f", "http://example.org:8080/a/b?c=d&e=%20f", "example.org", false),
      ("HTTPS://example.org/A", "https://example.org/A", "example.org", true),
      ("https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/", "xn--bcher-kva.example", true),
      ("https://example.org?@=1", "https://example.org/?@=1", "example.org", true),
      ("http://[2001:db8::1]:81/", "http://[2001:db8::1]:81/", "[2001:db8::1]", false),
      ("http://2130706433/", "http://127.0.0.1/", "127.0.0.1", false),
      ("http://0x7f.1/", "http://127.0.0.1/", "127.0.0.1", false),
      ("http://0177.0.0.01/", "http://127.0.0.1/", "127.0.0.1", false),
    ]
  )
  func accepted(text: String, kept: String, host: String, isSecure: Bool) throws {
    let url = try HTTPURL(text)
    #expect(url.text == kept)
    #expect(url.host == host)
    #expect(url.isSecure == isSecure)
    #expect(try HTTPURL(kept) == url)
  }

  @Test(
    "A text that is no such URL is refused with its reason",
    arguments: [
      ("", .scheme), ("example.org", .scheme), ("//example.org/", .scheme), ("ftp://example.org/", .scheme),
      ("file:///etc/passwd", .scheme), ("gopher://example.org/", .scheme), ("javascript:alert(1)", .scheme),
      ("http:example.org", .scheme), ("http:/example.org", .scheme), ("httpss://example.org", .scheme),
      ("https://", .noHost), ("https:///path", .noHost), ("https://?a", .noHost), ("https://:80/", .noHost),
      ("https://user@example.org/", .credentials), ("https://user:word@example.org/", .credentials),
      ("https://@example.org/", .credentials), ("https://:@example.org/", .credentials),
      ("https://example.org#part", .fragment), ("https://example.org/#", .fragment), ("https://#", .fragment),
      ("https://example.org:99999/", .malformed), ("https://example.org:http/", .malformed),
      ("https://[::1/", .malformed), ("https://[v1.a]/", .malformed), ("https://exa%0Ample.org/", .malformed),
      ("http://127%2e0.0.1/", .malformed), ("http://%31%32%37.0.0.1/", .malformed), ("http://%A0/", .malformed),
      ("http://[fe80::1%251]/", .malformed), ("http://example.org:%38/", .malformed),
      ("https://example.org/a b", .characters), ("https://example.org/\n", .characters),
      ("https://example.org/\u{0}", .characters), ("https://example.org/\u{7F}", .characters),
      (" https://example.org/", .characters), ("https://example.org\\@10.0.0.1/", .characters),
      ("https://bücher.example/", .characters), ("https://１２７.0.0.1/", .characters),
      ("https://example.org/\"", .characters), ("https://example.org/\r\nHost: other", .characters),
    ] as [(String, HTTPURLError)]
  )
  func refused(text: String, reason: HTTPURLError) {
    #expect(throws: reason) { try HTTPURL(text) }
  }

  @Test("A URL has at most 2,048 bytes")
  func length() throws {
    let longest = "https://example.org/" + String(repeating: "a", count: 2_048 - 20)
    #expect(try HTTPURL(longest).text == longest)
    #expect(throws: HTTPURLError.tooLong) { try HTTPURL(longest + "a") }
  }

  @Test("Arbitrary printable texts never trap, and a URL that is read is read again to the same")
  func arbitrary() {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "http://", "https://", "a", "1", ".", ":", "/", "?", "[", "]", "%", "%00", "@", "#", "-", "0x", "~", ",",
    ]
    for _ in 0..<20_000 {
      let text =
        "http://" + (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement() ?? "" }.joined()
      guard let url = try? HTTPURL(text) else { continue }
      #expect((try? HTTPURL(url.text)) == url, "\(text) -> \(url.text)")
    }
  }
}
