// The measurements of the bots, added up, and their table.
//
// A value: each shard of bots fills its own, the command adds them up.
import Histogram

struct Results: Sendable {
  var connects = 0
  var messagesOut = 0
  var movesOut = 0
  var ticksIn = 0
  var chatsIn = 0
  var verdicts = 0
  var captures = 0
  var resumes = 0
  var expectations = ExpectationCounts()
  /// The expectations that the participating bots can check.
  var personas: Set<Expectation> = []
  /// Error messages, by code; broken connections under `DISCONNECTED`, and unfinished work under `UNFINISHED`.
  var errors: [String: Int] = [:]
  var boards: [Board] = []
  var phones: [PhoneOutcome] = []
  /// The round trips; microseconds.
  var roundTrips = Results.emptyHistogram
  var tickLateness = Results.emptyHistogram

  struct Board: Sendable {
    let room: Int
    let rows: [Row]
  }

  struct Row: Sendable {
    let rank: UInt32
    let course: String
    let points: UInt32
    let distanceM: UInt32
  }

  /// A range of 1 µs to a minute, with three digits.
  static var emptyHistogram: Histogram<UInt32> {
    Histogram(lowestDiscernibleValue: 1, highestTrackableValue: 60_000_000, numberOfSignificantValueDigits: .three)
  }

  var errorCount: Int { errors.values.reduce(0, +) }

  mutating func note(error: String) {
    errors[error, default: 0] += 1
  }

  mutating func add(_ other: Results) {
    connects += other.connects
    messagesOut += other.messagesOut
    movesOut += other.movesOut
    ticksIn += other.ticksIn
    chatsIn += other.chatsIn
    verdicts += other.verdicts
    captures += other.captures
    resumes += other.resumes
    expectations.add(other.expectations)
    personas.formUnion(other.personas)
    errors.merge(other.errors, uniquingKeysWith: +)
    boards += other.boards
    phones += other.phones
    roundTrips.add(other.roundTrips)
    tickLateness.add(other.tickLateness)
  }
}

extension Histogram<UInt32> {
  /// A percentile of microseconds, in milliseconds with a fraction; nil where nothing was recorded.
  func ms(_ percentile: Double) -> Double? {
    totalCount == 0 ? nil : Double(valueAtPercentile(percentile)) / 1_000
  }

  /// The percentiles of microseconds, in milliseconds, for a line of a report; `none` where nothing was recorded.
  var percentiles: String {
    guard let p50 = ms(50), let p99 = ms(99), let p999 = ms(99.9), let most = ms(100) else { return "none" }
    return "p50 \(p50) ms, p99 \(p99) ms, p99.9 \(p999) ms, max \(most) ms"
  }
}

// The table.
extension Results {
  func table(server: ServerUsage) -> String {
    func fixed(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
    func row(_ name: String, _ value: String) -> String {
      name + String(repeating: " ", count: max(1, 26 - name.count)) + value
    }
    var lines = [
      row("connects", "\(connects)"),
      row("messages sent", "\(messagesOut), \(movesOut) of them positions"),
      row("tick frames received", "\(ticksIn)"),
      row("chats received", "\(chatsIn)"),
      row("fixes refused", "\(verdicts)"),
      row("captures", "\(captures)"),
      row("resumes", "\(resumes)"),
      row("tick lateness", tickLateness.percentiles),
      row("round trip", roundTrips.percentiles),
      row("errors", "\(errorCount)"),
    ]
    if let cpu = server.cpuMicroseconds, ticksIn > 0 {
      lines.append(
        row("server CPU", "\(cpu / 1_000) ms, \(fixed(Double(cpu) / Double(ticksIn))) µs for each tick frame")
      )
    }
    if let (cpu, seconds, frames) = server.whileAllPlay {
      let share = "\(cpu / 1_000) ms in \(fixed(seconds)) s: \(fixed(Double(cpu) / seconds / 10_000)) % of a core"
      let each = frames > 0 ? ", \(fixed(Double(cpu) / Double(frames))) µs for each of \(frames) tick frames" : ""
      lines.append(row("  while all rooms play", share + each))
    }
    for (code, count) in errors.sorted(by: { $0.key < $1.key }) { lines.append(row("  \(code)", "\(count)")) }
    lines += phoneLines + expectations.lines
    let shown = boards.sorted { $0.room < $1.room }.prefix(5)
    for board in shown {
      lines.append("board of room \(board.room + 1)")
      for row in board.rows {
        let rank = row.rank == 0 ? "–" : "\(row.rank)."
        lines.append("  \(rank) \(row.points) points  \(row.distanceM) m  \(row.course)")
      }
    }
    if boards.count > shown.count { lines.append("… and \(boards.count - shown.count) boards more") }
    return lines.joined(separator: "\n")
  }
}
