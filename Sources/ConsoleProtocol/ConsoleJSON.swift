// The JSON of the console's messages: swift-protobuf's, with this schema's rules.
//
// Values in, values out; no state. Any bytes from a peer end in a message or in an error. Unknown members are ignored,
// so that either side may be newer.
// Decisions: 084 (docs/decisions).
import SwiftProtobuf

extension Message {
  /// Reads a message from JSON.
  package init(consoleJSON bytes: [UInt8]) throws {
    var options = JSONDecodingOptions()
    options.ignoreUnknownFields = true
    options.messageDepthLimit = ConsoleJSON.depthMax
    try self.init(jsonUTF8Bytes: bytes, options: options)
  }

  /// The message as JSON.
  package var consoleJSON: [UInt8] {
    var options = JSONEncodingOptions()
    options.alwaysPrintInt64sAsNumbers = true
    options.useDeterministicOrdering = true
    do {
      return try jsonUTF8Bytes(options: options)
    } catch {
      preconditionFailure("the schema has no Any, so every message of it can be written: \(error)")
    }
  }

  /// The message as JSON, and behind its members others that are JSON already: parts of players' messages, which this
  /// schema does not repeat.
  package func consoleJSON(with others: KeyValuePairs<String, [UInt8]>) -> [UInt8] {
    var json = consoleJSON
    json.removeLast()
    for (name, value) in others {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      json += "\"\(name)\":".utf8
      json += value
    }
    json.append(UInt8(ascii: "}"))
    return json
  }
}

extension FeedUpdate {
  /// The JSON of its one member.
  package var contentJSON: [UInt8] {
    let json = consoleJSON
    guard let colon = json.firstIndex(of: UInt8(ascii: ":")) else { preconditionFailure("an update has one member") }
    return Array(json[(colon + 1)..<(json.count - 1)])
  }
}

package enum ConsoleJSON {
  /// The schema's deepest message has 4 levels; deeper ones have unknown members, and are refused beyond this depth.
  package static let depthMax = 8

  /// Whether bytes are a value of JSON, of whatever form.
  package static func isValue(_ bytes: [UInt8]) -> Bool {
    (try? Google_Protobuf_Value(jsonUTF8Bytes: bytes)) != nil
  }
}
