// The gateway's own metrics that are recorded where they happen.
//
// Handles of swift-metrics; any thread.
import CoreMetrics

package struct GatewayMetrics: Sendable {
  package let roundTrip: Timer
  package let commitDuration: Timer
  package let commitSize: Recorder

  package init(roundTrip: Timer, commitDuration: Timer, commitSize: Recorder) {
    self.roundTrip = roundTrip
    self.commitDuration = commitDuration
    self.commitSize = commitSize
  }
}

extension Timer {
  package func record(microseconds: Int64) {
    recordNanoseconds(max(0, microseconds) * 1_000)
  }
}
