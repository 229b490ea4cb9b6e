// A client's messages in either encoding: the general decoder and the short cut for `move` beside it.
// No choices: the input is one message.
import MadangProtocol

/// The general decoder gives the short cut's result for every message that the short cut takes. A decoded message can
/// be encoded in either encoding, and decodes to the same.
func fuzzMessages(_ bytes: UnsafeRawBufferPointer, in encoding: Subprotocol) {
  let shortCut = encoding.decodeMove(bytes)
  do throws(DecodingFailure) {
    let message = try encoding.decodeClientMessage(bytes)
    if let shortCut { mustHold(shortCut == MoveFix(message), "the fast path gives the general decoder's result") }
    for other in Subprotocol.allCases { checkRoundTrip(of: message, in: other) }
  } catch {
    mustHold(shortCut == nil, "the fast path refuses what the general decoder refuses")
    mustHold(!error.text.isEmpty, "a refusal has a reason")
  }
}

private func checkRoundTrip(of message: WireClientMessage, in encoding: Subprotocol) {
  var encoded: [UInt8] = []
  encoding.append(message, to: &encoded)
  let again = encoded.withUnsafeBytes { try? encoding.decodeClientMessage($0) }
  mustHold(again == message, "a decoded message survives \(encoding.rawValue)")
  if let fix = MoveFix(message) {
    let shortCut = encoded.withUnsafeBytes(encoding.decodeMove)
    // JSON's short cut leaves numbers beyond 18 digits to the general decoder.
    mustHold(shortCut == fix || shortCut == nil && encoding == .json, "our own form of a move uses the fast path")
  }
}

extension MoveFix {
  /// The same from the general decoder's message; nil when that is no move with a place.
  fileprivate init?(_ message: WireClientMessage) {
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
