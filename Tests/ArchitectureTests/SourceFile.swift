// One Swift source file for the laws of this folder: its text, and its code with comments and literals blanked out, so
// that mentions never count as code.
//
// A value. It reads text, not meaning: it knows no types and follows no import.

import Foundation

struct SourceFile: Sendable {
  /// Relative to the package, with slashes: `Sources/Game/Room.swift`.
  let path: String
  let text: String
  /// `text` with every character of a comment or of a string literal replaced by a space. Lines keep their places.
  let code: String

  init(path: String, text: String) {
    self.path = path
    self.text = text
    var blanker = CommentAndStringBlanker(text)
    code = blanker.blanked()
  }

  /// The folder that is a target of a Package.swift: `Game` of `Sources/Game/Room.swift`, `Protocol`, `loadtest`,
  /// `Benchmarks/Madang`, `Tests/NetTests`.
  var targetFolder: String {
    let parts = path.split(separator: "/")
    switch parts[0] {
    case "Sources" where parts.count > 2: return String(parts[1])
    case "Benchmarks" where parts.count > 2, "Tests" where parts.count > 2: return "\(parts[0])/\(parts[1])"
    default: return String(parts[0])
    }
  }

  var isGenerated: Bool { path.split(separator: "/").contains("Generated") }

  var lineCount: Int {
    text.split(separator: "\n", omittingEmptySubsequences: false).count - (text.last == "\n" ? 1 : 0)
  }

  /// The complaints for all matches of `law` in the code, each at its line.
  func complaints(
    where law: some RegexComponent,
    _ explain: (Substring) -> String
  ) -> [Complaint] {
    code.matches(of: law).map { match in
      let found = code[match.range]
      let start = found.firstIndex { !$0.isWhitespace } ?? match.range.lowerBound
      return Complaint(path: path, line: line(of: start), explanation: explain(found))
    }
  }

  /// The line, from 1, of a position in `code`.
  func line(of index: String.Index) -> Int {
    1 + code[..<index].count { $0.isNewline }
  }
}

/// A breach of a law at one place.
struct Complaint: CustomStringConvertible, Sendable {
  let path: String
  let line: Int
  let explanation: String

  var description: String { "\(path):\(line): \(explanation)" }
}

/// The package's own sources on disk.
enum SourceTree {
  /// The targets' own files, generated ones included.
  static let targets = Result { try files(below: ["Sources", "Protocol", "loadtest"] + benchmarks) }
  /// Single folders, because a package of its own is built beside them.
  private static let benchmarks = ["Benchmarks/Madang", "Benchmarks/NIOPeer"]
  static let tests = Result { try files(below: ["Tests"]) }

  /// Every Swift file below the given top-level folders, in order of path. Missing folders count as empty.
  private static func files(below folders: [String]) throws -> [SourceFile] {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    var files: [SourceFile] = []
    for folder in folders {
      let paths = FileManager.default.enumerator(atPath: package.appending(path: folder).path())
      while let path = paths?.nextObject() as? String {
        guard path.hasSuffix(".swift") else { continue }
        let text = try String(contentsOf: package.appending(path: "\(folder)/\(path)"), encoding: .utf8)
        files.append(SourceFile(path: "\(folder)/\(path)", text: text))
      }
    }
    return files.sorted { $0.path < $1.path }
  }
}
