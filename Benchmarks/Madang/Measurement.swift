// The result of one measurement.
//
// A value. Counted at the clients, except for the server's CPU time.
import Histogram

struct Measurement: Sendable {
  var frames = 0
  var bytes = 0
  var lost = 0
  var seconds = 0.0
  var serverCPUMicroseconds: Int64 = 0
  /// The CPU time of this process: near `seconds`, the clients were measured instead of the server.
  var clientCPUMicroseconds: Int64 = 0
  /// The latency from a message's due time to its arrival; microseconds.
  var latency = Histogram<UInt32>(
    lowestDiscernibleValue: 1,
    highestTrackableValue: 60_000_000,
    numberOfSignificantValueDigits: .three
  )

  var framesPerSecond: Double { Double(frames) / seconds }
  var microsecondsPerFrame: Double { Double(serverCPUMicroseconds) / Double(max(frames, 1)) }

  /// The share of one core.
  var clientCPUShare: Double { Double(clientCPUMicroseconds) / 1_000_000 / seconds }

  mutating func record(latencyMicroseconds: Int64) {
    _ = latency.record(UInt64(min(max(1, latencyMicroseconds), 60_000_000)))
  }

  mutating func add(_ other: Measurement) {
    frames += other.frames
    bytes += other.bytes
    lost += other.lost
    latency.add(other.latency)
  }

  func milliseconds(_ percentile: Double) -> Double {
    latency.totalCount == 0 ? 0 : Double(latency.valueAtPercentile(percentile)) / 1_000
  }
}

/// The middle value of an odd number of rounds.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? 0 : (sorted[sorted.count / 2] + sorted[(sorted.count - 1) / 2]) / 2
}
