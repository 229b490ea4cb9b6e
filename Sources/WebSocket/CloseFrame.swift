// The reasons for a connection's end: close codes and the content of a close frame (RFC 6455 §5.5.1, §7.4). Plain
// values.

/// The close codes that the protocol itself defines. 4000 to 4999 belong to the application.
package enum CloseStatus {
  /// The purpose is fulfilled.
  package static let normal: UInt16 = 1000
  /// The server goes down, or the page was left.
  package static let goingAway: UInt16 = 1001
  package static let protocolError: UInt16 = 1002
  /// A kind of message that this endpoint does not accept, such as binary for a text subprotocol.
  package static let unsupportedData: UInt16 = 1003
  /// Text that is not UTF-8, or data that can't be decompressed.
  package static let invalidPayload: UInt16 = 1007
  package static let policyViolation: UInt16 = 1008
  package static let messageTooLong: UInt16 = 1009
  package static let internalError: UInt16 = 1011

  /// Whether a close frame may carry the code. 1004 is reserved; 1005, 1006 and 1015 are for local use and never sent;
  /// 1012 to 1014 were registered later (IANA); 3000 and above belong to libraries and applications.
  package static func isAllowedInFrame(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

/// The content of a peer's close frame.
package struct CloseFrame: Sendable, Equatable {
  /// A code that `CloseStatus.isAllowedInFrame`, or nil when the frame was empty.
  package let code: UInt16?
  /// Up to 123 bytes of UTF-8.
  package let reason: String

  init(payload: UnsafeRawBufferPointer) throws(WebSocketError) {
    guard !payload.isEmpty else {
      (code, reason) = (nil, "")
      return
    }
    guard payload.count >= 2 else { throw .closePayloadTooShort }
    let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
    guard CloseStatus.isAllowedInFrame(code) else { throw .closeCodeInvalid }
    let text = UnsafeRawBufferPointer(rebasing: payload[2...])
    var validator = UTF8Validator()
    guard validator.accepts(text), validator.isAtBoundary else { throw .invalidUTF8 }
    (self.code, reason) = (code, String(decoding: text, as: UTF8.self))
  }
}
