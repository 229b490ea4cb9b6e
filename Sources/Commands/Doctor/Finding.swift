// The finding of one check of a deployment: a level, a sentence, and the next step. A value.

package struct Finding: Hashable, Sendable, Encodable {
  /// How bad it is. A failure harms players now; a warning will, or may.
  package enum Level: String, Sendable, Encodable {
    case ok, warning, failure
  }

  /// The name of the check, one word of small letters and hyphens.
  package let check: String
  package let level: Level
  /// One sentence without a line's end.
  package let text: String
  /// The next step; nil where nothing is to be done.
  package let advice: String?

  package static func ok(_ check: String, _ text: String) -> Finding {
    Finding(check: check, level: .ok, text: text, advice: nil)
  }

  package static func warning(_ check: String, _ text: String, _ advice: String) -> Finding {
    Finding(check: check, level: .warning, text: text, advice: advice)
  }

  package static func failure(_ check: String, _ text: String, _ advice: String) -> Finding {
    Finding(check: check, level: .failure, text: text, advice: advice)
  }

  /// The finding for a terminal: a line, and below it what to do. A server's words may be in it, so nothing of it
  /// controls the terminal.
  package var lines: [String] {
    let name = check.padding(to: 14)
    let mark =
      switch level {
      case .ok: "ok      "
      case .warning: "warning "
      case .failure: "FAILURE "
      }
    return ["\(mark) \(name) \(text.printable(400))"]
      + (advice.map { ["         \("".padding(to: 14)) → \($0)"] } ?? [])
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

/// All findings of one run.
package struct Findings: Sendable, Encodable {
  /// The URL that was looked at; nil where there was none.
  package let url: String?
  package private(set) var findings: [Finding] = []

  package init(url: String?) {
    self.url = url
  }

  package mutating func add(_ finding: Finding) { findings.append(finding) }

  package mutating func add(_ more: [Finding]) { findings += more }

  package func count(of level: Finding.Level) -> Int { findings.count { $0.level == level } }

  package var hasFailure: Bool { count(of: .failure) > 0 }

  /// The last line for a terminal.
  package var summary: String {
    "\(count(of: .ok)) ok, \(count(of: .warning)) warnings, \(count(of: .failure)) failures"
  }
}
