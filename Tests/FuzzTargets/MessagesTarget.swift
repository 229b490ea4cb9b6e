// A client's messages in either encoding: the general decoder, and the short cuts for `move` and `moves` beside it.
// No choices: the input is one message.
import MadangProtocol

/// The general decoder gives the short cut's result for every message that the short cut takes. A decoded message can
/// be encoded in either encoding, and decodes to the same.
func fuzzMessages(_ bytes: UnsafeRawBufferPointer, in encoding: Subprotocol) {
  if encoding == .json { checkMoves(bytes) }
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

/// The short cut for `moves` gives the general decoder's result. An unknown member keeps the short cut away.
private func checkMoves(_ bytes: UnsafeRawBufferPointer) {
  guard let shortCut = WireClientMessage(plainMoves: bytes), let brace = bytes.firstIndex(of: UInt8(ascii: "{")) else {
    return
  }
  let text = bytes[...brace] + Array(#""unknown":0,"#.utf8) + bytes[(brace + 1)...]
  let message = Array(text).withUnsafeBytes { try? Subprotocol.json.decodeClientMessage($0) }
  mustHold(message == shortCut, "the short cut for `moves` gives the general decoder's result")
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
