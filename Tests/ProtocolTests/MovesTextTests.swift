// The short cut for `moves` in JSON, compared with the general decoder: each of its results is also the general
// decoder's.
import MadangProtocol
import SeededRandom
import Testing

@Suite("Kept fixes")
struct MovesTextTests {
  private func shortCut(_ text: String) -> WireClientMessage? { shortCut([UInt8](text.utf8)) }

  private func shortCut(_ bytes: [UInt8]) -> WireClientMessage? {
    bytes.withUnsafeBytes { WireClientMessage(plainMoves: $0) }
  }

  /// The general decoder's message: an unknown member, which changes nothing, keeps the short cut away.
  private func general(_ bytes: [UInt8]) throws -> WireClientMessage? {
    guard let brace = bytes.firstIndex(of: UInt8(ascii: "{")) else { return nil }
    return try Subprotocol.json.decodeClient(bytes[...brace] + Array(#""unknown":0,"#.utf8) + bytes[(brace + 1)...])
  }

  @Test("Golden messages with kept fixes use the short cut, and no other message does")
  func vectors() throws {
    for vector in Vector.all where vector.side == .client {
      let bytes = try vector.bytes(.json)
      let message = shortCut(bytes)
      #expect((message != nil) == (vector.body == "moves"), "\(vector)")
      if message != nil { #expect(try message == general(bytes), "\(vector)") }
    }
  }

  @Test("Plain forms use the short cut: any order, white space, quoted integers, no fixes")
  func plain() throws {
    var expected = WireClientMessage()
    expected.id = 3
    expected.moves.timeMs = 11
    expected.moves.afterMs = [0, 1_000]
    expected.moves.latE7 = [-5, 6]
    expected.moves.lngE7 = [7, -8]
    expected.moves.accuracyM = [9, 0]
    expected.moves.mocked = true
    expected.moves.more = true
    let columns = #""afterMs":[0,1000],"latE7":[-5,6],"lngE7":[7,-8],"accuracyM":[9,0]"#
    let texts = [
      #"{"id":3,"moves":{"timeMs":"11",\#(columns),"mocked":true,"more":true}}"#,
      #" { "moves" : { "more":true, \#(columns) , "mocked" : true,"timeMs":11 } , "id" : "3" } "#,
      #"{"id":3,"moves":{"timeMs":11,"afterMs":[ "0" , 1000 ],"latE7":["-5",6],"lngE7":[7,-8],"accuracyM":[9,0],"mocked":true,"more":true}}"#,
    ]
    for text in texts { #expect(shortCut(text) == expected, "\(text)") }
    var empty = WireClientMessage()
    empty.moves = WireMoves()
    #expect(shortCut(#"{"moves":{}}"#) == empty)
    #expect(shortCut(#"{"moves":{"latE7":[],"more":false}}"#) == empty)
  }

  @Test("Unusual forms are left to the general decoder")
  func unusual() {
    let bodies = [
      "null", "[]", #"{"latE7":1}"#, #"{"latE7":[1,]}"#, #"{"latE7":[,1]}"#, #"{"latE7":[1 2]}"#, #"{"latE7":[1}"#,
      #"{"latE7":[1]"#, #"{"latE7":[1.0]}"#, #"{"latE7":[1e0]}"#, #"{"latE7":[01]}"#, #"{"latE7":[-0]}"#,
      #"{"latE7":[2147483648]}"#, #"{"latE7":[-2147483649]}"#, #"{"afterMs":[-1]}"#, #"{"afterMs":[4294967296]}"#,
      #"{"latE7":[null]}"#, #"{"latE7":[[1]]}"#, #"{"latE7":[1],"latE7":[1]}"#, #"{"lat_e7":[1]}"#,
      #"{"l\u0061tE7":[1]}"#, #"{"timeMs":1234567890123456789}"#, #"{"timeMs":"1","timeMs":"1"}"#, #"{"later":1}"#,
      #"{"more":1}"#, #"{"more":true,"more":true}"#, #"{"mocked":"true"}"#,
    ]
    for body in bodies { #expect(shortCut(#"{"moves":\#(body)}"#) == nil, "\(body)") }
    let texts = [
      "", "{}", #"{"id":1}"#, #"{"moves":{}},"#, #"{"moves":{}} {}"#, #"{"moves":{},"moves":{}}"#,
      #"{"id":1,"id":1,"moves":{}}"#, #"{"id":-1,"moves":{}}"#, #"{"moves":{},"chat":{"text":"a"}}"#,
    ]
    for text in texts { #expect(shortCut(text) == nil, "\(text)") }
  }

  @Test("A mutated message on the short cut has the general decoder's result")
  func mutated() throws {
    let seed: UInt64 = 0x8765_4322
    var random = SplitMix64(seed: seed)
    var taken = 0
    for _ in 0..<40_000 {
      var bytes = Subprotocol.json.encode(random.movesMessage())
      for _ in 0..<Int.random(in: 0...2, using: &random) { bytes.mutate(using: &random) }
      guard let message = shortCut(bytes) else { continue }
      taken += 1
      #expect(try message == general(bytes), "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(taken > 2_000)
  }
}

extension SplitMix64 {
  fileprivate mutating func movesMessage() -> WireClientMessage {
    var message = WireClientMessage()
    if once(in: 2) { message.id = number() }
    message.moves = WireMoves()
    if !once(in: 4) { message.moves.timeMs = number() }
    for _ in 0..<Int.random(in: 0...3, using: &self) {
      message.moves.afterMs.append(number())
      message.moves.latE7.append(number())
      message.moves.lngE7.append(number())
      message.moves.accuracyM.append(number())
    }
    if once(in: 4) { message.moves.mocked = true }
    if once(in: 4) { message.moves.more = true }
    return message
  }
}
