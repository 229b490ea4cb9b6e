// Where log events go: to the standard error, one line and one system call for each.
//
// A value. Any thread; lines of several never mix.
import Game
import Glibc
import Logging

struct LineLogHandler: LogHandler {
  enum Format: String, CaseIterable, Sendable {
    case text, json

    /// People read terminals; whatever else there is wants to be told fields apart.
    static var ofStandardError: Format { isatty(STDERR_FILENO) == 1 ? .text : .json }
  }

  private let label: String
  private let format: Format
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  init(label: String, _ format: Format, _ levels: LogLevels) {
    self.label = label
    self.format = format
    logLevel = levels.level(of: label)
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    let line = LogLine(.now, event.level, label, "\(event.message)", all.mapValues { "\($0)" })
    var bytes = Array((format == .text ? line.text : line.json).utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // Nobody listens, and there is nobody to tell.
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
