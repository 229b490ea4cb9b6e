// Which events are logged: a level for all labels, and others for some.
//
// A value. `madang.rooms` is a part of `madang`: of the levels that are named for a label and its parents the nearest counts.
import Logging

package struct LogLevels: Sendable {
  private var levels: [String: Logger.Level] = ["": .info]

  package init() {}

  /// Reads `warning` or `info,madang.rooms=debug,madang.sessions=notice`: a level alone is that of all other labels.
  ///
  /// - Throws: `Unreadable` with the part that is neither a level nor LABEL=LEVEL.
  package init(_ text: String) throws(Unreadable) {
    for part in text.split(separator: ",") {
      let words = part.split(separator: "=", omittingEmptySubsequences: false)
      guard words.count <= 2, let last = words.last, let level = Logger.Level(rawValue: last.lowercased()),
        words.count == 1 || !words[0].isEmpty
      else { throw Unreadable(part: String(part)) }
      levels[words.count == 1 ? "" : String(words[0])] = level
    }
  }

  package struct Unreadable: Error, Hashable {
    package let part: String

    package init(part: String) {
      self.part = part
    }
  }

  package func level(of label: String) -> Logger.Level {
    var name = Substring(label)
    while true {
      if let level = levels[String(name)] { return level }
      name = name.lastIndex(of: ".").map { name[..<$0] } ?? ""
    }
  }
}
