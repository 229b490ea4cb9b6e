// The results of the bots of `places`, added up, and the lines of the report.
//
// A value.
import Histogram

struct PlaceResults: Sendable {
  var fixesAnswered = 0
  var fenceEvents = 0
  var openable = 0
  var closed = 0
  /// The time from a fix to its answer, and to what it has led to; microseconds.
  var answers = Results.emptyHistogram
  var pushes = Results.emptyHistogram

  mutating func add(_ other: PlaceResults) {
    fixesAnswered += other.fixesAnswered
    fenceEvents += other.fenceEvents
    openable += other.openable
    closed += other.closed
    answers.add(other.answers)
    pushes.add(other.pushes)
  }

  var lines: [String] {
    [
      "fixes answered      \(fixesAnswered), \(answers.percentiles)",
      "told                \(fenceEvents) events of fences, \(openable) capsules openable, \(closed) closed",
      "behind the fix      \(pushes.percentiles)",
    ]
  }
}
