// The text format that Prometheus scrapes: names, labels, values, and their escaping. Values, no state.
//
// The format is Prometheus' own, version 0.0.4: a family's HELP and TYPE, then one line for each series.

enum SeriesKind: String {
  case counter, gauge, histogram
}

/// The labels of a series, ordered by name, in the text's form: `mode="LAND",phase="LOBBY"`.
struct Labels: Hashable, Comparable, Sendable {
  let text: String

  init(_ dimensions: [(String, String)]) {
    text = dimensions.sorted { $0.0 < $1.0 }
      .map { "\(MetricName.checkedLabel($0.0))=\"\(Self.escaped($0.1))\"" }
      .joined(separator: ",")
  }

  static func < (left: Self, right: Self) -> Bool { left.text < right.text }

  private static func escaped(_ value: String) -> String {
    ExpositionText.escaped(value).replacing("\"", with: "\\\"")
  }
}

enum MetricName {
  /// A valid name; invalid characters become underscores.
  static func checked(_ name: String) -> String { checked(name, allowing: ":") }

  /// A valid label name; label names have no colons.
  static func checkedLabel(_ name: String) -> String { checked(name, allowing: "") }

  private static func checked(_ name: String, allowing more: String) -> String {
    let allowed = name.unicodeScalars.map { scalar in
      let isAllowed = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      return isAllowed || scalar == "_" || more.unicodeScalars.contains(scalar) ? Character(scalar) : "_"
    }
    return allowed.first.map { $0.isNumber ? "_" : "" }.map { $0 + String(allowed) } ?? "_"
  }
}

struct ExpositionText {
  private(set) var text = ""

  mutating func begin(_ name: String, _ kind: SeriesKind, help: String?) {
    if let help { text += "# HELP \(name) \(Self.escaped(help))\n" }
    text += "# TYPE \(name) \(kind.rawValue)\n"
  }

  mutating func append(_ name: String, _ labels: String, _ value: Int64) {
    append(name, labels, text: String(value))
  }

  mutating func append(_ name: String, _ labels: String, _ value: Double) {
    append(name, labels, text: Self.number(value))
  }

  private mutating func append(_ name: String, _ labels: String, text value: String) {
    text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
  }

  /// A number in the format's form; whole numbers have no point.
  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return Int64(exactly: value).map(String.init) ?? String(value)
  }

  static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
  }
}
