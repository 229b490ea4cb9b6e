// The words of lists for the levels of schools, and the level of a school whose list does not name it. Pure.
// Decisions: 066 (docs/decisions).
import Foundation
import Game

extension SchoolLevel {
  /// The word of a list for the level.
  var word: String {
    switch self {
    case .elementary: "초등학교"
    case .middle: "중학교"
    case .high: "고등학교"
    case .special: "특수학교"
    case .other: "기타"
    }
  }

  /// The first letter of identifiers from a list of this level that numbers its schools by itself. Its meaning never
  /// changes.
  var letter: String {
    switch self {
    case .elementary: "E"
    case .middle: "M"
    case .high: "H"
    case .special: "S"
    case .other: "O"
    }
  }

  /// The levels that a name may tell.
  private static let named: [SchoolLevel] = [.elementary, .middle, .high, .special]

  /// The level for a word of the national list; `.other` for unknown words.
  init(word: String) {
    self = Self.allCases.first { $0.word == word.trimmingCharacters(in: .whitespacesAndNewlines) } ?? .other
  }

  /// The level by a school's kind, or else by its name. High schools are of many kinds (`일반고`, `특성화고`, `자율고`). Nil
  /// where neither tells it.
  init?(kind: String, name: String) {
    let kind = kind.trimmingCharacters(in: .whitespacesAndNewlines)
    if let level = Self.named.first(where: { $0.word == kind }) {
      self = level
    } else if kind == "각종학교" || kind == "대안학교" {
      self = .other
    } else if kind.hasSuffix("고") {
      self = .high
    } else {
      self.init(name: name)
    }
  }

  /// The only level whose word is in a name; nil for none or several.
  private init?(name: String) {
    let letters = name.filter(\.isLetter)
    let found = Self.named.filter { letters.contains($0.word) }
    // One word may stand for two levels: `가람초·중학교`, `나루중고등학교`.
    guard let level = found.first, found.count == 1, !letters.contains("초중학교"), !letters.contains("중고등학교") else {
      return nil
    }
    self = level
  }

  /// The single most frequent level; `.other` without one.
  init(mostOf levels: some Sequence<SchoolLevel>) {
    var counts: [SchoolLevel: Int] = [:]
    for level in levels { counts[level, default: 0] += 1 }
    let most = counts.values.max()
    let first = counts.filter { $0.value == most }.keys
    self = if let level = first.first, first.count == 1 { level } else { .other }
  }
}
