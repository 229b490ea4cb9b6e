// A ramp as a picture: the delivered frames over those due, and the time to an answer beneath.
//
// A value that turns steps into SVG 1.1, without scripts, fonts or external resources.

package struct RampPicture {
  private let steps: [RampStep]
  private let knee: RampStep?
  private let title: String

  private static let widthPx = 660.0
  private static let leftPx = 70.0
  private static let rightPx = 620.0
  /// The upper edge and the base line of a chart.
  private static let framesChart = (top: 40.0, base: 280.0)
  private static let answersChart = (top: 330.0, base: 450.0)
  private static let heightPx = 500.0

  package init(_ steps: RampSteps, players: Int, rateHz: Int, tickHz: Int) {
    self.steps = steps.steps.sorted { $0.duePerSecond < $1.duePerSecond }
    knee = steps.knee
    title = "Rooms of \(players), positions at \(rateHz) Hz, ticks at \(tickHz) Hz: tick frames a second, answers"
  }

  /// The whole picture.
  package var svg: String {
    let dueMax = Self.roundedUp(steps.map(\.duePerSecond).max() ?? 1)
    let msMax = Self.roundedUp(steps.compactMap(\.answerP99Ms).max() ?? 1)
    func x(_ due: Double) -> Double { Self.leftPx + (Self.rightPx - Self.leftPx) * due / dueMax }
    func y(_ value: Double, of most: Double, _ chart: (top: Double, base: Double)) -> Double {
      chart.base - (chart.base - chart.top) * value / most
    }
    var lines = [
      #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(Self.px(Self.widthPx))" height="\#(Self.px(Self.heightPx))" "#
        + #"viewBox="0 0 \#(Self.px(Self.widthPx)) \#(Self.px(Self.heightPx))" font-family="sans-serif" font-size="12">"#,
      "<title>\(title)</title>",
      ##"<rect width="100%" height="100%" fill="#fff"/>"##,
      ##"<text x="\##(Self.px(Self.leftPx))" y="22" font-size="14" fill="#222">\##(title)</text>"##,
    ]
    for (chart, most, unit) in [(Self.framesChart, dueMax, ""), (Self.answersChart, msMax, " ms")] {
      for tick in 0...4 {
        let value = most * Double(tick) / 4
        let line = y(value, of: most, chart)
        lines.append(Self.line((Self.leftPx, line), (Self.rightPx, line), ##"stroke="#ddd""##))
        lines.append(Self.text("\(RampSteps.text(value, digits: 0))\(unit)", Self.leftPx - 6, line + 4, anchor: "end"))
      }
    }
    for tick in 0...4 {
      let due = dueMax * Double(tick) / 4
      lines.append(
        Self.text(RampSteps.text(due, digits: 0), x(due), Self.answersChart.base + 18, anchor: "middle")
      )
    }
    lines.append(Self.text("frames due a second", Self.rightPx, Self.answersChart.base + 36, anchor: "end"))
    let corner = (x(dueMax), y(dueMax, of: dueMax, Self.framesChart))
    lines.append(Self.line((x(0), Self.framesChart.base), corner, ##"stroke="#aaa" stroke-dasharray="4 4""##))
    if let knee {
      let ends = ((x(knee.duePerSecond), Self.framesChart.top), (x(knee.duePerSecond), Self.answersChart.base))
      lines.append(Self.line(ends.0, ends.1, ##"stroke="#c60" stroke-dasharray="2 3""##))
      lines.append(Self.text("knee", x(knee.duePerSecond) + 5, Self.framesChart.top + 10, anchor: "start"))
    }
    lines += Self.curve(
      steps.map { (x($0.duePerSecond), y($0.deliveredPerSecond, of: dueMax, Self.framesChart)) },
      color: "#06c"
    )
    lines.append(Self.text("delivered", Self.leftPx + 8, Self.framesChart.top + 10, anchor: "start", color: "#06c"))
    for (value, color, name) in [(\RampStep.answerP99Ms, "#a03", "p99"), (\.answerP50Ms, "#393", "p50")] {
      let points = steps.compactMap { step in
        step[keyPath: value].map { (x(step.duePerSecond), y($0, of: msMax, Self.answersChart)) }
      }
      lines += Self.curve(points, color: color)
      guard let first = points.first else { continue }
      lines.append(Self.text(name, first.0 - 4, first.1 - 6, anchor: "end", color: color))
    }
    return (lines + ["</svg>", ""]).joined(separator: "\n")
  }

  /// The next 1, 2, 4, 6 or 8 of a power of ten that is not below `value`.
  private static func roundedUp(_ value: Double) -> Double {
    var unit = 1.0
    while unit * 10 < value { unit *= 10 }
    return [1, 2, 4, 6, 8, 10].map { $0 * unit }.first { $0 >= value } ?? value
  }

  private static func curve(_ points: [(Double, Double)], color: String) -> [String] {
    let text = points.map { "\(px($0.0)),\(px($0.1))" }.joined(separator: " ")
    return [##"<polyline points="\##(text)" fill="none" stroke="\##(color)" stroke-width="2"/>"##]
      + points.map { ##"<circle cx="\##(px($0.0))" cy="\##(px($0.1))" r="3" fill="\##(color)"/>"## }
  }

  private static func line(_ from: (Double, Double), _ to: (Double, Double), _ style: String) -> String {
    #"<line x1="\#(px(from.0))" y1="\#(px(from.1))" x2="\#(px(to.0))" y2="\#(px(to.1))" \#(style)/>"#
  }

  private static func text(_ text: String, _ x: Double, _ y: Double, anchor: String, color: String = "#444") -> String {
    #"<text x="\#(px(x))" y="\#(px(y))" text-anchor="\#(anchor)" fill="\#(color)">\#(text)</text>"#
  }

  private static func px(_ value: Double) -> String { RampSteps.text(value) }
}
