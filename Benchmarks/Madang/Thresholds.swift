// The bounds for the figures: one `name <= bound` or `name >= bound` a line, `#` begins a comment.
//
// A value, read from a committed file. Bounds are on ratios of one run and on counts, never on times, which depend more
// on the machine than on the server.
struct Thresholds {
  private struct Bound {
    let value: Double
    let isUpper: Bool
  }

  private var bounds: [String: Bound] = [:]
  /// The figures that missed their bounds.
  private(set) var misses: [String] = []

  /// No bounds without a file.
  init(file: String?) throws {
    guard let file else { return }
    for line in try TextFile.read(file).split(separator: "\n") {
      let words = line.prefix { $0 != "#" }.split(separator: " ")
      if words.isEmpty { continue }
      guard words.count == 3, ["<=", ">="].contains(words[1]), let value = Double(words[2]) else {
        throw BenchFailure(description: "\(file): not `name <= bound`: \(line)")
      }
      bounds[String(words[0])] = Bound(value: value, isUpper: words[1] == "<=")
    }
  }

  /// Checks a figure against its bound, if it has one; returns the result as text.
  mutating func check(_ name: String, _ value: Double) -> String {
    guard let bound = bounds[name] else { return "" }
    let text = "\(bound.isUpper ? "at most" : "at least") \(bound.value)"
    if bound.isUpper ? value <= bound.value : value >= bound.value { return "(\(text): ok)" }
    misses.append("\(name) is \(value.fixed(3)), \(text) wanted")
    return "(\(text): MISSED)"
  }
}
