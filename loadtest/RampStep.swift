// The measurements of a `ramp`: one for each number of rooms, the knee among them, and their table.
//
// Values.

/// One measurement with a number of games.
package struct RampStep: Sendable, Equatable {
  package var rooms: Int
  /// The tick frames that are due, and those that came, in a second.
  package var duePerSecond: Double
  package var deliveredPerSecond: Double
  /// The time to an answer, and the lateness of ticks against the least late one; milliseconds, nil for none.
  package var answerP50Ms: Double?
  package var answerP99Ms: Double?
  package var lateP99Ms: Double?
  /// The server's CPU time for each delivered frame; microseconds, nil where it is not known.
  package var cpuUsPerFrame: Double?
  /// The bots' share of one core.
  package var botCPUShare: Double
  /// The share of the time in which the bots waited for a processor that others had.
  package var botWaitShare: Double
  /// Errors and disconnects meanwhile.
  package var errors: Int

  package init(
    rooms: Int,
    duePerSecond: Double,
    deliveredPerSecond: Double,
    answerP50Ms: Double? = nil,
    answerP99Ms: Double? = nil,
    lateP99Ms: Double? = nil,
    cpuUsPerFrame: Double? = nil,
    botCPUShare: Double = 0,
    botWaitShare: Double = 0,
    errors: Int = 0
  ) {
    self.rooms = rooms
    self.duePerSecond = duePerSecond
    self.deliveredPerSecond = deliveredPerSecond
    self.answerP50Ms = answerP50Ms
    self.answerP99Ms = answerP99Ms
    self.lateP99Ms = lateP99Ms
    self.cpuUsPerFrame = cpuUsPerFrame
    self.botCPUShare = botCPUShare
    self.botWaitShare = botWaitShare
    self.errors = errors
  }

  package var share: Double { deliveredPerSecond / duePerSecond }
}

/// All steps of a ramp.
package struct RampSteps: Sendable {
  /// A server keeps up while at least this share of the due frames is delivered.
  package static let shareMin = 0.98
  /// Beyond this share of a core the bots may be what gives in.
  package static let botCPUShareMax = 0.9
  /// Bots that wait longer for a processor are late, whatever the server does. On a quiet machine it is 0.01 to 0.06.
  package static let botWaitShareMax = 0.1

  package private(set) var steps: [RampStep] = []
  /// The highest shares of all measurements.
  private var botCPUShareHighest = 0.0
  private var botWaitShareHighest = 0.0

  package init() {}

  package mutating func append(_ step: RampStep) {
    steps.append(step)
    noteBots(of: step)
  }

  /// Notes how busy the bots were in a measurement, which need not be one of the steps.
  package mutating func noteBots(of step: RampStep) {
    botCPUShareHighest = max(botCPUShareHighest, step.botCPUShare)
    botWaitShareHighest = max(botWaitShareHighest, step.botWaitShare)
  }

  /// The step with the most delivered frames at which the server kept up; nil for none.
  package var knee: RampStep? {
    steps.filter { $0.share >= Self.shareMin }.max { $0.deliveredPerSecond < $1.deliveredPerSecond }
  }

  /// Why the bots and not the server may be what gave in; nil for a run that counts.
  package var flaw: String? {
    if botCPUShareHighest > Self.botCPUShareMax {
      return "the bots took \(Self.text(botCPUShareHighest * 100, digits: 0)) % of a core"
    }
    if botWaitShareHighest > Self.botWaitShareMax {
      return "the bots waited \(Self.text(botWaitShareHighest * 100, digits: 0)) % of the time for a processor"
    }
    return nil
  }

  package static func text(_ value: Double?, digits: Int = 1) -> String {
    guard let value else { return "-" }
    let scale = digits == 0 ? 1.0 : digits == 1 ? 10 : 100
    let scaled = Int((value * scale).rounded())
    guard digits > 0 else { return "\(scaled)" }
    let fraction = String(scaled % Int(scale))
    return "\(scaled / Int(scale))." + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  package static let header = row([
    "rooms", "due/s", "delivered/s", "share", "answers p50", "p99 ms", "late p99 ms", "CPU µs/frame", "bots' CPU",
    "wait", "errors",
  ])

  package static func line(_ step: RampStep) -> String {
    row([
      "\(step.rooms)",
      text(step.duePerSecond, digits: 0),
      text(step.deliveredPerSecond, digits: 0),
      text(step.share * 100) + " %",
      text(step.answerP50Ms),
      text(step.answerP99Ms),
      text(step.lateP99Ms),
      text(step.cpuUsPerFrame, digits: 2),
      text(step.botCPUShare * 100, digits: 0) + " %",
      text(step.botWaitShare * 100, digits: 0) + " %",
      "\(step.errors)",
    ])
  }

  private static func row(_ cells: [String]) -> String {
    cells.map { String(repeating: " ", count: max(0, 12 - $0.count)) + $0 }.joined(separator: " ")
  }
}
