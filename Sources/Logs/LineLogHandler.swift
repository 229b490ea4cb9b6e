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

    /// The format for the standard error: text for a terminal, JSON for programs.
    package static var ofStandardError: Format { isatty(STDERR_FILENO) == 1 ? .text : .json }
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
    LogWriter.standardError.write(Array((format == .text ? line.text : line.json).utf8))
  }
}
