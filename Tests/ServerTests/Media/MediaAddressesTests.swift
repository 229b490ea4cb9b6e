// Addresses of pictures, and the ranges that are asked for.
import Game
import Server
import Store
import Testing
import WebSocket

@Suite struct MediaAddressesTests {
  private let addresses = MediaAddresses(key: Array(repeating: 5, count: 32))
  private let now = Instant(milliseconds: 1_790_000_123_456)

  private func read(_ path: String) -> MediaAddresses.Address? {
    let parts = path.split(separator: "?", maxSplits: 1)
    let components = parts[0].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    return addresses.address(components.dropFirst(2), query: parts.count == 2 ? String(parts[1]) : nil)
  }

  @Test("An address is read as it was given out, and good for one to two hours; all of an hour are the same")
  func roundTrip() throws {
    let expiry = addresses.expiry(at: now)
    #expect(expiry - now > .seconds(3_600) && expiry - now <= .seconds(7_200))
    #expect(addresses.expiry(at: Instant(milliseconds: expiry.milliseconds - 7_200_000)) == expiry)
    for size in MediaSize.allCases {
      let address = try #require(read(addresses.path(of: MediaID(77), size, until: expiry)))
      #expect(address.media == MediaID(77) && address.size == size)
      #expect(address.expiresS * 1_000 == expiry.milliseconds)
    }
  }

  @Test("A changed address is none, wherever it is changed")
  func forged() {
    let path = addresses.path(of: MediaID(77), .phone, until: addresses.expiry(at: now))
    #expect(read(path) != nil)
    let bytes = Array(path.utf8)
    for index in 10..<bytes.count {
      var changed = bytes
      changed[index] = bytes[index] == UInt8(ascii: "1") ? UInt8(ascii: "2") : UInt8(ascii: "1")
      #expect(read(String(decoding: changed, as: UTF8.self)) == nil, "\(index)")
    }
    for other in [
      path + "&x=1", path + "/", String(path.dropLast()), path.replacing("?", with: "?x=1&"), "/v1/media/../x",
    ] {
      #expect(read(other) == nil, "\(other)")
    }
    let key = MediaAddresses(key: Array(repeating: 6, count: 32))
    #expect(read(key.path(of: MediaID(77), .phone, until: addresses.expiry(at: now))) == nil)
  }

  private func range(_ fields: String..., byteCount: Int = 100) throws -> ByteRange {
    let lines = ["GET / HTTP/1.1", "Host: a"] + fields
    var parser = RequestHeadParser()
    let parsed = try Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8).withUnsafeBytes { try parser.parse($0) }
    return ByteRange(try #require(parsed).head, byteCount: byteCount, tag: "\"t\"")
  }

  @Test("One range is served where it lies in the picture; others are no ranges")
  func ranges() throws {
    #expect(try range() == .whole)
    #expect(try range("Range: bytes=0-0") == .part(0..<1))
    #expect(try range("Range: Bytes=10-19") == .part(10..<20))
    #expect(try range("Range: bytes=90-") == .part(90..<100))
    #expect(try range("Range: bytes=90-1000") == .part(90..<100))
    #expect(try range("Range: bytes=-10") == .part(90..<100))
    #expect(try range("Range: bytes=-1000") == .part(0..<100))
    #expect(try range("Range: bytes=100-") == .outside)
    #expect(try range("Range: bytes=-0") == .outside)
    for value in ["bytes=-", "bytes=5-4", "bytes=1-2,4-5", "bytes= 1-2", "bytes=1-2-3", "bytes=a-", "items=1-2", "1-2"]
    {
      #expect(try range("Range: \(value)") == .whole, "\(value)")
    }
    #expect(try range("Range: bytes=1-2", "Range: bytes=1-2") == .whole)
    #expect(try range("Range: bytes=1-2", "If-Range: \"t\"") == .part(1..<3))
    #expect(try range("Range: bytes=1-2", "If-Range: \"u\"") == .whole)
    #expect(try range("Range: bytes=1-2", "If-Range: W/\"t\"") == .whole)
  }
}
