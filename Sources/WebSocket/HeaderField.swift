// One header field of a request or a response, and the lookup of fields. Plain values.
// Names keep their original case; every comparison of names ignores it (RFC 9110 §5.1).

/// A field's name and value, without the white space around the value.
package struct HeaderField: Sendable, Equatable {
  /// A token, in its original case.
  package let name: String
  /// Holds no control character but tabs. A peer's bytes that are no UTF-8 appear as U+FFFD.
  package let value: String

  /// A field to send. The value must be one line: a line break in it would forge further fields.
  package init(_ name: String, _ value: String) {
    precondition(HTTPGrammar.isToken(name.utf8), "a field name is a token")
    precondition(value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }, "a field value is one line")
    self.name = name
    self.value = value
  }
}

extension [HeaderField] {
  /// The values of all fields of this name, in order of appearance.
  package func values(of name: String) -> [String] {
    filter { HTTPGrammar.equalIgnoringCase($0.name, name) }.map(\.value)
  }

  /// The elements of all comma-separated values of this name, in order, empty ones left out.
  func listElements(of name: String) -> [String] {
    values(of: name).flatMap(HTTPGrammar.listElements)
  }

  /// Whether the lists of this name hold the element, in any case.
  func list(of name: String, contains element: String) -> Bool {
    listElements(of: name).contains { HTTPGrammar.equalIgnoringCase($0, element) }
  }
}
