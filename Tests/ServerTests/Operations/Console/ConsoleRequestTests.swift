// The requests of a console as bytes: what they mean, which status ends the feed, and seeded garbage that must not
// trap.
import Game
import SeededRandom
import Server
import Store
import Testing

@Suite struct ConsoleRequestTests {
  /// A request, or the status that closes the feed.
  private func read(_ text: String) -> Result<ConsoleRequest, ConsoleRequestFault> { read(Array(text.utf8)) }

  private func read(_ bytes: [UInt8]) -> Result<ConsoleRequest, ConsoleRequestFault> {
    Result { () throws(ConsoleRequestFault) in try ConsoleRequest(bytes) }
  }

  private func closeCode(_ text: String) -> UInt16? {
    if case .failure(let fault) = read(text) { fault.closeCode } else { nil }
  }

  private static let digits = String(repeating: "0a", count: 16)

  @Test("Each request is decoded correctly")
  func meanings() throws {
    let player = try #require(PlayerID(Self.digits))
    let room = try #require(RoomID(Self.digits))
    let who = "\"player\":\"\(Self.digits)\""
    let forAMinute = "{\"id\":1,\"act\":\"mute\",\(who),\"minutes\":1}"
    #expect(read("{\"watch\":\"overview\"}") == .success(.watch(.overview)))
    #expect(read(" {\"watch\":\"room\",\"room\":\"\(Self.digits)\"}\n") == .success(.watch(.room(room))))
    #expect(read("{\"watch\":\"audit\"}") == .success(.watch(.audit(before: nil))))
    #expect(read("{\"watch\":\"audit\",\"before\":7}") == .success(.watch(.audit(before: 7))))
    #expect(read("{\"watch\":\"schools\"}") == .success(.watch(.schools(50))))
    #expect(read("{\"watch\":\"schools\",\"limit\":200}") == .success(.watch(.schools(200))))
    #expect(read("{\"watch\":\"places\"}") == .success(.watch(.places(try Self.map(-900, -1_800, 900, 1_800)))))
    #expect(read(Self.places(-1, 179, 1, -179)) == .success(.watch(.places(try Self.map(-1, 179, 1, -179)))))
    #expect(read("{\"id\":1,\"act\":\"drain\"}") == .success(.act(1, .drain)))
    #expect(read("{\"id\":2147483647,\"act\":\"kick\",\(who)}") == .success(.act(.max, .kick(player))))
    #expect(read("{\"id\":1,\"act\":\"ban\",\(who)}") == .success(.act(1, .ban(player, for: nil, reason: ""))))
    #expect(read(forAMinute) == .success(.act(1, .mute(player, for: .seconds(60), reason: ""))))
    #expect(read("{\"act\":\"announce\",\"text\":\"\",\"id\":1}") == .success(.act(1, .announce("", in: nil))))
    #expect(read("{\"id\":1,\"act\":\"closeSeason\",\"season\":2}") == .success(.act(1, .closeSeason(2))))
    #expect(read("{\"id\":9,\"query\":\"games\",\"room\":\"\(Self.digits)\"}") == .success(.games(9, room)))
  }

  @Test("Unknown and empty members are ignored, and words may be in any case")
  func leniency() {
    let newer = "{\"watch\":\"rooms\",\"colour\":{\"red\":[1,[]]},\"mode\":null,\"phase\":\"\",\"sort\":\"CODE\"}"
    #expect(read(newer) == read("{\"watch\":\"rooms\"}"))
    #expect(read("{\"watch\":\"rooms\",\"mode\":\"LAND\"}") == read("{\"watch\":\"rooms\",\"mode\":\"land\"}"))
    #expect(read("{\"watch\":\"rooms\",\"mode\":\"land\"}") != read("{\"watch\":\"rooms\"}"))
  }

  /// A map with these sides, in degrees.
  private static func map(_ south: Int32, _ west: Int32, _ north: Int32, _ east: Int32) throws -> MapBox {
    let unit: Int32 = 1_000_000
    return try #require(
      MapBox(southE7: south * unit, westE7: west * unit, northE7: north * unit, eastE7: east * unit)
    )
  }

  private static func places(_ south: Int, _ west: Int, _ north: Int, _ east: Int) -> String {
    let sides = [("south", south), ("west", west), ("north", north), ("east", east)]
    return "{\"watch\":\"places\"\(sides.map { ",\"\($0.0)E7\":\($0.1 * 1_000_000)" }.joined())}"
  }

  @Test("A map that is no box on Earth, or has some of its sides, closes the feed")
  func maps() {
    for (south, west, north, east) in [
      (1, 0, -1, 0), (-901, 0, 0, 0), (0, 0, 901, 0), (0, -1_801, 0, 0), (0, 0, 0, 1_801),
    ] {
      #expect(closeCode(Self.places(south, west, north, east)) == 1008)
    }
    #expect(closeCode(Self.places(0, 0, 0, 2_148)) == 1008, "more than 32 bits")
    #expect(closeCode("{\"watch\":\"places\",\"southE7\":0,\"westE7\":0,\"northE7\":1}") == 1008)
    #expect(closeCode("{\"watch\":\"places\",\"southE7\":\"x\"}") == 1008)
  }

  @Test("An invalid act is answered under its number, with a text")
  func faults() {
    func why(_ members: String) -> String? {
      if case .success(.unanswerable(3, let why)) = read("{\"id\":3,\(members)}") { why } else { nil }
    }
    let who = "\"player\":\"\(Self.digits)\""
    #expect(why("\"act\":\"explode\"") == "act: nothing that can be done")
    #expect(why("\"act\":\"kick\"") == "player: 32 hexadecimal digits")
    #expect(why("\"act\":\"closeRoom\",\"room\":\"x\"") == "room: 32 hexadecimal digits")
    #expect(why("\"act\":\"announce\"") == "text: missing")
    #expect(why("\"act\":\"ban\",\(who),\"minutes\":0") == "minutes: a whole number, 1 to 5256000")
    #expect(why("\"act\":\"ban\",\(who),\"minutes\":0.5") == "a number is malformed")
    #expect(why("\"act\":\"ban\",\(who),\"minutes\":1e12") == "a number does not fit its field")
    #expect(why("\"act\":\"closeSeason\"") == "season: a whole number from 1")
    #expect(
      why("\"query\":\"all\"")
        == "query: games, network, players, player, schools, minutes, previewFences, previewLands"
    )
  }

  @Test("A request that is nested too deep, or not an object, is refused")
  func forms() {
    func nested(_ depth: Int) -> String {
      "{\"a\":\(String(repeating: "{\"a\":", count: depth))1\(String(repeating: "}", count: depth)),\"watch\":\"overview\"}"
    }
    #expect(closeCode(nested(7)) == nil && closeCode(nested(8)) == 1008)
    #expect(closeCode(String(repeating: "{\"a\":", count: 1_500)) == 1007)
    #expect(closeCode(String(repeating: "[", count: 8_192)) == 1007)
    #expect(closeCode("[{\"watch\":\"overview\"}]") == 1008 && closeCode("\"overview\"") == 1008)
    #expect(read([UInt8]("{\"watch\":\"".utf8) + [0xFF] + [UInt8]("\"}".utf8)) != .success(.watch(.overview)))
  }

  @Test("Seeded garbage is decoded to a request or a status of the feed")
  func garbage() {
    let names = [
      "watch", "id", "act", "query", "room", "player", "minutes", "limit", "before", "season", "a", "\\u0061",
    ]
    let values = [
      "\"rooms\"", "\"audit\"", "\"ban\"", "\"\(Self.digits)\"", "\"\\ud83d\\ude00\"", "\"\\ud800\"", "\"\\x\"",
      "\"1\"",
      "null", "true", "tru", "0", "1", "-1", "01", "0.5", "1e9", "1e400", "99999999999999999999", "{}", "[]", "[[1],{",
    ]
    let others = ["{", "}", "[", "]", ",", ":", "\"", "\\", " ", "\u{0}", "é"].map { Array($0.utf8) }
    var random = SplitMix64(seed: 20_261_123)
    var (requests, closed) = (0, Set<UInt16>())
    for _ in 0..<20_000 {
      let begun = ["\"watch\":\"rooms\"", "\"watch\":\"audit\"", "\"id\":1,\"act\":\"ban\"", "\"a\":[{}]"]
      let rest = (0..<random.draw(0...3)).map { _ in "\"\(random.pick(names))\":\(random.pick(values))" }
      let members = [random.pick(begun)] + rest
      var bytes = Array("{\(members.joined(separator: ","))}".utf8)
      while random.chance(30) {
        let at = random.draw(0...bytes.count - 1)
        bytes.replaceSubrange(at...at, with: random.chance(20) ? [UInt8(random.draw(0...255))] : random.pick(others))
      }
      switch read(bytes) {
      case .success: requests += 1
      case .failure(let fault): closed.insert(fault.closeCode)
      }
    }
    #expect(requests > 2_000 && closed == [1007, 1008], "\(requests)")
  }
}
