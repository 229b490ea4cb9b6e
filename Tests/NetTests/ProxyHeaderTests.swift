// The PROXY protocol's two forms: their fields in any pieces, and refused headers.
import Net
import Testing

@Suite struct ProxyHeaderTests {
  @Test(
    "A line names the client",
    arguments: [
      ("PROXY TCP4 192.0.2.1 198.51.100.7 50000 80", "192.0.2.1:50000"),
      ("PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535", "255.255.255.255:65535"),
      ("PROXY TCP4 192.0.2.1 198.51.100.7 0 0", "192.0.2.1:0"),
      ("PROXY TCP6 2001:db8::1 2001:db8::2 50000 443", "[2001:db8::1]:50000"),
      ("PROXY TCP6 ::ffff:192.0.2.1 ::1 50000 443", "192.0.2.1:50000"),
      (
        "PROXY TCP6 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535",
        "[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535"
      ),
    ]
  )
  func lines(line: String, source: String) throws {
    let header = try #require(try ParsedProxyHeader.everyWay(Array("\(line)\r\n".utf8)).get())
    #expect(header.source?.description == source)
  }

  @Test(
    "In a line with an unknown client the rest is ignored",
    arguments: ["PROXY UNKNOWN", "PROXY UNKNOWN ", "PROXY UNKNOWN a b c d e f g", "PROXY UNKNOWN \u{0}\r\u{FF}"]
  )
  func unknownLines(line: String) throws {
    let header = try #require(try ParsedProxyHeader.everyWay(Array("\(line)\r\n".utf8)).get())
    #expect(header.source == nil)
  }

  @Test("A line has at most 107 bytes")
  func lineLength() throws {
    func line(_ byteCount: Int) -> [UInt8] {
      "PROXY UNKNOWN ".utf8 + [UInt8](repeating: UInt8(ascii: "x"), count: byteCount - 16) + "\r\n".utf8
    }
    #expect(try ParsedProxyHeader.everyWay(line(107)).get()?.byteCount == 107)
    #expect(ParsedProxyHeader.everyWay(line(108)) == .failure(.lineTooLong))
    #expect(
      ParsedProxyHeader.everyWay(Array("PROXY UNKNOWN".utf8) + [UInt8](repeating: 32, count: 500))
        == .failure(.lineTooLong)
    )
  }

  @Test(
    "A malformed line is refused",
    arguments: [
      "PROXY ", "PROXY  TCP4 192.0.2.1 198.51.100.7 50000 80", "PROXY TCP4  192.0.2.1 198.51.100.7 50000 80",
      "PROXY TCP4", "PROXY TCP4 192.0.2.1", "PROXY TCP4 192.0.2.1 198.51.100.7 50000",
      "PROXY TCP4 192.0.2.1 198.51.100.7 50000 80 ", "PROXY TCP4 192.0.2.1 198.51.100.7 50000 80 9",
      "PROXY TCP4 192.0.2.1 198.51.100.7 65536 80", "PROXY TCP4 192.0.2.1 198.51.100.7 50000 65536",
      "PROXY TCP4 192.0.2.1 198.51.100.7 050000 80", "PROXY TCP4 192.0.2.1 198.51.100.7 -1 80",
      "PROXY TCP4 192.0.2.1 198.51.100.7 +1 80", "PROXY TCP4 192.0.2.1 198.51.100.7 x 80",
      "PROXY TCP4 192.0.2.1 198.51.100.7 50000 ", "PROXY TCP4 192.0.2.01 198.51.100.7 50000 80",
      "PROXY TCP4 192.0.2.1 nowhere 50000 80", "PROXY TCP4 nowhere 198.51.100.7 50000 80",
      "PROXY TCP4 2001:db8::1 2001:db8::2 50000 80", "PROXY TCP4 ::ffff:192.0.2.1 ::1 50000 80",
      "PROXY TCP6 192.0.2.1 198.51.100.7 50000 80", "PROXY TCP6 [2001:db8::1] [2001:db8::2] 50000 80",
      "PROXY TCP4 192.0.2.1\u{0} 198.51.100.7 50000 80", "PROXY TCP4 192.0.2.1 198.51.100.7 50000 80\r",
      "PROXY TCP4 192.0.2.1\t198.51.100.7 50000 80", "PROXY TCP4 192.0.2.1 198.51.100.7 50000 80\nX",
      "PROXY tcp4 192.0.2.1 198.51.100.7 50000 80", "PROXY UDP4 192.0.2.1 198.51.100.7 50000 80",
      "PROXY unknown", "PROXY UNKNOWNS", "PROXY TCP5 192.0.2.1 198.51.100.7 50000 80",
    ]
  )
  func badLines(line: String) {
    #expect(ParsedProxyHeader.everyWay(Array("\(line)\r\n".utf8)) == .failure(.line))
  }

  @Test(
    "Other beginnings are refused at their first wrong byte",
    arguments: [
      ("GET / HTTP/1.1\r\n", 1), ("POST / HTTP/1.1\r\n", 2), ("PRI * HTTP/2.0\r\n", 3), ("PROXY\tTCP4", 6),
      ("proxy ", 1),
      ("\u{16}\u{3}\u{1}", 1), ("\r\n\r\nX", 5), ("\r\nGET", 3), ("\r\n\r\n\u{0}\r\nQUIT\r", 12), ("\0", 1), ("\n", 1),
    ]
  )
  func otherBeginnings(text: String, wrongAfterBytes: Int) {
    let bytes = Array(text.utf8)
    #expect(ParsedProxyHeader.everyWay(bytes) == .failure(.signature))
    #expect(ParsedProxyHeader.of(bytes[..<(wrongAfterBytes - 1)]) == .success(nil))
    #expect(ParsedProxyHeader.of(bytes[..<wrongAfterBytes]) == .failure(.signature))
  }
}
