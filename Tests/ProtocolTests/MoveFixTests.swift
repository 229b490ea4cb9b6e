// The short cut for `move`, compared with the general decoder: each of its results is also the general decoder's.
import SeededRandom
import MadangProtocol
import Testing

@Suite("Moves")
struct MoveFixTests {
  @Test("Plain moves use the fast path in both encodings", arguments: Subprotocol.allCases)
  func plain(_ encoding: Subprotocol) throws {
    let plain = ["move", "move-answered", "move-negative", "move-zeros", "move-mocked"]
    for name in plain {
      let bytes = try Vector(side: .client, name: name).bytes(encoding)
      #expect(encoding.move(bytes) == MoveFix(try encoding.decodeClient(bytes)), "\(name)")
      #expect(encoding.move(bytes) != nil, "\(name)")
    }
  }

  @Test("Any other golden message on the fast path has the general decoder's result", arguments: Subprotocol.allCases)
  func vectors(_ encoding: Subprotocol) throws {
    for vector in Vector.all where vector.side == .client {
      let bytes = try vector.bytes(encoding)
      guard let fix = encoding.move(bytes) else { continue }
      #expect(vector.body == "move")
      #expect(fix == MoveFix(try encoding.decodeClient(bytes)), "\(vector)")
    }
  }

  @Test("JSON's plain forms use the fast path: any order, white space, quoted integers")
  func plainJSON() {
    let expected = MoveFix(id: 3, latE7: -5, lngE7: 7, accuracyM: 9, timeMs: 11, mocked: true)
    let texts = [
      #"{"id":3,"move":{"latE7":-5,"lngE7":7,"accuracyM":9,"timeMs":"11","mocked":true}}"#,
      #"{"move":{"mocked":true,"timeMs":11,"accuracyM":"9","lngE7":"7","latE7":"-5"},"id":"3"}"#,
      " {\r\n\t\"id\" : 3 , \"move\" : { \"latE7\" : -5 , \"lngE7\" : 7 , \"accuracyM\" : 9 , \"timeMs\" : 11 ,\"mocked\" : true } } ",
    ]
    for text in texts { #expect(Subprotocol.json.move([UInt8](text.utf8)) == expected, "\(text)") }
  }

  @Test("Unusual forms are left to the general decoder")
  func unusual() {
    let texts = [
      #"{"move":{}}"#, #"{"move":{"latE7":1}}"#, #"{"move":{"lngE7":1}}"#, #"{"id":1}"#, #"{}"#, "",
      #"{"move":null}"#, #"{"move":[]}"#, #"{"id":null,"move":{"latE7":1,"lngE7":2}}"#,
      #"{"move":{"latE7":1,"lngE7":2},}"#, #"{"move":{"latE7":1,"lngE7":2,}}"#, #"{,"move":{"latE7":1,"lngE7":2}}"#,
      #"{"move":{"latE7":1,"lngE7":2}"#, #"{"move":{"latE7":1,"lngE7":2}}}"#, #"{"move":{"latE7":1,"lngE7":2}} {}"#,
      #"{"move":{"latE7":1,"lngE7":2},"move":{"latE7":1,"lngE7":2}}"#, #"{"move":{"latE7":1,"lngE7":2,"latE7":1}}"#,
      #"{"id":1,"id":1,"move":{"latE7":1,"lngE7":2}}"#, #"{"move":{"latE7":1,"lngE7":2},"chat":{"text":"a"}}"#,
      #"{"move":{"latE7":1,"lngE7":2,"later":3}}"#, #"{"move":{"lat_e7":1,"lng_e7":2}}"#,
      #"{"m\u006fve":{"latE7":1,"lngE7":2}}"#, #"{"move":{"latE7":1e3,"lngE7":2}}"#,
      #"{"move":{"latE7":1.0,"lngE7":2}}"#,
      #"{"move":{"latE7":01,"lngE7":2}}"#, #"{"move":{"latE7":+1,"lngE7":2}}"#, #"{"move":{"latE7":-,"lngE7":2}}"#,
      #"{"move":{"latE7":"","lngE7":2}}"#, #"{"move":{"latE7":" 1","lngE7":2}}"#, #"{"move":{"latE7":"1 ","lngE7":2}}"#,
      #"{"move":{"latE7":"1,"lngE7":2}}"#, #"{"move":{"latE7":2147483648,"lngE7":2}}"#,
      #"{"move":{"latE7":-2147483649,"lngE7":2}}"#, #"{"id":-0,"move":{"latE7":1,"lngE7":2}}"#,
      #"{"id":4294967296,"move":{"latE7":1,"lngE7":2}}"#, #"{"id":-1,"move":{"latE7":1,"lngE7":2}}"#,
      #"{"move":{"latE7":1,"lngE7":2,"timeMs":1234567890123456789}}"#, #"{"move":{"latE7":1,"lngE7":2,"mocked":1}}"#,
      #"{"move":{"latE7":1,"lngE7":2,"mocked":"true"}}"#, #"{"move":{"latE7":1,"lngE7":2,"mocked":trueish}}"#,
      #"{"move":{"latE7":1 "lngE7":2}}"#, #"{"move":{"latE7" 1,"lngE7":2}}"#, #"{"move" {"latE7":1,"lngE7":2}}"#,
    ]
    for text in texts { #expect(Subprotocol.json.move([UInt8](text.utf8)) == nil, "\(text)") }
    let binaries: [[UInt8]] = [
      [], [0x52, 0], [0x52, 5, 0x0D, 1, 0, 0, 0], [0x52, 10, 0x0D, 1, 0, 0, 0, 0x15, 2, 0, 0],
      [0x52, 12, 0x0D, 1, 0, 0, 0, 0x15, 2, 0, 0, 0, 0x28, 2], [0x52, 12, 0x0D, 1, 0, 0, 0, 0x15, 2, 0, 0, 0, 0x30, 1],
      [0x52, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1],
      [0x08, 0x80, 0x80, 0x80, 0x80, 0x10, 0x52, 10, 0x0D, 1, 0, 0, 0, 0x15, 2, 0, 0, 0],
    ]
    for bytes in binaries { #expect(Subprotocol.proto.move(bytes) == nil, "\(bytes)") }
  }

  @Test("Random moves decode as the general decoder decodes them", arguments: Subprotocol.allCases)
  func randomMoves(_ encoding: Subprotocol) throws {
    let seed: UInt64 = 0x1234_5678
    var random = SplitMix64(seed: seed)
    var taken = 0
    for _ in 0..<5_000 {
      let message = random.moveMessage()
      let bytes = encoding.encode(message)
      let fix = encoding.move(bytes)
      if fix != nil { taken += 1 }
      // In JSON, a number beyond 18 digits is left to the general decoder.
      let isPlain = message.move.hasLatE7 && message.move.hasLngE7 && abs(Double(message.move.timeMs)) < 1e18
      if isPlain || fix != nil { #expect(fix == MoveFix(message), "seed \(seed)") }
    }
    #expect(taken > 2_000)
  }

  @Test("A mutated move on the fast path has the general decoder's result", arguments: Subprotocol.allCases)
  func mutatedMoves(_ encoding: Subprotocol) throws {
    let seed: UInt64 = 0x8765_4321
    var random = SplitMix64(seed: seed)
    var taken = 0
    for _ in 0..<40_000 {
      var bytes = encoding.encode(random.moveMessage())
      for _ in 0..<Int.random(in: 1...3, using: &random) { bytes.mutate(using: &random) }
      guard let fix = encoding.move(bytes) else { continue }
      taken += 1
      let message = try? encoding.decodeClient(bytes)
      #expect(fix == message.flatMap(MoveFix.init), "seed \(seed): \(bytes)")
    }
    #expect(taken > 500)
  }
}

extension MoveFix {
  /// The fix of the general decoder's message; nil when that is not a move with a place.
  init?(_ message: WireClientMessage) {
    guard case .move(let move) = message.body, move.hasLatE7, move.hasLngE7 else { return nil }
    self.init(
      id: message.hasID ? message.id : nil,
      latE7: move.latE7,
      lngE7: move.lngE7,
      accuracyM: move.hasAccuracyM ? move.accuracyM : nil,
      timeMs: move.hasTimeMs ? move.timeMs : nil,
      mocked: move.mocked
    )
  }
}

extension SplitMix64 {
  fileprivate mutating func moveMessage() -> WireClientMessage {
    var message = WireClientMessage()
    if once(in: 2) { message.id = number() }
    if !once(in: 10) { message.move.latE7 = number() }
    if !once(in: 10) { message.move.lngE7 = number() }
    if !once(in: 4) { message.move.accuracyM = number() }
    if !once(in: 4) { message.move.timeMs = number() }
    if once(in: 4) { message.move.mocked = true }
    return message
  }
}
