// What lists call the levels of schools, and which level a school has that its list does not name.
// Decisions: 066 (docs/decisions).
import Foundation
import Game

extension SchoolLevel {
  /// What a list calls it.
  var word: String {
    switch self {
    case .elementary: "초등학교"
    case .middle: "중학교"
    case .high: "고등학교"
    case .special: "특수학교"
    case .other: "기타"
    }
  }

  /// What identifiers begin with that come from a list of such schools which numbers them by itself. Never changes its meaning.
  var letter: String {
    switch self {
    case .elementary: "E"
    case .middle: "M"
    case .high: "H"
    case .special: "S"
    case .other: "O"
    }
  }

  /// Those that a name may tell.
  private static let told: [SchoolLevel] = [.elementary, .middle, .high, .special]

  /// What the national list calls otherwise is `.other`.
  init(word: String) {
    self = Self.allCases.first { $0.word == word.trimmingCharacters(in: .whitespacesAndNewlines) } ?? .other
  }

  /// The level that a school's kind tells, or else its name. High schools are of many kinds (`일반고`, `특성화고`, `자율고`). Nil
  /// where neither does.
  init?(kind: String, name: String) {
    let kind = kind.trimmingCharacters(in: .whitespacesAndNewlines)
    if let level = Self.told.first(where: { $0.word == kind }) {
      self = level
    } else if kind == "각종학교" || kind == "대안학교" {
      self = .other
    } else if kind.hasSuffix("고") {
      self = .high
    } else {
      self.init(name: name)
    }
  }

  /// The only level whose word a name has.
  private init?(name: String) {
    let letters = name.filter(\.isLetter)
    let found = Self.told.filter { letters.contains($0.word) }
    // One word may stand for two levels: `가람초·중학교`, `나루중고등학교`.
    guard let level = found.first, found.count == 1, !letters.contains("초중학교"), !letters.contains("중고등학교") else {
      return nil
    }
    self = level
  }

  /// The one that is there more often than any other; `.other` where none is.
  init(mostOf levels: some Sequence<SchoolLevel>) {
    var counts: [SchoolLevel: Int] = [:]
    for level in levels { counts[level, default: 0] += 1 }
    let most = counts.values.max()
    let first = counts.filter { $0.value == most }.keys
    self = if let level = first.first, first.count == 1 { level } else { .other }
  }
}
