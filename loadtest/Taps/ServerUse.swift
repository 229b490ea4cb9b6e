// What the server's process used of the machine since a moment, for the lines of a report.
//
// A value.

struct ServerUse: Sendable {
  private let server: ServerProcess?
  private let cpuMicroseconds: Int64?
  private let bytesWritten: Int64?
  private let begin = ContinuousClock.now

  /// From now on; of nothing where nobody named the process.
  init(_ pid: Int32?) {
    server = pid.map(ServerProcess.init)
    cpuMicroseconds = server?.cpuMicroseconds
    bytesWritten = server?.bytesWritten
  }

  /// What it came to by now, while so many batches counted.
  func text(batches: Int) -> [String] {
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    let batches = Int64(max(1, batches))
    var lines: [String] = []
    if let before = cpuMicroseconds, let now = server?.cpuMicroseconds {
      let percent = (Double(now - before) / seconds / 1_000).rounded() / 10
      lines.append(
        "server CPU          \((now - before) / 1_000) ms, \(percent) % of a core, \((now - before) / batches) µs a batch"
      )
    }
    if let before = bytesWritten, let now = server?.bytesWritten {
      lines.append("server wrote        \(now - before) bytes, \((now - before) / batches) a batch")
    }
    return lines
  }
}
