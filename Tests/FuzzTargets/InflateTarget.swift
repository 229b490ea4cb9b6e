// Messages that a stranger compressed (RFC 7692).
// Choices: the longest message, the window of our own compressor. One message's payload follows them.
import WebSocket

/// The output keeps the limit to the byte, is the same again, and comes back when we compress it. So does the payload
/// itself, taken as a message of ours.
func fuzzInflate(_ bytes: UnsafeRawBufferPointer) {
  var input = FuzzInput(bytes)
  let bytesMax = input.choose([4_096, 0, 1, 300, 4_095, 65_536, 1 << 20, 1 << 24])
  let deflater = Deflater(windowBits: input.choose([12, 9, 10, 15]))
  let inflater = Inflater()

  let outcome = inflate(input.rest, bytesMax, inflater)
  mustHold(inflate(input.rest, bytesMax, inflater) == outcome, "an inflater keeps no state of a message")
  mustHold(inflate(input.rest, bytesMax, Inflater()) == outcome, "a new inflater gives the same result")
  if case .success(let message) = outcome {
    mustHold(message.count <= bytesMax, "no message is over the limit")
    mustHold(inflate(input.rest, message.count, inflater) == outcome, "a limit of exactly its length accepts it")
    if !message.isEmpty {
      let refusal = inflate(input.rest, message.count - 1, inflater)
      mustHold(refusal == .failure(.messageTooLong), "a limit of one byte less refuses it")
    }
    message.withUnsafeBytes { checkRoundTrip(of: $0, deflater, inflater) }
  }
  checkRoundTrip(of: input.rest, deflater, inflater)
}

private func inflate(
  _ compressed: UnsafeRawBufferPointer,
  _ bytesMax: Int,
  _ inflater: Inflater
) -> Result<[UInt8], WebSocketError> {
  Result { () throws(WebSocketError) in Array(try inflater.inflate(compressed, bytesMax: bytesMax)) }
}

private func checkRoundTrip(of message: UnsafeRawBufferPointer, _ deflater: Deflater, _ inflater: Inflater) {
  let before: [UInt8] = [1, 2, 3]
  var output = before
  guard deflater.compress(message, appendingTo: &output) else {
    mustHold(output == before, "incompressible data leaves the output unchanged")
    return
  }
  mustHold(output.starts(with: before), "existing output stays")
  let compressed = Array(output.dropFirst(before.count))
  mustHold(compressed.count < message.count, "compressed data is shorter")
  let again = compressed.withUnsafeBytes { inflate($0, message.count, inflater) }
  mustHold(again == .success(Array(message)), "compressed data is inflated unchanged")
}
