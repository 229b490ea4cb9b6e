// Streams of frames, for either role, with and without compression.
// Choices: the role and whether messages may be compressed, the longest message.
import WebSocket

/// Any cut of the stream gives the same items and the same error. Each item keeps its limits, nothing follows the end,
/// and the items can be sent on and read again.
func fuzzFrames(_ bytes: UnsafeRawBufferPointer) {
  var input = FuzzInput(bytes)
  let (role, compression) = input.choose([(Role.server, false), (.client, false), (.server, true), (.client, true)])
  let messageBytesMax = input.choose([4_096, 0, 1, 125, 126, 300, 65_536, 1 << 24])
  func decode(_ pieces: [UnsafeRawBufferPointer]) -> FrameDecoding {
    FrameDecoding(pieces, role: role, messageBytesMax: messageBytesMax, compression: compression)
  }
  let decoding = Feedings(&input).expectSame(decode)
  for (index, item) in decoding.items.enumerated() {
    item.check(messageBytesMax: messageBytesMax)
    if case .close = item { mustHold(index == decoding.items.count - 1, "no item follows a close frame") }
  }

  var rewritten: [UInt8] = []
  for item in decoding.items { item.append(to: &rewritten, mask: role == .server ? 0x37FA_213D : nil) }
  let again = rewritten.withUnsafeBytes { decode([$0]) }
  mustHold(again.items == decoding.items && again.error == nil, "decoded items survive encoding")
}
