// Messages that never end: the number of empty fragments accepted, and the sign that a decoder waits for the rest.
import Testing
import WebSocket

struct UnfinishedMessageTests {
  @Test("64 empty fragments of a message are accepted, one more is refused", arguments: [MessageKind.text, .binary])
  func emptyFragments(kind: MessageKind) {
    let start = clientFrame(kind.opcode.rawValue, [0x61])
    let taken = start + (0..<64).flatMap { _ in clientFrame(0x00) }
    let message = Decoding([.message(kind, [0x61, 0x62])])
    #expect(Decoding.everyWay(taken + clientFrame(0x80, [0x62]), role: .server) == message)
    let refused = Decoding(error: .tooManyEmptyFragments)
    #expect(Decoding.everyWay(taken + clientFrame(0x00), role: .server) == refused)
    #expect(Decoding.everyWay(taken + clientFrame(0x80), role: .server) == refused)
    let pings = start + (0..<65).flatMap { _ in clientFrame(0x8A) + clientFrame(0x00, [0x61]) }
    #expect(Decoding.of([pings[...]], role: .server).error == nil, "neither pongs nor fragments with a byte count")
  }

  @Test("The count is per message, and includes the first fragment and compressed messages")
  func countOfEach() {
    let message = clientFrame(0x02) + (0..<63).flatMap { _ in clientFrame(0x00) } + clientFrame(0x80, [1])
    let twice = Decoding.of([(message + message)[...]], role: .server)
    #expect(twice == Decoding([.message(.binary, [1]), .message(.binary, [1])]))
    for first: UInt8 in [0x01, 0x02, 0x41, 0x42] {
      let stream = clientFrame(first) + (0..<64).flatMap { _ in clientFrame(0x00) }
      let decoding = Decoding.of([stream[...]], role: .server, inflater: Inflater())
      #expect(decoding == Decoding(error: .tooManyEmptyFragments))
    }
  }

  @Test("A decoder is in a message after every byte but the last of each message, and of each frame outside one")
  func isMidMessage() {
    let inflater = Inflater()
    let frames: [(bytes: [UInt8], endsMessage: Bool)] = [
      (clientFrame(0x81, [0x61, 0x62]), true), (clientFrame(0x89, [1, 2]), true),
      (clientFrame(0x01, [0x61]), false), (clientFrame(0x8A), false), (clientFrame(0x00), false),
      (clientFrame(0x80, [0x62]), true), (clientFrame(0xC1, bytes("f2 48 cd c9 c9 07 00")), true),
      (clientFrame(0x42), false), (clientFrame(0x80, [0x00]), true),
      (clientFrame(0x82, [UInt8](repeating: 0, count: 200)), true),
    ]
    var decoder = MessageDecoder(role: .server, messageBytesMax: 1_000, compression: true)
    var decoding = Decoding()
    var isMid = decoder.isMidMessage
    #expect(!isMid)
    for (bytes, endsMessage) in frames {
      for (index, byte) in bytes.enumerated() {
        decoding.feed([byte], to: &decoder, inflater: inflater)
        let isLast = index == bytes.count - 1
        isMid = decoder.isMidMessage
        #expect(isMid == (!isLast || !endsMessage))
      }
    }
    #expect(decoding.items.count == 7)
  }

  @Test("A decoder that has ended is not in a message", arguments: [[0x88, 0x80, 0, 0, 0, 0], [0x83]] as [[UInt8]])
  func finished(end: [UInt8]) {
    var decoder = MessageDecoder(role: .server, messageBytesMax: 100)
    var decoding = Decoding()
    decoding.feed(clientFrame(0x01, [0x61]), to: &decoder)
    var isMid = decoder.isMidMessage
    #expect(isMid)
    decoding.feed(end + [0x01], to: &decoder)
    isMid = decoder.isMidMessage
    #expect(!isMid)
  }
}
