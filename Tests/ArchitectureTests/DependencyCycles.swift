// Cycles of files: files of a target that lead back to themselves by mentions of types and functions that other files
// declare.
//
// Pure functions of source text. It reads words, not meaning: a word that is declared twice in a target leads nowhere,
// and a member with a function's name counts as that function.

enum DependencyCycles {
  /// Two files may depend on each other, as a value and its parts do.
  private static let sizeMax = 2

  /// The cycles of more files than `sizeMax` within one target, in order of path.
  static func found(in files: [SourceFile]) -> [[String]] {
    Dictionary(grouping: files.filter { !$0.isGenerated }, by: \.targetFolder).values
      .flatMap { cycles(in: arrows(between: $0)) }
      .filter { $0.count > sizeMax }
      .sorted { $0[0] < $1[0] }
  }

  /// The files that each file depends on, by its place in the list.
  static func arrows(between files: [SourceFile]) -> (paths: [String], arrows: [[Int]]) {
    var homes: [Substring: Set<Int>] = [:]
    for (index, file) in files.enumerated() {
      for name in file.declaredNames { homes[name, default: []].insert(index) }
    }
    let arrows = files.enumerated().map { index, file in
      let leansOn = Set(file.code[...].words).compactMap { word -> Int? in
        guard let home = homes[word], home.count == 1, let only = home.first, only != index else { return nil }
        return only
      }
      return Set(leansOn).sorted()
    }
    return (files.map(\.path), arrows)
  }

  /// Groups of files that lead to each other: each file's reachable files that also reach it.
  private static func cycles(in graph: (paths: [String], arrows: [[Int]])) -> [[String]] {
    let reached = graph.arrows.indices.map { reachable(from: $0, graph.arrows) }
    var isDone = Set<Int>()
    return graph.arrows.indices.compactMap { index in
      guard !isDone.contains(index) else { return nil }
      let cycle = reached[index].filter { $0 == index || reached[$0].contains(index) }.sorted()
      isDone.formUnion(cycle)
      return cycle.count > 1 ? cycle.map { graph.paths[$0] } : nil
    }
  }

  private static func reachable(from start: Int, _ arrows: [[Int]]) -> Set<Int> {
    var reached = Set<Int>()
    var open = arrows[start]
    while let next = open.popLast() {
      if reached.insert(next).inserted { open += arrows[next] }
    }
    return reached
  }
}

extension SourceFile {
  private static let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias", "macro"]

  /// Types, macros and functions that are declared at the beginning of a line, outside of other declarations.
  fileprivate var declaredNames: [Substring] {
    code.split(separator: "\n").compactMap { line in
      guard line.first?.isWhitespace == false, !line.hasPrefix("import ") else { return nil }
      let words = line.words
      guard let kind = words.firstIndex(where: { Self.kinds.contains($0) || $0 == "func" }) else { return nil }
      let name = words.dropFirst(kind + 1).first
      return name.flatMap { words[kind] != "func" || $0.utf8.count > 3 ? $0 : nil }
    }
  }
}

extension Substring {
  /// The words of the text: everything that can be an identifier or a keyword.
  fileprivate var words: [Substring] {
    utf8.split { !(0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x5F) }.map(Substring.init)
  }
}
