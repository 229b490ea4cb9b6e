// The log levels: one for all labels, and others for some.
//
// A value. `madang.rooms` is a part of `madang`: the level for the nearest of a label and its parents counts.
import Logging

package struct LogLevels: Sendable {
  private var levels: [String: Logger.Level] = ["": .info]

  package init() {}

  /// Reads `warning` or `info,madang.rooms=debug,madang.store=notice`, with blanks anywhere between words. A level
  /// alone applies to all other labels.
  package init(_ text: String) throws(Fault) {
    for part in text.split(separator: ",").map(Self.trimmed) where !part.isEmpty {
      let words = part.split(separator: "=", omittingEmptySubsequences: false).map(Self.trimmed)
      guard words.count <= 2, let last = words.last, let level = Logger.Level(rawValue: last.lowercased()),
        words.count == 1 || !words[0].isEmpty
      else { throw .unreadable(String(part)) }
      let label = words.count == 1 ? "" : String(words[0])
      guard label.isEmpty || LogLabel(rawValue: label) != nil else { throw .noSuchLabel(label) }
      levels[label] = level
    }
  }

  package enum Fault: Error, Hashable, CustomStringConvertible {
    /// Neither a level nor LABEL=LEVEL.
    case unreadable(String)
    case noSuchLabel(String)

    package var description: String {
      switch self {
      case .unreadable(let part):
        let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
        return "\(part) is neither a level nor LABEL=LEVEL; levels are \(levels)"
      case .noSuchLabel(let label):
        let labels = LogLabel.allCases.map(\.rawValue).joined(separator: ", ")
        return "there is no label \(label); labels are \(labels)"
      }
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop(while: \.isWhitespace)
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
  }

  package func level(of label: String) -> Logger.Level {
    var name = Substring(label)
    while true {
      if let level = levels[String(name)] { return level }
      name = name.lastIndex(of: ".").map { name[..<$0] } ?? ""
    }
  }
}
