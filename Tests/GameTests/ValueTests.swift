// The small values of the rules: moments, identifiers, settings, nicknames.
import Game
import Testing

@Suite("Values")
struct ValueTests {
  @Test("Moments and durations add up in whole milliseconds")
  func instants() {
    let instant = Instant(milliseconds: 1_000)
    #expect(instant + .seconds(2) == Instant(milliseconds: 3_000))
    #expect(instant - .milliseconds(1_500) == Instant(milliseconds: -500))
    #expect(instant + .microseconds(1_999) == Instant(milliseconds: 1_001))
    #expect(Instant(milliseconds: 3_500) - instant == .milliseconds(2_500))
    #expect(instant < instant + .milliseconds(1))
  }

  @Test("A player is written as 32 lower-case hexadecimal digits, and no other form is read")
  func playerIDs() {
    let id = PlayerID(0xAB)
    #expect(id.description == "000000000000000000000000000000ab")
    #expect(PlayerID(.max).description == String(repeating: "f", count: 32))
    #expect(PlayerID(id.description) == id)
    #expect(PlayerID(PlayerID(.max).description) == PlayerID(.max))
    for text in ["", "ab", id.description + "0", id.description.uppercased(), "-" + id.description.dropFirst()] {
      #expect(PlayerID(text) == nil, "\(text)")
    }
    #expect(PlayerID(1) < PlayerID(2))
  }

  @Test("A room is written like a player, a game as its room and its number from 1, each in a single form")
  func gameIDs() {
    let room = RoomID(0xAB)
    #expect(room.description == "000000000000000000000000000000ab")
    #expect(RoomID(room.description) == room)
    #expect(RoomID("AB") == nil)
    let game = GameID(room: room, number: 17)
    #expect(game.description == "\(room)-17")
    #expect(GameID(game.description) == game)
    #expect(GameID("\(room)-\(UInt32.max)")?.number == .max)
    for number in ["", "0", "017", "+17", "-17", "17-", "4294967296", "x"] {
      #expect(GameID("\(room)-\(number)") == nil, "\(number)")
    }
    #expect(GameID("\(room)") == nil)
    #expect(GameID("ab-1") == nil)
  }

  @Test("A room's settings have their defaults")
  func defaults() throws {
    let configuration = try RoomConfiguration()
    #expect(configuration.mode == .footprint)
    #expect(configuration.capacity == 4)
    #expect(configuration.duration == .seconds(60))
    #expect(configuration.tickHz == 2)
    #expect(configuration.tickInterval == .milliseconds(500))
    #expect(!configuration.hostOnly)
    #expect(!configuration.accountsOnly && !configuration.consent)
    #expect(!configuration.solo)
    #expect(configuration.spectators)
    #expect(configuration.speedMaxMmPerS == 12_500)
    #expect(configuration.spectatorsMax == 4)
    #expect(try RoomConfiguration(capacity: 30).spectatorsMax == 30)
    #expect(try RoomConfiguration(spectators: false).spectatorsMax == 0)
  }

  @Test("A solo room has one seat and no spectators")
  func solo() throws {
    let configuration = try RoomConfiguration(solo: true, spectators: true)
    #expect(configuration.capacity == 1)
    #expect(configuration.spectatorsMax == 0)
    #expect(try !RoomConfiguration(consent: true, solo: true).consent)
    #expect(throws: SettingOutOfRange(field: "capacity", range: 1...1)) {
      try RoomConfiguration(capacity: 2, solo: true)
    }
  }

  @Test("The bounds of each setting are accepted, and a refusal names the setting out of range")
  func ranges() throws {
    typealias OutOfRange = SettingOutOfRange
    for capacity in [2, 200] { #expect(try RoomConfiguration(capacity: capacity).capacity == capacity) }
    for capacity in [1, 201, -1] {
      #expect(throws: OutOfRange(field: "capacity", range: 2...200)) { try RoomConfiguration(capacity: capacity) }
    }
    for seconds in [10, 7_200] {
      #expect(try RoomConfiguration(duration: .seconds(seconds)).duration == .seconds(seconds))
    }
    for duration in [Duration.milliseconds(9_999), .seconds(7_201), .seconds(Int64(UInt32.max))] {
      #expect(throws: OutOfRange(field: "durationS", range: 10...7_200)) { try RoomConfiguration(duration: duration) }
    }
    for (hertz, intervalMs) in [1: 1_000, 3: 333, 20: 50] {
      #expect(try RoomConfiguration(tickHz: hertz).tickInterval == .milliseconds(intervalMs))
    }
    for hertz in [0, 21] {
      #expect(throws: OutOfRange(field: "tickHz", range: 1...20)) { try RoomConfiguration(tickHz: hertz) }
    }
    for speed in [500, 100_000] { #expect(try RoomConfiguration(speedMaxMmPerS: speed).speedMaxMmPerS == speed) }
    for speed in [499, 100_001] {
      #expect(throws: OutOfRange(field: "speedMaxMmS", range: 500...100_000)) {
        try RoomConfiguration(speedMaxMmPerS: speed)
      }
    }
  }

  @Test("A nickname has 1 to 20 characters, however many bytes each takes")
  func nicknames() throws {
    #expect(try Nickname("가람").text == "가람")
    #expect(try Nickname(String(repeating: "👩‍👩‍👧", count: 17)).text.count == 17)
    #expect(try Nickname(String(repeating: "가", count: 20)).text.count == 20)
    #expect(throws: TextFault.tooLong(charactersMax: 20)) { try Nickname(String(repeating: "가", count: 21)) }
    #expect(throws: TextFault.tooLong(charactersMax: 20)) {
      try Nickname("e" + String(repeating: "\u{301}", count: 160))
    }
    #expect(throws: TextFault.empty) { try Nickname("") }
    #expect(throws: TextFault.onlyWhiteSpace) { try Nickname(" \u{3000} ") }
    #expect(throws: TextFault.controlCharacter) { try Nickname("가\n람") }
  }

  @Test(
    "A nickname is the same byte by byte, however its letters are composed",
    arguments: [
      ("\u{C9C0}\u{BBFC}", "\u{110C}\u{1175}\u{1106}\u{1175}\u{11AB}"), ("\u{E9}t\u{E9}", "e\u{301}te\u{301}"),
      ("\u{1EBF}", "e\u{302}\u{301}"), ("\u{C5}", "\u{212B}"), ("\u{915}\u{93C}", "\u{958}"),
      ("q\u{323}\u{307}", "q\u{307}\u{323}"),
    ]
  )
  func normalForm(normal: String, other: String) throws {
    try #require(Array(normal.utf8) != Array(other.utf8))
    #expect(Array(try Nickname(normal).text.utf8) == Array(normal.utf8))
    #expect(Array(try Nickname(other).text.utf8) == Array(normal.utf8))
    #expect(try Nickname("Jimin") != Nickname("jimin"))
  }

  @Test("Any text is brought into normal form C, as the standard library does")
  func everyNormalForm() throws {
    for value in UInt32(0xA0)...0x2FFFF {
      guard let scalar = Unicode.Scalar(value), let nickname = try? Nickname("a\(scalar)") else { continue }
      var bytes = nickname.text.utf8Span
      guard bytes.checkForNFC(quickCheck: false) else {
        Issue.record("U+\(String(value, radix: 16)) became \(nickname.text.unicodeScalars.map(\.value))")
        continue
      }
    }
  }

  @Test("A nickname that is longer in its normal form has the same bound")
  func growingNickname() throws {
    #expect(try Nickname("e" + String(repeating: "\u{344}", count: 50)).text.utf8.count == 200)
    #expect(throws: TextFault.tooLong(charactersMax: 20)) {
      try Nickname("e" + String(repeating: "\u{344}", count: 100))
    }
  }

  @Test("A nickname loses the white space at its ends and keeps that inside")
  func trimming() throws {
    #expect(try Nickname("  가 람\u{3000}").text == "가 람")
    #expect(try Nickname("가").text == "가")
  }
}
