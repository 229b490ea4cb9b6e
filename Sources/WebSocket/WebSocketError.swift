// All violations of the protocol of frames, each with its close code (RFC 6455 §7.4.1). A plain value, thrown by
// `MessageDecoder`. The connection sends the code and the reason in its close frame and ends.

/// A broken rule of RFC 6455 or RFC 7692, or an exceeded limit.
package enum WebSocketError: Error, Sendable, Equatable, CaseIterable {
  case reservedBitSet
  case reservedOpcode
  case maskMissing
  case maskUnexpected
  case lengthNotMinimal
  case lengthNegative
  case controlFrameFragmented
  case controlFrameTooLong
  case continuationUnexpected
  case continuationMissing
  case closePayloadTooShort
  case closeCodeInvalid
  case invalidUTF8
  case invalidCompression
  case messageTooLong
  case tooManyEmptyFragments

  /// The code for the close frame.
  package var closeCode: UInt16 {
    switch self {
    case .invalidUTF8, .invalidCompression: CloseStatus.invalidPayload
    case .messageTooLong: CloseStatus.messageTooLong
    case .tooManyEmptyFragments: CloseStatus.policyViolation
    default: CloseStatus.protocolError
    }
  }

  /// The description for the close frame: English, well under 123 bytes.
  package var reason: String {
    switch self {
    case .reservedBitSet: "a reserved bit is set"
    case .reservedOpcode: "the opcode is reserved"
    case .maskMissing: "a client's frame is not masked"
    case .maskUnexpected: "a server's frame is masked"
    case .lengthNotMinimal: "a length is not in its shortest form"
    case .lengthNegative: "the highest bit of a length is set"
    case .controlFrameFragmented: "a control frame is fragmented"
    case .controlFrameTooLong: "a control frame has more than 125 bytes"
    case .continuationUnexpected: "nothing is there to continue"
    case .continuationMissing: "a message began before the last one ended"
    case .closePayloadTooShort: "a close frame has one byte"
    case .closeCodeInvalid: "the close code must not be sent"
    case .invalidUTF8: "text is not UTF-8"
    case .invalidCompression: "the compressed data is broken"
    case .messageTooLong: "the message is too long"
    case .tooManyEmptyFragments: "the message has too many empty fragments"
    }
  }
}
