// The origins whose pages may connect: a table of lists, origins and hosts; and refused lists.
import Testing
import WebSocket

struct OriginPolicyTests {
  private static let listed = "https://play.example, http://localhost:3000,HTTPS://Other.Example:443 , capacitor://app"

  /// A list of origins (nil: none given), the values of Origin, the value of Host, and whether the request may go on.
  private static let rows: [(list: String?, origins: [String], host: String?, isAllowed: Bool)] = [
    (nil, [], "a.example", true), (listed, [], "a.example", true), ("*", [], "a.example", true), (nil, [], nil, true),
    // The same host, in any case, with the port of the page's scheme named or not.
    (nil, ["http://a.example"], "a.example", true), (nil, ["https://a.example"], "a.example", true),
    (nil, ["HTTPS://A.Example"], "a.eXample", true), (nil, ["http://a.example:80"], "a.example", true),
    (nil, ["https://a.example"], "a.example:443", true), (nil, ["http://a.example"], "a.example:80", true),
    (nil, ["http://a.example:8080"], "a.example:8080", true), (nil, ["http://[::1]:8080"], "[::1]:8080", true),
    (nil, ["https://[::1]"], "[::1]", true), (nil, ["http://127.0.0.1:8080"], "127.0.0.1:8080", true),
    // Another host or port.
    (nil, ["http://b.example"], "a.example", false), (nil, ["http://a.example.b"], "a.example", false),
    (nil, ["http://xa.example"], "a.example", false), (nil, ["http://a.example:8080"], "a.example", false),
    (nil, ["http://a.example"], "a.example:8080", false), (nil, ["http://a.example"], "a.example:443", false),
    (nil, ["https://a.example:80"], "a.example", false), (nil, ["http://[::1]"], "[::2]", false),
    (nil, ["http://a.example"], nil, false), (nil, ["http://a.example"], "", false),
    (nil, ["http://a"], "a:", false), (nil, ["http://a"], "a:x", false), (nil, ["ftp://a.example"], "a.example", false),
    (nil, ["ws://a.example"], "a.example", false),
    // The list, beside the server's own host.
    (listed, ["https://play.example"], "a.example", true), (listed, ["https://PLAY.example:443"], "a.example", true),
    (listed, ["http://play.example"], "a.example", false), (listed, ["https://play.example:8443"], "a.example", false),
    (listed, ["http://localhost:3000"], "a.example", true), (listed, ["http://localhost"], "a.example", false),
    (listed, ["https://other.example"], "a.example", true), (listed, ["capacitor://app"], "a.example", true),
    (listed, ["http://a.example"], "a.example", true), (listed, ["https://play.example"], nil, true),
    // All origins.
    ("*", ["http://b.example"], "a.example", true), (" * ", ["null"], "a.example", true),
    // No origins, or more than one.
    (nil, ["null"], "a.example", false), (listed, ["null"], "a.example", false), (nil, ["null"], "null", false),
    (nil, ["http://a.example", "http://a.example"], "a.example", false),
    ("*", ["http://a.example", "http://b.example"], "a.example", false),
    (nil, ["http://a.example http://a.example"], "a.example", false), (nil, [""], "a.example", false),
    ("*", [""], "a.example", false), ("*", ["x"], "a.example", false), ("*", ["NULL"], "a.example", false),
    (nil, ["a.example"], "a.example", false), (nil, ["//a.example"], "a.example", false),
    (nil, ["http:/a.example"], "a.example", false), (nil, ["http://a.example/"], "a.example", false),
    (nil, ["http://a.example/x"], "a.example", false), (nil, ["http://u@a.example"], "a.example", false),
    (nil, ["http://a.example?"], "a.example", false), (nil, ["http://a.example:"], "a.example", false),
    (nil, ["http://a.example:+80"], "a.example", false), (nil, ["http://a.example:65616"], "a.example", false),
    (nil, ["http://"], "", false), (nil, ["http://:80"], ":80", false),
    (nil, ["1http://a.example"], "a.example", false),
    (nil, ["http://[::1"], "[::1", false), (nil, ["http://[]"], "[]", false), (nil, ["http://[::1]x"], "[::1]x", false),
    (nil, ["http://마당"], "a.example", false),
  ]

  @Test("Each origin is accepted or refused", arguments: rows.indices)
  func table(index: Int) throws {
    let row = Self.rows[index]
    let policy = try row.list.map { try OriginPolicy(list: $0) } ?? OriginPolicy()
    let hosts = row.host.map { ["Host: \($0)"] } ?? []
    let lines = ["GET / HTTP/1.\(hosts.count)"] + hosts + row.origins.map { "oRigin: \($0)" } + ["", ""]
    let head = try parsed(Array(lines.joined(separator: "\r\n").utf8))
    #expect(policy.allows(head) == row.isAllowed, "\(row)")
  }

  /// The values of Origin and Host for pinned hosts: only one origin of the list counts as the host's own.
  private static let pinnedRows: [(origin: String, host: String, isAllowed: Bool)] = [
    ("https://ops.example", "ops.example", true), ("https://OPS.example:443", "ops.example", true),
    ("https://ops.example", "ops.example:443", true), ("http://ops.example", "ops.example", false),
    ("http://ops.example:443", "ops.example:443", false), ("http://ops.example:8443", "ops.example:8443", false),
    ("https://ops.example:8443", "ops.example:8443", false), ("http://Ops.example", "OPS.example", false),
    ("https://ops.example", "localhost", true), ("http://localhost:9100", "localhost:9100", true),
    ("http://plain.example", "plain.example", true), ("https://plain.example", "plain.example", true),
    ("http://other.example:8443", "other.example:8443", false),
    ("https://other.example:8443", "other.example:8443", true),
  ]

  @Test("With pinsHTTPS the own pages of a host listed with https are those of that origin alone")
  func pinned() throws {
    let list = "https://ops.example,http://plain.example,https://other.example:8443"
    let policies = (try OriginPolicy(list: list, pinsHTTPS: true), try OriginPolicy(list: list))
    for row in Self.pinnedRows {
      let head = try parsed(Array("GET / HTTP/1.1\r\nHost: \(row.host)\r\nOrigin: \(row.origin)\r\n\r\n".utf8))
      #expect(policies.0.allows(head) == row.isAllowed, "\(row)")
      #expect(policies.1.allows(head), "\(row)")
    }
  }

  @Test(
    "An invalid list is refused, and the message names the error",
    arguments: [
      ("", "\"\""), ("https://a,", "\"\""), (",https://a", "\"\""), ("https://a,,https://b", "\"\""),
      ("a.example", "a.example"), ("https://a/", "https://a/"), ("https://a, https://b/x", "https://b/x"),
      ("null", "null"), ("https://a https://b", "https://a https://b"), ("https://u@a", "https://u@a"),
      ("https://a:x", "https://a:x"), ("https://a:", "https://a:"), ("https://*.a", "https://*.a"),
      ("https://마당.example", "마당"), ("*, https://a", "stands alone"), ("https://a,*", "stands alone"),
      ("*,*", "stands alone"),
    ]
  )
  func lists(text: String, mentioned: String) {
    let fault = #expect(throws: OriginListFault.self) { try OriginPolicy(list: text) }
    #expect(fault?.description.contains(mentioned) == true)
  }
}
