// The texts of refused messages for the developer of a client: they name the field and what it takes.
import MadangProtocol
import Testing

@Suite("Faulty fields") struct FieldFaultsTests {
  private func fault(_ text: String) -> String? {
    let failure = #expect(throws: DecodingFailure.self, "\(text)") {
      try Subprotocol.json.decodeClient([UInt8](text.utf8))
    }
    return failure?.text
  }

  @Test("A field is named with what it takes and what came")
  func named() {
    let texts = [
      (
        #"{"id":1,"createRoom":{"mode":"footprint"}}"#,
        #"createRoom.mode: FOOTPRINT, TERRITORY or LAND, not "footprint""#
      ),
      (
        #"{"move":{"latE7":1,"lngE7":2,"accuracyM":4.7}}"#,
        "move.accuracyM: whole metres, rounded up, from 0 to 4294967295, not 4.7"
      ),
      (
        #"{"moves":{"accuracyM":[5,4.7]}}"#,
        "moves.accuracyM[1]: whole metres, rounded up, from 0 to 4294967295, not 4.7"
      ),
      (
        #"{"report":{"postId":"a","reasons":["SPAM","BORING"]}}"#,
        "report.reasons[1]: SPAM, HARASSMENT, HATE, SEXUAL, VIOLENCE, FALSE_INFORMATION, PRIVACY, COPYRIGHT or OTHER, "
          + #"not "BORING""#
      ),
      (
        #"{"move":{"latE7":37.5,"lngE7":2}}"#,
        "move.latE7: whole units of 1e-7 degree from -2147483648 to 2147483647, not 37.5"
      ),
      (#"{"chat":{"text":5}}"#, "chat.text: a text in quotes, not 5"),
      (#"{"id":-1,"time":{}}"#, "id: whole numbers from 0 to 4294967295, not -1"),
      (#"{"chat":5}"#, "chat: an object, not 5"),
      (#"{"createRoom":{"hostOnly":"yes"}}"#, #"createRoom.hostOnly: true or false, without quotes, not "yes""#),
      (
        #"{"moves":{"latE7":[1,2.5]}}"#,
        "moves.latE7[1]: whole units of 1e-7 degree from -2147483648 to 2147483647, not 2.5"
      ),
      (#"{"createRoom":{"landIds":"a"}}"#, #"createRoom.landIds: a list: a text in quotes, not "a""#),
      (
        #"{"later":{"mode":1},"createRoom":{"later":[{"x":5}],"capacity":"many"}}"#,
        #"createRoom.capacity: whole numbers from 0 to 4294967295, not "many""#
      ),
    ]
    for (text, expected) in texts { #expect(fault(text) == expected, "\(text)") }
  }

  @Test("A long or binary value is not repeated, nor is a long name, and every text has a bound")
  func bounded() {
    let long = String(repeating: "x", count: 2_000)
    #expect(fault(#"{"createRoom":{"mode":"\#(long)"}}"#) == "createRoom.mode: FOOTPRINT, TERRITORY or LAND")
    #expect(fault(#"{"createRoom":{"mode":"땅"}}"#) == "createRoom.mode: FOOTPRINT, TERRITORY or LAND")
    #expect(fault("{\"createRoom\":{\"mode\":\"\u{7F}\"}}") == "createRoom.mode: FOOTPRINT, TERRITORY or LAND")
    let many = (0..<400).map { "\"x\($0)\":[1]" }.joined(separator: ",")
    let text = fault("{\(many),\"createRoom\":{\(many),\"mode\":\"chess\"}}")
    #expect((text?.utf8.count ?? 0) < 300)
  }

  @Test("Text that is not JSON at all is described as before")
  func noJSON() {
    #expect(fault(#"{"chat":{"text":"a""#) == "the JSON ends too early")
    #expect(fault(#"{"chat":{},"time":{}}"#) == "there is more than one body, or a body twice")
  }

  @Test("The first unknown field is found in both encodings, and none in a good message")
  func unknown() throws {
    func unknown(_ text: String) throws -> String? {
      let bytes = [UInt8](text.utf8)
      let message = try Subprotocol.json.decodeClient(bytes)
      return bytes.withUnsafeBytes { Subprotocol.json.unknownField(of: message, in: $0) }
    }
    let known = "this server knows no such field"
    #expect(try unknown(#"{"chat":{"text":"a","colour":{"text":1}}}"#) == "chat.colour: \(known)")
    #expect(try unknown(#"{"id":1,"later":1,"chat":{"text":"a"}}"#) == "later: \(known)")
    #expect(try unknown(#"{"createRoom":{"arena":{"latE7":1,"lngE7":2,"x":[]}}}"#) == "createRoom.arena.x: \(known)")
    #expect(try unknown(#"{"id":1,"dance":{"step":1}}"#) == "dance: \(known)")
    #expect(try unknown(#"{"id":1,"createRoom":{"mode":"LAND","landIds":["a"]}}"#) == nil)
    #expect(try unknown(#"{"create_room":{"m\u006fde":"LAND","host_only":null}}"#) == nil)

    var message = WireClientMessage()
    message.chat.text = "a"
    let good = Subprotocol.proto.encode(message)
    func unknownInBinary(_ bytes: [UInt8]) throws -> String? {
      let message = try Subprotocol.proto.decodeClient(bytes)
      return bytes.withUnsafeBytes { Subprotocol.proto.unknownField(of: message, in: $0) }
    }
    #expect(try unknownInBinary(good) == nil)
    #expect(try unknownInBinary(good + [0x98, 0x7D, 1])?.contains("the message's fields") == true)
  }
}
