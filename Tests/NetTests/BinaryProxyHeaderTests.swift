// Version 2 of the PROXY protocol, byte by byte as in section 2.2 of its specification.
import Net
import SeededRandom
import Testing

@Suite struct BinaryProxyHeaderTests {
  private static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]
  /// 192.0.2.1:50000 to 198.51.100.7:80.
  private static let v4Block: [UInt8] = [192, 0, 2, 1, 198, 51, 100, 7, 0xC3, 0x50, 0, 80]
  /// [2001:db8::1]:50000 to [2001:db8::2]:443.
  private static let v6Block: [UInt8] =
    [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]
    + [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [2]
    + [0xC3, 0x50, 0x01, 0xBB]

  /// A header as a proxy writes it; `length` lies about the block when given.
  private static func header(_ command: UInt8, _ family: UInt8, _ block: [UInt8] = [], length: UInt16? = nil) -> [UInt8]
  {
    let length = length ?? UInt16(block.count)
    return signature + [command, family, UInt8(length >> 8), UInt8(length & 0xFF)] + block
  }

  @Test("A header for TCP over IPv4 or IPv6 names the client")
  func addresses() throws {
    let v4 = try #require(try ParsedProxyHeader.everyWay(Self.header(0x21, 0x11, Self.v4Block)).get())
    #expect(v4.source?.description == "192.0.2.1:50000")
    #expect(v4.byteCount == 28)
    let v6 = try #require(try ParsedProxyHeader.everyWay(Self.header(0x21, 0x21, Self.v6Block)).get())
    #expect(v6.source?.description == "[2001:db8::1]:50000")
    #expect(v6.byteCount == 52)
  }

  @Test("Fields after the addresses are skipped, whatever they are, up to 536 bytes in total")
  func furtherFields() throws {
    for count in [1, 3, 100, 536 - 28] {
      let block = Self.v4Block + [UInt8](repeating: 0xEE, count: count)
      let header = try #require(try ParsedProxyHeader.everyWay(Self.header(0x21, 0x11, block)).get())
      #expect(header.source?.description == "192.0.2.1:50000")
      #expect(header.byteCount == 28 + count)
    }
    let block = Self.v4Block + [UInt8](repeating: 0xEE, count: 536 - 27)
    #expect(ParsedProxyHeader.everyWay(Self.header(0x21, 0x11, block)) == .failure(.tooLong))
    #expect(ParsedProxyHeader.everyWay(Self.header(0x20, 0x00, length: .max)) == .failure(.tooLong))
  }

  @Test("The LOCAL command names no client, whatever follows")
  func local() {
    for family in UInt8.min...UInt8.max {
      #expect(ParsedProxyHeader.everyWay(Self.header(0x20, family)).isWithoutSource(byteCount: 16))
    }
    #expect(ParsedProxyHeader.everyWay(Self.header(0x20, 0x11, Self.v4Block)).isWithoutSource(byteCount: 28))
  }

  @Test("Every other family and transport is skipped if the protocol knows it and refused if not")
  func families() {
    for family in UInt8.min...UInt8.max where family != 0x11 && family != 0x21 {
      let isKnown = family >> 4 <= 3 && family & 0xF <= 2
      let parsed = ParsedProxyHeader.everyWay(Self.header(0x21, family, Self.v4Block))
      #expect(isKnown ? parsed.isWithoutSource(byteCount: 28) : parsed == .failure(.family), "family \(family)")
    }
  }

  @Test("Every other version and command is refused")
  func versionsAndCommands() {
    for byte in UInt8.min...UInt8.max where byte != 0x20 && byte != 0x21 {
      let parsed = ParsedProxyHeader.everyWay(Self.header(byte, 0x11, Self.v4Block))
      #expect(parsed == .failure(byte >> 4 == 2 ? .command : .version), "byte \(byte)")
    }
  }

  @Test("A length that does not cover the addresses is refused")
  func shortLengths() {
    for length in 0..<12 as Range<UInt16> {
      #expect(
        ParsedProxyHeader.everyWay(Self.header(0x21, 0x11, Self.v4Block, length: length)) == .failure(.addressesMissing)
      )
    }
    for length in 0..<36 as Range<UInt16> {
      #expect(
        ParsedProxyHeader.everyWay(Self.header(0x21, 0x21, Self.v6Block, length: length)) == .failure(.addressesMissing)
      )
    }
  }

  @Test("A signature with one wrong byte is refused at that byte")
  func signatures() {
    for index in 1..<Self.signature.count {
      var bytes = Self.header(0x21, 0x11, Self.v4Block)
      bytes[index] ^= 0x20
      #expect(ParsedProxyHeader.of(bytes[..<index]) == .success(nil))
      #expect(ParsedProxyHeader.of(bytes[...index]) == .failure(.signature))
    }
  }

  @Test("Headers with random faults are read the same in every split and never trap")
  func randomFaults() {
    var generator = SplitMix64(seed: 2)
    let whole = [
      Self.header(0x21, 0x11, Self.v4Block), Self.header(0x21, 0x21, Self.v6Block),
      Array("PROXY TCP4 192.0.2.1 198.51.100.7 50000 80\r\n".utf8),
      Array("PROXY TCP6 2001:db8::1 2001:db8::2 50000 443\r\n".utf8),
    ]
    for _ in 0..<2_000 {
      var bytes = whole[Int.random(in: 0..<whole.count, using: &generator)]
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
      }
      _ = ParsedProxyHeader.everyWay(bytes)
    }
  }

  @Test("Every fault has a reason of its own")
  func reasons() {
    #expect(Set(ProxyHeaderFault.allCases.map(\.reason)).count == ProxyHeaderFault.allCases.count)
  }
}
