// The bound on a message's length by its type. Pure.
//
// The schema decides the types; a body of a later feature is long unless it is one of those that come many times a
// second.

extension ReceivedType {
  /// The longest message of this type behind `welcome`, bytes.
  public var messageBytesMax: Int {
    switch self {
    case .move, .moves, .tap, .chat: Limits.messageBytesMax
    default: Limits.longMessageBytesMax
    }
  }
}
