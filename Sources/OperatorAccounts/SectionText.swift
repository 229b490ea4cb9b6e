// The form of the files beside the data that people may read: sections of lines `name = value`. Pure.
//
// Reading is strict, and a fault names its line: a file of secrets is never half understood.

/// A section: `[KIND NAME]`, and its fields.
struct Section: Hashable, Sendable {
  let kind: String
  let name: String
  private(set) var fields: [String: String] = [:]
  /// The line of its heading.
  private(set) var line = 0

  init(_ kind: String, _ name: String, line: Int = 0) {
    self.kind = kind
    self.name = name
    self.line = line
  }

  /// A field's value; nil removes it. Line breaks would begin another field.
  subscript(_ field: String) -> String? {
    get { fields[field] }
    set {
      precondition(newValue?.contains { $0.isNewline } != true, "a field has one line")
      fields[field] = newValue
    }
  }

  func integer(_ field: String) -> Int64? { fields[field].flatMap { Int64($0) } }
}

/// The fault of a file, for its owner.
package struct OperatorFileFault: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

enum SectionText {
  /// Reads all sections of a text, in their order.
  static func sections(of text: String) throws(OperatorFileFault) -> [Section] {
    var sections: [Section] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.trimmed
      if line.isEmpty || line.hasPrefix("#") { continue }
      if line.hasPrefix("["), line.hasSuffix("]") {
        let words = line.dropFirst().dropLast().split(separator: " ")
        guard words.count == 2 else { throw fault(index, "a section has a kind and a name") }
        sections.append(Section(String(words[0]), String(words[1]), line: index + 1))
        continue
      }
      guard let equals = line.firstIndex(of: "="), !sections.isEmpty else {
        throw fault(index, "a line is name = value, behind the heading of a section")
      }
      let (name, value) = (String(line[..<equals].trimmed), String(line[line.index(after: equals)...].trimmed))
      guard sections[sections.count - 1][name] == nil else { throw fault(index, "\(name) stands there twice") }
      sections[sections.count - 1][name] = value
    }
    return sections
  }

  /// The text of sections behind a remark.
  static func text(_ remark: [String], _ sections: [Section]) -> String {
    var lines = remark.map { "# \($0)" }
    for section in sections {
      lines += ["", "[\(section.kind) \(section.name)]"]
      lines += section.fields.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func fault(_ index: Int, _ what: String) -> OperatorFileFault {
    OperatorFileFault("line \(index + 1): \(what)")
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
    var text = self
    while let first = text.first, isBlank(first) { text.removeFirst() }
    while let last = text.last, isBlank(last) { text.removeLast() }
    return text
  }
}
