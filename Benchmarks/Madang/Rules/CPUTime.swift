// The CPU time of pieces of work on their thread.
//
// Values.
import Glibc
import Histogram

/// The CPU time of the calling thread, user and system, without the rest of the machine.
func threadCPUNanoseconds() -> Int64 {
  var time = timespec()
  let result = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  precondition(result == 0, "a POSIX clock of this system can't be read")
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// The costs of many pieces of work.
struct CPUTimes {
  private var histogram = Histogram<UInt32>(
    lowestDiscernibleValue: 1,
    highestTrackableValue: 60_000_000_000,
    numberOfSignificantValueDigits: .three
  )

  mutating func measure(_ work: () throws -> Void) rethrows {
    let began = threadCPUNanoseconds()
    try work()
    record(nanoseconds: threadCPUNanoseconds() - began)
  }

  mutating func record(nanoseconds: Int64) {
    _ = histogram.record(UInt64(max(1, nanoseconds)))
  }

  var count: UInt64 { histogram.totalCount }

  func milliseconds(_ percentile: Double) -> Double {
    count == 0 ? 0 : Double(histogram.valueAtPercentile(percentile)) / 1_000_000
  }

  static let header = ["p50", "p99", "p99.9", "most, ms of CPU"]

  var cells: [String] { [50, 99, 99.9, 100].map { milliseconds($0).fixed(3) } }
}

/// The memory of this process alone, KiB.
func residentKiB() throws -> Int {
  let words = try TextFile.read("/proc/self/statm").split(separator: " ")
  guard words.count > 2, let pages = Int(words[1]), let shared = Int(words[2]) else {
    throw BenchFailure(description: "/proc/self/statm says nothing")
  }
  return (pages - shared) * Int(getpagesize()) / 1_024
}
