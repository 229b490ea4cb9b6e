// The members of the operators' messages, for descriptions of them and for checks of what comes.
//
// Values in, values out; no state. Made from the schema's own text, so that no description can differ from it. Any
// bytes from a peer end in a finding or in nil.
// Decisions: 138 (docs/decisions).
import SwiftProtobuf

package struct ConsoleSchema: Sendable {
  /// The kind of a member's value.
  package indirect enum Kind: Sendable, Equatable {
    case string
    case bool
    case double
    case integer(isUnsigned: Bool)
    /// A message, by its name.
    case message(String)
    /// An object with any names.
    case map(Kind)
    /// A part of players' JSON.
    case any
  }

  package struct Member: Sendable, Equatable {
    /// Its name in JSON.
    package let name: String
    package let kind: Kind
    package let isList: Bool
    /// Its comment; may be empty.
    package let about: String
  }

  package struct Message: Sendable, Equatable {
    package let name: String
    /// Its comment; may be empty.
    package let about: String
    package fileprivate(set) var members: [Member] = []

    package func member(_ name: some StringProtocol) -> Member? { members.first { $0.name == name } }
  }

  /// The schema of the operators' messages.
  package static let console = ConsoleSchema(text)

  private var messages: [String: Message] = [:]

  /// The message of this name; inner ones are named behind a dot.
  package subscript(_ name: String) -> Message {
    guard let message = messages[name] else { preconditionFailure("the schema has no message \(name)") }
    return message
  }

  /// Reads the schema from lines: a message, and indented its members.
  private init(_ text: String) {
    var name = ""
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ": ", maxSplits: 1)
      let about = parts.count > 1 ? String(parts[1]) : ""
      let words = parts[0].split(separator: " ", maxSplits: 1)
      if line.first != " " {
        name = String(parts[0])
        messages[name] = Message(name: name, about: about)
      } else {
        messages[name]?.members.append(Member(String(words[0]), words[1], about))
      }
    }
  }

  /// The names of a message and of all messages in it, in the order in which they are found.
  package func closure(of names: [String]) -> [String] {
    var (found, open) = ([String](), names)
    while let name = open.popLast() {
      guard !found.contains(name) else { continue }
      found.append(name)
      open += self[name].members.compactMap(\.kind.messageName)
    }
    return found
  }
}

extension ConsoleSchema.Member {
  fileprivate init(_ name: String, _ type: Substring, _ about: String) {
    let isList = type.last == "*"
    self.init(name: name, kind: ConsoleSchema.Kind(isList ? type.dropLast() : type), isList: isList, about: about)
  }
}

extension ConsoleSchema.Kind {
  fileprivate init(_ type: Substring) {
    switch type {
    case "string": self = .string
    case "bool": self = .bool
    case "double": self = .double
    case "int32", "int64": self = .integer(isUnsigned: false)
    case "uint32": self = .integer(isUnsigned: true)
    case "any": self = .any
    case _ where type.hasPrefix("map "): self = .map(Self(type.dropFirst("map ".count)))
    default: self = .message(String(type))
    }
  }

  fileprivate var messageName: String? {
    switch self {
    case .message(let name): name
    case .map(let kind): kind.messageName
    default: nil
    }
  }
}

// Messages that come.
extension ConsoleSchema {
  /// The fault of a body that should be an object with some members of a message, and of what lies in them.
  package enum Fault: Error, Equatable {
    case notAnObject
    /// A member that is not known there: its names from the outermost on.
    case unknownMember(String)
  }

  private static let depthMax = 16

  /// Refuses JSON with members that a message does not have: a misspelt one would be left out without a word.
  /// `names` are the members that may stand on the outermost level.
  package func check(_ json: [UInt8], is name: String, with names: [String]) throws(Fault) {
    var options = JSONDecodingOptions()
    options.messageDepthLimit = Self.depthMax
    guard let object = try? Google_Protobuf_Struct(jsonUTF8Bytes: json, options: options) else { throw .notAnObject }
    for key in object.fields.keys.sorted() where !names.contains(key) { throw .unknownMember(key) }
    for member in self[name].members {
      guard let value = object.fields[member.name] else { continue }
      try check(value, is: member.kind, at: member.name)
    }
  }

  private func check(_ value: Google_Protobuf_Value, is kind: Kind, at path: String) throws(Fault) {
    guard case .message(let name) = kind else { return }
    let members = self[name].members
    switch value.kind {
    case .listValue(let list):
      for element in list.values { try check(element, is: kind, at: path) }
    case .structValue(let object):
      for (key, inner) in object.fields {
        guard let member = members.first(where: { $0.name == key }) else { throw .unknownMember("\(path).\(key)") }
        try check(inner, is: member.kind, at: "\(path).\(key)")
      }
    // Another kind of value is refused where the message is read.
    default: break
    }
  }
}
