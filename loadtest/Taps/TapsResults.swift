// The results of the bots of a `taps`, added up, and the lines of the report.
//
// A value: each shard of bots fills its own, the command adds them up.
import Histogram

struct TapsResults: Sendable {
  var opened = 0
  /// Connections that were lost or never made, by the known reason.
  private(set) var losses: [String: Int] = [:]
  /// Errors that no bot had provoked, by code.
  private(set) var errors: [String: Int] = [:]
  /// Errors that a bot had provoked, by code.
  var refusals: [String: Int] = [:]
  private var faultyLosses = 0
  /// Batches that have counted.
  var counted = 0
  /// Batches that were resent because their answer was lost, and those of them that the server had taken.
  var resent = 0
  var resentTaken = 0
  var drops = 0
  /// Killed apps, those of them whose newest batch was not answered, and those of these batches that the server had
  /// taken.
  var crashes = 0
  var crashesUnanswered = 0
  var crashesTaken = 0
  var replacements = 0
  /// Rooms entered and left.
  var moves = 0
  var choices = 0
  /// Own counts that operators have set to 0.
  var begunAnew = 0
  var rankings = 0
  var rankingBytes = 0
  var expectations = ExpectationCounts()
  var sums = Conservation()
  /// The acknowledged taps of each player.
  var acknowledgedByPlayer: [String: Int64] = [:]
  /// The time from the first sending of a batch to its answer; microseconds, as all below.
  var roundTrips = Results.emptyHistogram
  var lateness = Results.emptyHistogram
  var spread = Results.emptyHistogram
  var sinceAnswer = Results.emptyHistogram
  var sinceSending = Results.emptyHistogram

  var errorCount: Int { errors.values.reduce(0, +) + faultyLosses }

  mutating func note(error code: String) {
    errors[code, default: 0] += 1
  }

  mutating func note(loss why: String, isFault: Bool) {
    losses[why, default: 0] += 1
    if isFault { faultyLosses += 1 }
  }

  /// Notes a ranking's time from due to arrival.
  mutating func note(rankingAfterDue microseconds: Int64) {
    _ = lateness.record(UInt64(max(1, microseconds)))
  }

  mutating func note(_ late: RankingTimes.Lateness) {
    func record(_ microseconds: Int64?, _ histogram: inout Histogram<UInt32>) {
      if let microseconds { _ = histogram.record(UInt64(max(1, microseconds))) }
    }
    record(late.afterFirst, &spread)
    record(late.sinceAnswer, &sinceAnswer)
    record(late.sinceSending, &sinceSending)
  }

  mutating func add(_ other: TapsResults) {
    opened += other.opened
    losses.merge(other.losses, uniquingKeysWith: +)
    errors.merge(other.errors, uniquingKeysWith: +)
    refusals.merge(other.refusals, uniquingKeysWith: +)
    faultyLosses += other.faultyLosses
    counted += other.counted
    resent += other.resent
    resentTaken += other.resentTaken
    drops += other.drops
    crashes += other.crashes
    crashesUnanswered += other.crashesUnanswered
    crashesTaken += other.crashesTaken
    replacements += other.replacements
    moves += other.moves
    choices += other.choices
    begunAnew += other.begunAnew
    rankings += other.rankings
    rankingBytes += other.rankingBytes
    expectations.add(other.expectations)
    sums.add(other.sums)
    acknowledgedByPlayer.merge(other.acknowledgedByPlayer, uniquingKeysWith: +)
    roundTrips.add(other.roundTrips)
    lateness.add(other.lateness)
    spread.add(other.spread)
    sinceAnswer.add(other.sinceAnswer)
    sinceSending.add(other.sinceSending)
  }

  /// The lines of the report; `seconds` is the duration of tapping.
  func lines(seconds: Double) -> [String] {
    func list(_ counts: [String: Int]) -> String {
      guard !counts.isEmpty else { return "none" }
      return counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
    var lines = [
      "connected           \(opened) times",
      "lost                \(list(losses))",
      "dropped             \(drops), \(replacements) replaced by a second connection; \(moves) rooms entered or left",
      "batches counted     \(counted), \(Int(Double(counted) / seconds)) a second",
      "answers lost        \(resent), to \(resentTaken) batches that had been taken",
      "crashed             \(crashes), \(crashesUnanswered) before an answer, to \(crashesTaken) batches that had been taken",
      "taps acknowledged   \(sums.acknowledgedCount), for \(sums.before.count) schools; \(choices) changes of school",
      "time to the answer  \(roundTrips.percentiles)",
      "refused             \(list(refusals))",
      "errors              \(list(errors))",
    ]
    if begunAnew > 0 { lines.append("begun anew          \(begunAnew) own counts, over what operators did") }
    if rankings > 0 {
      lines += [
        "rankings            \(rankings), \(rankingBytes) bytes, \(rankingBytes / rankings) each",
        "  late, after due   \(lateness.percentiles)",
        "  first to each     \(spread.percentiles)",
        "  behind an answer  \(sinceAnswer.percentiles); to 500 ms of it is waiting for the next",
        "  behind a sending  \(sinceSending.percentiles); the same",
      ]
    }
    return lines + expectations.lines
  }
}
