// The destination of log events: a line each on the standard error; events at info or above also go to operators'
// consoles.
//
// A value. Any thread; nobody waits for it.
import Game
import Glibc
import Logging
import Server

package struct LineLogHandler: LogHandler {
  package enum Format: String, CaseIterable, Sendable {
    case text, json
    /// For systemd's journal, which keeps time and level itself.
    case journal

    /// The format for the standard error: text for a terminal, lines of a journal for the journal, JSON for programs.
    package static var ofStandardError: Format {
      if isatty(STDERR_FILENO) == 1 { return .text }
      return isJournal(STDERR_FILENO, by: getenv("JOURNAL_STREAM").map { String(cString: $0) }) ? .journal : .json
    }

    /// Whether a descriptor is the journal's socket, as the variable `JOURNAL_STREAM` names it: device, colon, inode
    /// (systemd.exec(5)). A process that was started by a service and writes elsewhere has the variable too.
    package static func isJournal(_ descriptor: Int32, by name: String?) -> Bool {
      var status = stat()
      guard let name, fstat(descriptor, &status) == 0 else { return false }
      return name == "\(status.st_dev):\(status.st_ino)"
    }
  }

  /// The recent events for consoles, shared by all handlers.
  package static let recentEntries = RecentLogEntries()

  private let label: String
  private let format: Format
  package var logLevel: Logger.Level
  package var metadata: Logger.Metadata = [:]

  package init(label: String, _ format: Format, _ levels: LogLevels) {
    self.label = label
    self.format = format
    logLevel = levels.level(of: label)
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    let line = LogLine(.now, event.level, label, "\(event.message)", all.mapValues { "\($0)" })
    if event.level >= .info {
      Self.recentEntries.add(atMs: line.time.milliseconds, level: line.level.rawValue, line.said)
    }
    let lost = write(line)
    if lost > 0 {
      _ = write(
        LogLine(
          .now,
          .warning,
          LogLabel.server.rawValue,
          "lines of the log were lost: nobody took them",
          ["lines": "\(lost)"]
        )
      )
    }
  }

  /// Writes a line; returns the number of lost lines before it.
  private func write(_ line: LogLine) -> Int {
    let text =
      switch format {
      case .text: line.text
      case .json: line.json
      case .journal: line.journal
      }
    return LogWriter.standardError.write(Array(text.utf8))
  }
}
