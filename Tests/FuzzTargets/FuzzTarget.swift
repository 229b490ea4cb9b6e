// The list of fuzzed targets, by the names that scripts/fuzz and the folders of corpora use. A value. Each target is a
// function of bytes in its own file. It returns when its properties hold and traps when one is broken, which a fuzzer
// looks for. It keeps nothing from one input to the next.

/// A parser that peers' bytes reach, and its required properties.
package enum FuzzTarget: String, CaseIterable, Sendable {
  case upgrade
  case bodies
  case response
  case frames
  case inflate
  case messagesJSON = "messages-json"
  case messagesProto = "messages-proto"
  case words

  /// Runs the target on one input.
  package func run(_ bytes: UnsafeRawBufferPointer) {
    switch self {
    case .upgrade: fuzzUpgrade(bytes)
    case .bodies: fuzzBodies(bytes)
    case .response: fuzzResponse(bytes)
    case .frames: fuzzFrames(bytes)
    case .inflate: fuzzInflate(bytes)
    case .messagesJSON: fuzzMessages(bytes, in: .json)
    case .messagesProto: fuzzMessages(bytes, in: .proto)
    case .words: fuzzWords(bytes)
    }
  }
}
