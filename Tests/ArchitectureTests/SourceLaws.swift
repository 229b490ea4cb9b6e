// The laws of every hand-written file of the project that can be checked in its text: length, opening comment, names,
// and unused constructs.
//
// Pure functions from a file to complaints. Rules that a formatter or the compiler already enforces are not repeated.

enum SourceLaws {
  static let lineCountMax = 399
  /// The formatter wraps code, but no comments.
  static let commentColumnsMax = 120

  /// Words that name nothing of the field.
  static let emptyWords: Set<Substring> = [
    "Base", "Helper", "Helpers", "Impl", "Manager", "Managers", "Util", "Utils", "Utility", "Utilities",
  ]

  /// The files that may say `@unchecked Sendable`, each with the reason in a comment there.
  static let uncheckedSendableFiles: Set<String> = []

  static func complaints(about file: SourceFile) -> [Complaint] {
    guard !file.isGenerated else { return [] }
    return length(of: file) + comments(in: file) + opening(of: file) + names(in: file) + escapes(in: file)
      + locks(in: file) + floatingPoint(in: file)
  }

  private static func length(of file: SourceFile) -> [Complaint] {
    guard file.lineCount > lineCountMax else { return [] }
    let explanation = "\(file.lineCount) lines; a file has at most \(lineCountMax)"
    return [Complaint(path: file.path, line: lineCountMax + 1, explanation: explanation)]
  }

  private static func comments(in file: SourceFile) -> [Complaint] {
    file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
      guard line.count > commentColumnsMax, line.drop(while: { $0 == " " }).hasPrefix("//") else { return nil }
      let explanation = "a comment of \(line.count) columns; a line has at most \(commentColumnsMax)"
      return Complaint(path: file.path, line: index + 1, explanation: explanation)
    }
  }

  private static func opening(of file: SourceFile) -> [Complaint] {
    guard !file.text.hasPrefix("//") else { return [] }
    let explanation = "a file opens with a comment: its role, who owns it, what it must never do"
    return [Complaint(path: file.path, line: 1, explanation: explanation)]
  }

  private static func names(in file: SourceFile) -> [Complaint] {
    let fileName = file.path.split(separator: "/").last ?? ""
    let ofFile = emptyWord(in: fileName).map {
      Complaint(path: file.path, line: 1, explanation: "a file named \($0): name what the thing is")
    }
    let declaration = #/\b(?:struct|class|enum|actor|protocol|typealias|macro)\s+([A-Z_]\w*)/#
    let ofTypes = file.code.matches(of: declaration).compactMap { match in
      emptyWord(in: match.output.1).map {
        let explanation = "\(match.output.1) is named \($0): name what the thing is"
        return Complaint(path: file.path, line: file.line(of: match.output.1.startIndex), explanation: explanation)
      }
    }
    return (ofFile.map { [$0] } ?? []) + ofTypes
  }

  /// The first empty word among the capitalised words of a name: `Manager` of `RoomManager`, nothing of `Database`.
  private static func emptyWord(in name: Substring) -> Substring? {
    name.matches(of: #/[A-Z][a-z0-9]*/#).map(\.output).first { emptyWords.contains($0) }
  }

  private static func escapes(in file: SourceFile) -> [Complaint] {
    let testable = file.complaints(where: #/@testable\b/#) { _ in
      "@testable: tests use what the package shares"
    }
    let forcedTry = file.complaints(where: #/\btry!/#) { _ in
      "try! turns an error into a crash"
    }
    let unchecked = file.complaints(where: #/@unchecked\b/#) { _ in
      "@unchecked Sendable: let the compiler check, or add the file to the exceptions"
    }
    return testable + forcedTry + (uncheckedSendableFiles.contains(file.path) ? [] : unchecked)
  }

  /// Complaints about locks that have no place in the order of locks. Tests' own locks need none.
  private static func locks(in file: SourceFile) -> [Complaint] {
    guard file.path.hasPrefix("Sources/"), !file.path.hasPrefix("Sources/Locks/") else { return [] }
    return file.complaints(where: #/\b(?:Mutex|NSLock|NSRecursiveLock|pthread_mutex_t)\b/#) {
      "\($0) has no place in the order of locks; OrderedMutex has"
    }
  }

  /// Complaints about floating point: the rules of play compute in integers alone, so that a game is the same on every
  /// machine.
  private static func floatingPoint(in file: SourceFile) -> [Complaint] {
    guard file.path.hasPrefix("Sources/Game/") else { return [] }
    let type = #/\b(?:Float(?:16|32|64|80)?|Double|CGFloat)\b/#
    // Not after a dot or a word: `pair.0.1` is no number.
    let literal = #/(?m)(?:^|[^.\w])\d[\d_]*(?:\.\d|[eE][+\-]?\d)/#
    return file.complaints(where: type) { "\($0) in the rules of play, which know integers only" }
      + file.complaints(where: literal) { _ in "a floating-point number in the rules of play, which know integers only"
      }
  }
}
