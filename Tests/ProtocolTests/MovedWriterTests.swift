// The hand-written answer to one fix, compared with swift-protobuf's bytes.
import MadangProtocol
import SeededRandom
import Testing

@Suite("Answers to one fix")
struct MovedWriterTests {
  @Test("Random answers are written as swift-protobuf writes them", arguments: Subprotocol.allCases)
  func random(_ encoding: Subprotocol) {
    var random = SplitMix64(seed: 20_261_126)
    for _ in 0..<2_000 {
      for count in MovedOne.Count.allCases {
        let moved = MovedOne(
          count,
          throughMs: random.number(),
          nextCheckM: random.number(),
          nextCheckS: random.number()
        )
        let replyTo: UInt32 = random.number()
        var message = WireServerMessage()
        message.replyTo = replyTo
        message.moved.throughMs = moved.throughMs
        switch count {
        case .accepted: message.moved.accepted = 1
        case .repeated: message.moved.repeated = 1
        case .setAside: message.moved.setAside = 1
        }
        message.moved.nextCheckM = moved.nextCheckM
        message.moved.nextCheckS = moved.nextCheckS
        for prefix in ["", "{", "x"] {
          var bytes = [UInt8](prefix.utf8)
          encoding.append(moved, replyTo: replyTo, to: &bytes)
          #expect(bytes == [UInt8](prefix.utf8) + encoding.encode(message), "\(moved)")
        }
      }
    }
  }
}
