// The pictures of links that are kept, and whose places further ones take. Pure.
import Net
import Server
import Testing

@Suite("Kept pictures of links") struct KeptPicturesTests {
  private typealias Picture = KeptPictures.Picture

  private func network(_ text: String) throws -> SharingNetwork {
    SharingNetwork(try #require(IPAddress(text)), limitsLoopback: false)
  }

  private func picture(_ host: String, _ number: Int = 0) -> Picture {
    Picture(url: "HTTP://\(host)-\(number)/J/7K3F9QXA25", isPNG: number % 2 == 0)
  }

  @Test("A client that asks under invented hosts takes its own pictures' places alone")
  func inventedHosts() throws {
    var kept = KeptPictures()
    let honest = try (1...40).map { (picture("YARD", $0), try network("203.0.113.\($0)")) }
    for (picture, network) in honest { kept.keep([1], as: picture, for: network) }
    let attacker = try network("198.51.100.7")
    for number in 0..<5_000 { kept.keep([2], as: picture("EVIL", number), for: attacker) }
    for (picture, _) in honest { #expect(kept[picture] == [1]) }
    #expect(kept.count == 40 + KeptPictures.boundOfNetwork)
    // Its newest are there, and one of them that comes again takes no other place.
    #expect(kept[picture("EVIL", 4_999)] == [2] && kept[picture("EVIL", 4_935)] == nil)
    kept.keep([3], as: picture("EVIL", 4_999), for: attacker)
    #expect(kept.count == 40 + KeptPictures.boundOfNetwork && kept[picture("EVIL", 4_999)] == [2])
  }

  @Test("Where all places are taken, the network with the most pictures loses its oldest")
  func full() throws {
    var kept = KeptPictures()
    let honest = try network("203.0.113.1")
    kept.keep([1], as: picture("YARD"), for: honest)
    for address in 0..<100 {
      let attacker = try network("198.51.100.\(address)")
      for number in 0..<100 { kept.keep([2], as: picture("EVIL\(address)", number), for: attacker) }
    }
    #expect(kept.count == KeptPictures.bound && kept[picture("YARD")] == [1])
    // A newcomer still gets a place.
    kept.keep([3], as: picture("SCHOOL"), for: try network("203.0.113.2"))
    #expect(kept.count == KeptPictures.bound && kept[picture("SCHOOL")] == [3] && kept[picture("YARD")] == [1])
  }

  @Test("Addresses of one IPv6 subscriber share places; the loopback has all that are free")
  func networks() throws {
    var kept = KeptPictures()
    for number in 0..<1_000 {
      kept.keep([1], as: picture("SIX", number), for: try network("2001:db8::\(String(number + 1, radix: 16))"))
    }
    #expect(kept.count == KeptPictures.boundOfNetwork)
    for number in 0..<2_000 { kept.keep([2], as: picture("TOOL", number), for: try network("127.0.0.1")) }
    #expect(kept.count == KeptPictures.bound && kept[picture("TOOL", 1_999)] == [2])
    // A client in front of a proxy that holds all places gets one of its own.
    kept.keep([3], as: picture("YARD"), for: try network("203.0.113.1"))
    #expect(kept[picture("YARD")] == [3] && kept.count == KeptPictures.bound)
    for number in 2_000..<4_000 { kept.keep([2], as: picture("TOOL", number), for: try network("127.0.0.1")) }
    #expect(kept[picture("YARD")] == [3])
  }
}
