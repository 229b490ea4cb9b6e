// A JSON text of somebody else's, and the places in it that an operator names by JSON pointers (RFC 6901).
//
// Values in, values out; no state. Any bytes end in a document or in nil. The reader is swift-protobuf's.
import SwiftProtobuf

/// The name of a place in a document: `/photos/0/src`.
package struct JSONPointer: Hashable, Sendable {
  /// The names of members and the numbers of elements, from the outermost on.
  fileprivate let tokens: [String]

  /// Reads a pointer: empty for the whole document, else each token behind a slash, with `~1` for a slash and `~0` for
  /// a tilde. Nil for anything else.
  package init?(_ text: String) {
    var tokens: [String] = []
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard text.isEmpty || parts[0].isEmpty else { return nil }
    for part in parts.dropFirst() {
      guard let token = Self.unescaped(part) else { return nil }
      tokens.append(token)
    }
    self.tokens = tokens
  }

  private static func unescaped(_ text: Substring) -> String? {
    var token = ""
    var rest = text[...]
    while let letter = rest.popFirst() {
      guard letter == "~" else {
        token.append(letter)
        continue
      }
      switch rest.popFirst() {
      case "0": token.append("~")
      case "1": token.append("/")
      default: return nil
      }
    }
    return token
  }
}

package struct JSONDocument {
  /// Deeper texts are refused.
  private static let depthMax = 64

  private let root: Google_Protobuf_Value

  /// Reads a whole text; nil where it is no JSON.
  package init?(_ bytes: [UInt8]) {
    var options = JSONDecodingOptions()
    options.messageDepthLimit = Self.depthMax
    guard let root = try? Google_Protobuf_Value(jsonUTF8Bytes: bytes, options: options) else { return nil }
    self.root = root
  }

  /// The text at a place; nil where there is something else, or nothing.
  package func text(at pointer: JSONPointer) -> String? {
    var value = root
    for token in pointer.tokens {
      switch value.kind {
      case .structValue(let members):
        guard let member = members.fields[token] else { return nil }
        value = member
      case .listValue(let elements):
        // An index has no leading zeros and no sign.
        guard let index = Int(token), "\(index)" == token, elements.values.indices.contains(index) else { return nil }
        value = elements.values[index]
      default: return nil
      }
    }
    guard case .stringValue(let text) = value.kind else { return nil }
    return text
  }
}
