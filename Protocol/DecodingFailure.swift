// The reason why bytes are not a message: a server answers it with MALFORMED, and a client reports it to its developer.
//
// A value. The text describes the received message, never its decoder.
import SwiftProtobuf

/// Bytes that can't be decoded.
public struct DecodingFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The request's `id`, when it was still readable: an answer's `replyTo`.
  public let id: UInt32?
  /// The fault, in English, for the developer of the sender.
  public let text: String

  /// A failure of the message with this `id`.
  public init(id: UInt32?, text: String) {
    self.id = id
    self.text = text
  }

  /// Same as `text`.
  public var description: String { text }
}

extension DecodingFailure {
  /// Translates an error of decoding into words that need no knowledge of swift-protobuf.
  package init(_ error: any Error, of bytes: UnsafeRawBufferPointer, id: UInt32?) {
    let text =
      switch error {
      case let failure as DecodingFailure: failure.text
      case JSONDecodingError.invalidUTF8 where String(validating: bytes, as: UTF8.self) != nil:
        // It also uses this error for a number beyond 64 bits, or with more than 127 characters.
        "a number is too large or too long"
      case let error as JSONDecodingError: Self.text(of: error)
      case let error as BinaryDecodingError: Self.text(of: error)
      default: "the message does not fit the schema"
      }
    self.init(id: id, text: text)
  }

  static func text(of error: JSONDecodingError) -> String {
    switch error {
    case .truncated: "the JSON ends too early"
    case .trailingGarbage: "there is something behind the JSON message"
    case .malformedNumber, .leadingZero: "a number is malformed"
    case .numberRange: "a number does not fit its field"
    case .malformedBool: "true or false is expected, without quotes"
    case .malformedString: "a string is malformed or missing"
    case .invalidUTF8: "a string is not UTF-8"
    case .unrecognizedEnumValue: "a word is none of those that its field knows"
    case .conflictingOneOf: "there is more than one body, or a body twice"
    case .messageDepthLimit: "the JSON is nested too deeply"
    case .illegalNull: "null stands where a value is needed"
    default: "the text is not JSON that fits the schema"
    }
  }

  private static func text(of error: BinaryDecodingError) -> String {
    switch error {
    case .truncated: "the message ends too early"
    case .invalidUTF8: "a string is not UTF-8"
    case .messageDepthLimit: "the message is nested too deeply"
    default: "the bytes are not a message of the schema"
    }
  }
}
