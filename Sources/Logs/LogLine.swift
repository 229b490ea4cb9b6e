// One event as one line: readable in a terminal, JSON for programs.
//
// A value. No text in it can end the line early or control a terminal.
// Decisions: 086 (docs/decisions).
import Commands
import Game
import Logging

package struct LogLine {
  package let time: Instant
  package let level: Logger.Level
  package let label: String
  package let message: String
  /// The pairs ordered by name.
  package let metadata: [(name: String, value: String)]

  package init(_ time: Instant, _ level: Logger.Level, _ label: String, _ message: String, _ metadata: [String: String])
  {
    self.time = time
    self.level = level
    self.label = label
    self.message = message
    self.metadata = metadata.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }

  /// `2026-11-22T05:30:00.250Z info madang.rooms: game began game=… players=4`
  package var text: String {
    "\(time.utc) \(level) \(label): \(said)\n"
  }

  /// `<6>madang.rooms: game began game=… players=4`, with the level as syslog numbers it (sd-daemon(3)).
  package var journal: String {
    let priority =
      switch level {
      case .trace, .debug: 7
      case .info: 6
      case .notice: 5
      case .warning: 4
      case .error: 3
      case .critical: 2
      }
    return "<\(priority)>\(label): \(said)\n"
  }

  /// The message and metadata without time, level and label.
  package var said: String {
    let pairs = metadata.map { " \($0.name)=\(Self.quotedIfNeeded($0.value))" }.joined()
    return "\(Self.escaped(message))\(pairs)"
  }

  /// `{"time":"…","level":"info","label":"madang.rooms","message":"game began","game":"…","players":"4"}`
  package var json: String {
    let own = [("time", time.utc), ("level", level.rawValue), ("label", label), ("message", message)]
    // A field has one meaning: metadata with these names would hide the line's own fields.
    let pairs =
      own + metadata.map { pair in (own.contains { $0.0 == pair.name } ? "\(pair.name)_" : pair.name, pair.value) }
    return "{" + pairs.map { "\"\(Self.escaped($0.0))\":\"\(Self.escaped($0.1))\"" }.joined(separator: ",") + "}\n"
  }

  private static func quotedIfNeeded(_ value: String) -> String {
    let isPlain =
      !value.isEmpty && value.unicodeScalars.allSatisfy { $0 != " " && $0 != "\"" && $0 != "=" && !isSteering($0) }
    return isPlain ? value : "\"\(escaped(value))\""
  }

  /// The text as JSON has it between quotes (RFC 8259 §7); characters that move or turn a terminal's line are escaped
  /// too.
  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result.append(contentsOf: ["\\", scalar])
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case _ where isSteering(scalar): for unit in String(scalar).utf16 { result.append(contentsOf: escape(unit)) }
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  private static func escape(_ unit: UInt16) -> String.UnicodeScalarView {
    let digits = String(unit, radix: 16)
    return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
  }

  private static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
