// Decoding: accepted messages, refused ones, and the texts of refusals.
import SeededRandom
import MadangProtocol
import Testing

@Suite("Messages")
struct MessageCodecTests {
  @Test("An unknown word of an enum is an error everywhere, never a silent default")
  func unknownMode() {
    let texts = [
      #"{"id":3,"createRoom":{"mode":"CHESS"}}"#,
      #"{"id":3,"createRoom":{"capacity":4,"mode":"CHESS"}}"#,
      #"{"id":3,"createRoom":{"landIds":["a"],"mode":"CHESS"}}"#,
      #"{"id":3,"createRoom":{"mode":"FOOTPRINT","mode":"CHESS"}}"#,
      #"{"id":3,"create_room":{"mode":"CHESS"}}"#,
      #"{"id":3,"createRoom":{"mode":"footprint"}}"#,
      #"{"id":3,"createRoom":{"mode":""}}"#,
      #"{"id":3,"createRoom":{"m\u006fde":"CHESS"}}"#,
      #"{"id":3, "x":{"createRoom":{}}, "createRoom" : { "y":"}", "mode" : "CHESS" } }"#,
      #"{"id":3,"searchSchools":{"query":"a","level":"LOW"}}"#,
      #"{"id":3,"searchSchools":{"level":"HIGH","level":"LOW"}}"#,
      #"{"id":3,"search_schools":{"level":"high"}}"#,
      #"{"id":3,"searchSchools":{"le\u0076el":"LOW"}}"#,
      #"{"id":3,"searchSchools":{"level":4294967297}}"#,
    ]
    for text in texts {
      let failure = #expect(throws: DecodingFailure.self) { try Subprotocol.json.decodeClient([UInt8](text.utf8)) }
      #expect(failure?.id == 3, "\(text)")
    }
  }

  @Test("A name may be written with escapes, of a body, of a field and of the id")
  func escapedNames() throws {
    func decoded(_ text: String) throws -> WireClientMessage { try Subprotocol.json.decodeClient([UInt8](text.utf8)) }
    let room = try decoded(#"{"\u0069d":3,"cre\u0061teRoom":{"\u006Dod\u0065":"\u004cAND","c\u0061pacity":7}}"#)
    #expect(room.id == 3 && room.createRoom.mode == .land && room.createRoom.capacity == 7)
    #expect(try decoded(#"{"create\u005froom":{"mode":"LAND"}}"#).createRoom.mode == .land)
    #expect(try decoded(#"{"createRoom":{"m\u006fde":"LAND","mode\u0020":"CHESS"}}"#).createRoom.mode == .land)
    #expect(try decoded(#"{"m\u006fve":{"lat\u00457":1,"lngE7":2}}"#).move.latE7 == 1)
    #expect(Subprotocol.json.move([UInt8](#"{"\u0069d":3,"move":{"latE7":1,"lngE7":2}}"#.utf8)) == nil)
    let failure = #expect(throws: DecodingFailure.self) { try decoded(#"{"\u0069\u0064":41,"chat":5}"#) }
    #expect(failure?.id == 41)
  }

  @Test("Minus zero is zero for every number, and no text changes")
  func minusZero() throws {
    func decoded(_ text: String) throws -> WireClientMessage { try Subprotocol.json.decodeClient([UInt8](text.utf8)) }
    for zero in ["-0", "-0.0", "-0e5", "-0.00E-7"] {
      let move = try decoded(#"{"id":\#(zero),"move":{"latE7":\#(zero),"lngE7": \#(zero)}}"#)
      #expect(move.hasID && move.id == 0 && move.move.hasLatE7 && move.move.latE7 == 0, "\(zero)")
      #expect(try decoded(#"{"moves":{"afterMs":[0,\#(zero), \#(zero)]}}"#).moves.afterMs == [0, 0, 0])
    }
    #expect(try decoded(#"{"move":{"latE7":-0.5e1,"lngE7":-5}}"#).move.latE7 == -5)
    #expect(try decoded(#"{"move":{"latE7":5e-0,"lngE7":-5}}"#).move.latE7 == 5)
    #expect(try decoded(#"{"chat":{"text":"-0: -0,-0"}}"#).chat.text == "-0: -0,-0")
    for text in [#"{"id":--0}"#, #"{"id":-01}"#, #"{"id":1-0}"#, #"{"id":-0.5}"#, #"{"id":-0.}"#, #"{"id":-}"#] {
      #expect(throws: DecodingFailure.self, "\(text)") { try decoded(text) }
    }
  }

  @Test("A string with a raw control character or an unknown escape is refused, also where nothing reads it")
  func badStrings() {
    let strings = ["a\u{1}b", "a\nb", "\t", "\0", "\\q", "\\u12G4", "\\u", "\\x41"]
    for string in strings {
      for text in [
        "\"chat\":{\"text\":\"\(string)\"}", "\"time\":{},\"later\":[{\"a\":\"\(string)\"}]",
        "\"time\":{},\"\(string)\":1",
        "\"time\":{\"later\":{\"\(string)\":1}}",
      ] {
        let bytes = [UInt8]("{\"id\":7,\(text)}".utf8)
        let failure = #expect(throws: DecodingFailure.self, "\(text)") { try Subprotocol.json.decodeClient(bytes) }
        #expect(failure?.id == 7, "\(text)")
        #expect(failure?.text.hasPrefix("a string has") == true, "\(text)")
        let server = [UInt8]("{\"replyTo\":7,\(text)}".utf8)
        #expect(throws: DecodingFailure.self, "\(text)") { try Subprotocol.json.decodeServer(server) }
      }
    }
  }

  @Test("A mode is absent, null, a word or a number")
  func knownMode() throws {
    func mode(_ text: String) throws -> WireMode {
      try Subprotocol.json.decodeClient([UInt8](#"{"createRoom":\#(text)}"#.utf8)).createRoom.mode
    }
    #expect(try mode(#"{}"#) == .unspecified)
    #expect(try mode(#"{"mode":null}"#) == .unspecified)
    #expect(try mode(#"{"later":["mode","CHESS"],"mode":"FOOTPRINT"}"#) == .footprint)
    #expect(try mode(#"{"later":{"mode":"CHESS"}}"#) == .unspecified)
    #expect(try mode(#"{"mode":"TERRITORY"}"#) == .territory)
    #expect(try mode(#"{"landIds":["CHESS"],"mode":"LAND"}"#) == .land)
    #expect(try mode(#"{"mode":1}"#) == .footprint)
    #expect(try mode(#"{"mode":3}"#) == .land)
  }

  @Test("A level is absent, a word or a number; words of another enum are unknown")
  func knownLevel() throws {
    func level(_ text: String) throws -> WireSchoolLevel {
      try Subprotocol.json.decodeClient([UInt8](#"{"searchSchools":\#(text)}"#.utf8)).searchSchools.level
    }
    #expect(try level(#"{"mode":"CHESS"}"#) == .unspecified)
    #expect(try level(#"{"query":"LOW","level":"HIGH"}"#) == .high)
    #expect(try level(#"{"level":5}"#) == .other)
    #expect(try level(#"{"level":6}"#) == .UNRECOGNIZED(6))
    let room = try Subprotocol.json.decodeClient([UInt8](#"{"createRoom":{"level":"LOW"}}"#.utf8))
    #expect(room.createRoom.mode == .unspecified)
  }

  @Test("An unknown number of an enum is kept for the receiver to refuse, never replaced by a default")
  func unknownModeNumber() throws {
    for number in [4, 9, Int(Int32.max), -1, Int(Int32.min)] {
      let json = try Subprotocol.json.decodeClient([UInt8](#"{"createRoom":{"mode":\#(number)}}"#.utf8))
      #expect(json.createRoom.mode == .UNRECOGNIZED(number))
      let binary = try Subprotocol.proto.decodeClient(Subprotocol.proto.encode(json))
      #expect(binary.createRoom.mode == .UNRECOGNIZED(number))
    }
    for text in ["4294967297", "2147483648", "1.5", "true", "[]", #""""#] {
      #expect(throws: DecodingFailure.self, "\(text)") {
        try Subprotocol.json.decodeClient([UInt8](#"{"createRoom":{"mode":\#(text)}}"#.utf8))
      }
    }
  }

  @Test("A client reads an unknown word of an enum as unspecified")
  func unknownErrorCode() throws {
    let message = try Subprotocol.json.decodeServer(
      [UInt8](#"{"replyTo":1,"error":{"code":"TOO_NEW","message":"x"}}"#.utf8)
    )
    #expect(message.error.code == .unspecified)
    #expect(message.error.message == "x")
  }

  @Test("A failure names the request's id if it can be found")
  func idOfFailure() {
    let texts: [(String, UInt32?)] = [
      (#"{"id":41,"chat":5}"#, 41),
      (#"{"chat":5,"id":41}"#, 41),
      (#" { "chat" : {"text":["}",{"id":7}]} , "id" : "41" } "#, 41),
      (#"{"chat":{"id":41,"text":5}}"#, nil),
      (#"{"id":4.1e1,"chat":5}"#, nil),
      (#"{"id":-41,"chat":5}"#, nil),
      (#"{"id":4294967295,"chat":5}"#, 4_294_967_295),
      (#"{"id":99999999999999999999,"chat":5}"#, nil),
      (#"{"id":41"#, 41),
      (#"{"id":41,"#, 41),
      (#"{"chat":{"text":"#, nil),
      (#"{"a":"\"","id":41,"chat":5}"#, 41),
      (#"{"id"}"#, nil),
    ]
    for (text, id) in texts {
      let failure = #expect(throws: DecodingFailure.self) { try Subprotocol.json.decodeClient([UInt8](text.utf8)) }
      #expect(failure?.id == id, "\(text)")
    }
    let failure = #expect(throws: DecodingFailure.self) {
      try Subprotocol.proto.decodeClient([0x08, 0xAC, 0x02, 0xFF])
    }
    #expect(failure?.id == 300)
  }

  @Test("An error about numbers does not apply to a string")
  func impossibleNumbers() {
    let digits = String(repeating: "9", count: 400)
    for number in ["1e999", "-1e999", "\(digits)", "0.\(digits)"] {
      for body in [#""later":\#(number),"time":{}"#, #""time":{"later":[{"a":\#(number)}]}"#] {
        let failure = #expect(throws: DecodingFailure.self) {
          try Subprotocol.json.decodeClient([UInt8](#"{"id":7,\#(body)}"#.utf8))
        }
        #expect(failure == DecodingFailure(id: 7, text: "a number is too large or too long"), "\(body)")
      }
    }
    let text = Array(#"{"id":7,"later"#.utf8) + [0xC3, 0x28] + Array(#"":1}"#.utf8)
    let failure = #expect(throws: DecodingFailure.self) { try Subprotocol.json.decodeClient(text) }
    #expect(failure?.text == "a string is not UTF-8")
  }

  @Test("Unknown fields are not kept")
  func unknownFieldsAreDropped() throws {
    let message = try Subprotocol.proto.decodeClient([0x1A, 0, 0x98, 0x06, 1])
    #expect(message.unknownFields.data.isEmpty)
  }

  @Test("Bytes are appended to the existing bytes of a buffer")
  func appending() throws {
    var message = WireClientMessage()
    message.time = WireTimeRequest()
    for encoding in Subprotocol.allCases {
      var bytes: [UInt8] = [1, 2, 3]
      encoding.append(message, to: &bytes)
      #expect(bytes.prefix(3) == [1, 2, 3])
      #expect(try encoding.decodeClient(Array(bytes.dropFirst(3))) == message)
    }
  }

  @Test("Decoding of any bytes ends in a message or a failure", arguments: Subprotocol.allCases)
  func mutations(_ encoding: Subprotocol) throws {
    let seed: UInt64 = 0x6D61_6461_6E67
    var random = SplitMix64(seed: seed)
    let originals = try Vector.all.filter { $0.name != "tick-fullRoom" }.map { try $0.bytes(encoding) }
    var decoded = 0
    for _ in 0..<20_000 {
      var bytes = originals.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) { bytes.mutate(using: &random) }
      if (try? encoding.decodeClient(bytes)) != nil { decoded += 1 }
      _ = try? encoding.decodeServer(bytes)
      _ = encoding.move(bytes)
    }
    #expect(decoded > 0 && decoded < 20_000, "seed \(seed)")
  }
}

extension [UInt8] {
  /// Changes a byte, removes some, repeats some, or truncates.
  mutating func mutate(using random: inout SplitMix64) {
    guard !isEmpty else { return append(UInt8(truncatingIfNeeded: random.next())) }
    let index = Int.random(in: indices, using: &random)
    let end = Swift.min(count, index + Int.random(in: 1...8, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: self[index] = UInt8(truncatingIfNeeded: random.next())
    case 1: self[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: self[index] = [UInt8](#"{}[]",:0-.eE\ n"#.utf8).randomElement(using: &random) ?? 0
    case 3: removeSubrange(index..<end)
    case 4: insert(contentsOf: self[index..<end], at: index)
    default: removeSubrange(index...)
    }
  }
}
