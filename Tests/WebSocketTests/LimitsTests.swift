// The limit of a message (RFC 6455 §10.4): refused at the header and over all fragments; the largest numbers don't
// trap.
import Testing
import WebSocket

struct LimitsTests {
  @Test("A message of exactly the limit is accepted, one byte more is not", arguments: [1, 125, 126, 4_096])
  func limit(messageBytesMax: Int) {
    let payload = [UInt8](repeating: 0x61, count: messageBytesMax)
    let taken = Decoding.everyWay(clientFrame(0x81, payload), role: .server, messageBytesMax: messageBytesMax)
    #expect(taken == Decoding([.message(.text, payload)]))
    let refused = Decoding.everyWay(
      clientFrame(0x81, payload + [0x61]),
      role: .server,
      messageBytesMax: messageBytesMax
    )
    #expect(refused == Decoding(error: .messageTooLong))
  }

  @Test("A message that is too long is refused at its header, before any payload")
  func refusedAtHeader() {
    let header = clientFrame(0x82, announcing: 4_097)
    #expect(Decoding.everyWay(header, role: .server, messageBytesMax: 4_096) == Decoding(error: .messageTooLong))
  }

  @Test("The limit applies to all fragments together")
  func fragments() {
    let start = clientFrame(0x02, [1, 2, 3]) + clientFrame(0x00, [4, 5, 6])
    let taken = Decoding.everyWay(start + clientFrame(0x80, [7, 8]), role: .server, messageBytesMax: 8)
    #expect(taken == Decoding([.message(.binary, [1, 2, 3, 4, 5, 6, 7, 8])]))
    let refused = Decoding.everyWay(start + clientFrame(0x80, announcing: 3), role: .server, messageBytesMax: 8)
    #expect(refused == Decoding(error: .messageTooLong))
  }

  @Test("Control frames don't count towards the limit")
  func controlFrames() {
    let ping = [UInt8](repeating: 1, count: 125)
    let stream = clientFrame(0x01, [0x61]) + clientFrame(0x89, ping) + clientFrame(0x80, [0x62])
    #expect(Decoding.everyWay(stream, role: .server, messageBytesMax: 2) == Decoding([.ping(ping), .text("ab")]))
  }

  @Test("With a limit of 0 only empty messages are accepted")
  func zero() {
    #expect(Decoding.everyWay(clientFrame(0x81), role: .server, messageBytesMax: 0) == Decoding([.text("")]))
    let refused = Decoding.everyWay(clientFrame(0x81, [0x61]), role: .server, messageBytesMax: 0)
    #expect(refused == Decoding(error: .messageTooLong))
  }

  @Test("The largest possible length neither traps nor is allocated")
  func largestLength() {
    let announced = clientFrame(0x82, [1, 2, 3], announcing: .max)
    #expect(Decoding.everyWay(announced, role: .server, messageBytesMax: .max) == Decoding())
    #expect(Decoding.everyWay(announced, role: .server) == Decoding(error: .messageTooLong))
    let sum = clientFrame(0x02, [1]) + clientFrame(0x80, announcing: .max)
    #expect(Decoding.everyWay(sum, role: .server, messageBytesMax: .max) == Decoding(error: .messageTooLong))
  }

  @Test("A message of a MiB that arrives in small pieces is assembled correctly")
  func longMessage() {
    let payload = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let stream = clientFrame(0x02, Array(payload[..<300_000])) + clientFrame(0x80, Array(payload[300_000...]))
    let pieces = stride(from: 0, to: stream.count, by: 9_973).map { stream[$0..<min($0 + 9_973, stream.count)] }
    let decoding = Decoding.of(pieces, role: .server, messageBytesMax: 1 << 20)
    #expect(decoding == Decoding([.message(.binary, payload)]))
  }
}
