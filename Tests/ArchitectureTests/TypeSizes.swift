// The size of types: the lines of a type's declaration and of all its extensions in its target.
//
// Pure functions of source text; a nested type counts as part of the outer one.

enum TypeSizes {
  static let linesMax = 800

  /// The lines of each type, by the folder of the target and the type's name.
  static func lines(in files: [SourceFile]) -> [String: Int] {
    var lines: [String: Int] = [:]
    for file in files where !file.isGenerated {
      for (name, count) in file.typeLines { lines["\(file.targetFolder)/\(name)", default: 0] += count }
    }
    return lines
  }

  /// The types that are too large, each with its lines.
  static func complaints(about files: [SourceFile]) -> [String] {
    lines(in: files).filter { $0.value > linesMax }.sorted { $0.key < $1.key }.map {
      "\($0.key) has \($0.value) lines over all its extensions; a type has at most \(linesMax)"
    }
  }
}

extension SourceFile {
  private static let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "extension"]

  /// The types that are declared or extended at the beginning of a line, each with the number of lines.
  fileprivate var typeLines: [(name: String, lines: Int)] {
    var found: [(name: String, lines: Int)] = []
    var open: (name: String, first: Int)?
    for (index, line) in code.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let first = line.first, !first.isWhitespace else { continue }
      if first == "}", let type = open {
        found.append((type.name, index - type.first + 1))
        open = nil
      } else if let name = Self.typeName(in: line) {
        if line.contains("}") { found.append((name, 1)) } else { open = (name, index) }
      }
    }
    return found
  }

  private static func typeName(in line: Substring) -> String? {
    let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    guard let kind = words.firstIndex(where: kinds.contains), !words[..<kind].contains("func") else { return nil }
    return words.dropFirst(kind + 1).first.map(String.init)
  }
}
