// The origin that a request's Host names, normalised; and fields that name none.
import Testing
import WebSocket

struct RequestedOriginTests {
  @Test(
    "A host is told in lower case, with its port unless it is the scheme's own",
    arguments: [
      ("http", "Play.Example", "http://play.example", "play.example"),
      ("http", "a.example:80", "http://a.example", "a.example"),
      ("https", "a.example:80", "https://a.example:80", "a.example"),
      ("https", "a.example:443", "https://a.example", "a.example"),
      ("http", "192.168.0.10:8080", "http://192.168.0.10:8080", "192.168.0.10"),
      ("http", "[2001:DB8::7]:8080", "http://[2001:db8::7]:8080", "2001:db8::7"),
      ("https", "[::1]", "https://[::1]", "::1"),
    ]
  )
  func hosts(scheme: String, field: String, text: String, host: String) throws {
    let origin = try #require(RequestedOrigin(scheme: scheme, hostField: field))
    #expect(origin.description == text && origin.host == host)
  }

  @Test(
    "What is no host with an optional port names none",
    arguments: ["", ":80", "a:", "a:x", "a:99999", "a b", "a/b", "user@a", "a?b", "[::1", "[]", "a\"b", "http://a"]
  )
  func others(field: String) {
    #expect(RequestedOrigin(scheme: "http", hostField: field) == nil)
  }
}
