// The cost of one frame for a server, in system calls and in allocations.
//
// The server does the same work twice, once for longer. The additional cost divided by the additional frames is the
// cost of a frame. So starting, connecting and ending don't count, and no process needs a signal to begin.
import Glibc

struct PerFrame {
  /// A program's path and its arguments.
  let server: [String]
  /// The work, for `seconds`.
  let plan: (_ seconds: Double) -> LoadPlan
  /// The duration of the shorter run; the longer takes three times as long.
  let seconds: Double

  private let report = "/tmp/madang-bench-\(getpid()).count"

  init(server: [String], seconds: Double, plan: @escaping (_ seconds: Double) -> LoadPlan) {
    self.server = server
    self.seconds = seconds
    self.plan = plan
  }

  /// The number of system calls by name, under strace.
  func systemCalls() async throws -> [String: Double] {
    try await difference(of: ["strace", "-f", "-c", "-o", report] + server) { text in
      var calls: [String: Double] = [:]
      for line in text.split(separator: "\n") {
        // % time, seconds, µs a call, calls, perhaps errors, name.
        let words = line.split(separator: " ")
        guard words.count >= 5, let name = words.last, name != "total", let count = Double(words[3]) else { continue }
        calls[String(name), default: 0] += count
      }
      return calls
    }
  }

  /// The number of allocations; `library` counts them when it is preloaded.
  func allocations(countedBy library: String) async throws -> Double {
    let environment = ["env", "MALLOC_COUNT_FILE=\(report)", "LD_PRELOAD=\(library)"]
    let counts = try await difference(of: environment + server) { text in
      ["": text.split(separator: "\n").first.flatMap { Double($0) } ?? .nan]
    }
    return counts["", default: .nan]
  }

  /// The additional counts that `parse` finds in the longer run's report, for each additional frame.
  private func difference(
    of command: [String],
    _ parse: (String) -> [String: Double]
  ) async throws -> [String: Double] {
    let (short, shortFrames) = try await run(command, seconds: seconds)
    let (long, longFrames) = try await run(command, seconds: seconds * 3)
    guard longFrames > shortFrames else { throw BenchFailure(description: "no frames came") }
    let before = parse(short)
    return parse(long).reduce(into: [:]) { costs, count in
      costs[count.key] = (count.value - before[count.key, default: 0]) / Double(longFrames - shortFrames)
    }
  }

  private func run(_ command: [String], seconds: Double) async throws -> (report: String, frames: Int) {
    defer { unlink(report) }
    let process = try ServerProcess(command)
    let (measurement, framesInAll) = try await Load.run(plan(seconds), on: process)
    process.end()
    guard measurement.lost == 0 else { throw BenchFailure(description: "\(command[0]) broke the server") }
    return (try TextFile.read(report), framesInAll)
  }
}
