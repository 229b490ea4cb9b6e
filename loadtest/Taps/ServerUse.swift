// The server process's use of resources since a moment, for the lines of a report.
//
// A value.

struct ServerUse: Sendable {
  private let server: ServerProcess?
  private let cpuMicroseconds: Int64?
  private let bytesWritten: Int64?
  private let begin = ContinuousClock.now

  /// Begins now; without a process it measures nothing.
  init(_ pid: Int32?) {
    server = pid.map(ServerProcess.init)
    cpuMicroseconds = server?.cpuMicroseconds
    bytesWritten = server?.bytesWritten
  }

  /// The use so far, with `batches` counted batches in that time.
  func text(batches: Int) -> [String] { lines(each: "a batch", batches) }

  /// The use so far, with so many of `unit` in that time.
  func lines(each unit: String, _ count: Int) -> [String] {
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    let count = Int64(max(1, count))
    var lines: [String] = []
    if let before = cpuMicroseconds, let now = server?.cpuMicroseconds {
      let percent = (Double(now - before) / seconds / 1_000).rounded() / 10
      lines.append(
        "server CPU          \((now - before) / 1_000) ms, \(percent) % of a core, \((now - before) / count) µs \(unit)"
      )
    }
    if let before = bytesWritten, let now = server?.bytesWritten {
      lines.append("server wrote        \(now - before) bytes, \((now - before) / count) \(unit)")
    }
    return lines
  }
}
