// A bot's own writing of a move gives the bytes of swift-protobuf, whatever fields it has.
import MadangProtocol
import Testing
import madang_loadtest

@Suite struct MoveWritingTests {
  @Test("Every combination of a move's fields, at the ends of their ranges, is written as swift-protobuf writes it")
  func sameBytes() throws {
    let numbers: [Int32] = [.min, -1, 0, 1, .max]
    let times: [Int64?] = [nil, .min, -1, 0, 127, 128, 1_764_000_000_000, .max]
    for (latE7, lngE7) in zip(numbers, numbers.reversed()) {
      for accuracyM in [nil, 0, 8, 127, 128, UInt32.max] {
        for timeMs in times {
          for fields in 0..<8 {
            var move = WireMove()
            if fields & 1 != 0 { move.latE7 = latE7 }
            if fields & 2 != 0 { move.lngE7 = lngE7 }
            move.mocked = fields & 4 != 0
            if let accuracyM { move.accuracyM = accuracyM }
            if let timeMs { move.timeMs = timeMs }
            var message = WireClientMessage()
            message.move = move
            var expected: [UInt8] = []
            Subprotocol.proto.append(message, to: &expected)
            #expect(move.binaryMessage == expected)
          }
        }
      }
    }
  }
}
