// `madang-bench count`: system calls and allocations for each frame.
import ArgumentParser
import Glibc

struct Count: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Count system calls and allocations for each delivered frame.",
    discussion: """
      Each server does the same work twice, once for longer; what it took more, divided by the frames it delivered \
      more, is what a frame costs. So starting, connecting and ending don't count. System calls are counted under \
      strace, which slows a server down so much that the load must be light: there nearly every message has a wake-up \
      of its own. Allocations are counted by a preloaded malloc, at the full load.
      """
  )

  @OptionGroup var subjects: Subjects

  @Option(help: "The library that counts allocations when it is preloaded, made of Benchmarks/malloc_count.c.")
  var mallocCounter: String?

  @Option(help: "Frames a second at which system calls are counted.")
  var tracedRate = 1_000.0

  @Option(help: "Seconds of the shorter of the two runs; the longer takes three times as long.")
  var seconds = 1.5

  private struct Kind {
    let name: String
    let calls: Set<String>
  }

  private static let kinds = [
    Kind(name: "read", calls: ["read", "readv", "recvfrom", "recvmsg"]),
    Kind(name: "send", calls: ["write", "writev", "sendto", "sendmsg"]),
    Kind(name: "epoll_wait", calls: ["epoll_wait", "epoll_pwait", "epoll_pwait2"]),
    Kind(name: "epoll_ctl", calls: ["epoll_ctl"]),
    Kind(name: "timerfd", calls: ["timerfd_settime"]),
    Kind(name: "futex", calls: ["futex"]),
  ]

  func run() async throws {
    Subjects.raiseDescriptorLimit()
    var thresholds = try Thresholds(file: subjects.thresholds)
    let tracedRooms = max(1, Int(tracedRate / 10) / subjects.players)
    var light = subjects
    light.rate = tracedRate
    light.closed = false
    var calls = Table(["system calls for each frame"] + Self.kinds.map(\.name) + ["others", "all"])
    var allocations = Table(["allocations for each frame", ""])
    for (server, command) in servers {
      for work in ["echo", "tick"] {
        let isOurs = server == "madang"
        let counted = try await countCalls(command) { seconds in
          work == "echo"
            ? light.echo(warmUp: 0, seconds: seconds) : light.tick(rooms: tracedRooms, warmUp: 0, seconds: seconds)
        }
        let all = counted.values.reduce(0, +)
        let ofKinds = Self.kinds.map { kind in kind.calls.reduce(0) { $0 + counted[$1, default: 0] } }
        let verdict = isOurs ? thresholds.check("\(work)-calls", all) : ""
        calls.add(
          ["\(work), \(server)"] + ofKinds.map { $0.fixed(2) }
            + [(all - ofKinds.reduce(0, +)).fixed(2), all.fixed(2), verdict]
        )
        guard let mallocCounter else { continue }
        let allocated = try await countAllocations(command, mallocCounter) { seconds in
          work == "echo"
            ? subjects.echo(warmUp: 0, seconds: seconds)
            : subjects.tick(rooms: subjects.rooms, warmUp: 0, seconds: seconds)
        }
        let outcome = isOurs ? thresholds.check("\(work)-allocations", allocated) : ""
        allocations.add(["\(work), \(server)", allocated.fixed(3), outcome])
      }
    }
    print("\(calls.text)\n\n\(allocations.text)\n")
    try Subjects.conclude(thresholds)
  }

  private var servers: [(String, [String])] {
    var servers = [("madang", subjects.ours())]
    if let peer = subjects.peer { servers.append(("peer", [peer, "--port", "0"])) }
    return servers
  }

  private func countCalls(_ command: [String], _ plan: (Double) -> LoadPlan) async throws -> [String: Double] {
    try await count(plan, ["strace", "-f", "-c", "-o"], command) { text in
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

  private func countAllocations(
    _ command: [String],
    _ library: String,
    _ plan: (Double) -> LoadPlan
  ) async throws -> Double {
    let preloaded = ["env", "LD_PRELOAD=\(library)"] + command
    let counted = try await count(plan, ["env"], preloaded, assigning: "MALLOC_COUNT_FILE=") { text in
      ["allocations": text.split(separator: "\n").first.flatMap { Double($0) } ?? .nan]
    }
    return counted["allocations", default: .nan]
  }

  /// Runs the load for a shorter and a longer time under `wrapper`, which is given a file to report to, and divides what
  /// came more by the frames that came more.
  private func count(
    _ plan: (Double) -> LoadPlan,
    _ wrapper: [String],
    _ command: [String],
    assigning variable: String = "",
    _ parse: (String) -> [String: Double]
  ) async throws -> [String: Double] {
    var counts: [[String: Double]] = []
    var frames: [Int] = []
    for seconds in [seconds, seconds * 3] {
      let path = "/tmp/madang-bench-\(getpid()).count"
      let server = try ServerProcess(wrapper + [variable + path] + command)
      defer { unlink(path) }
      let (measurement, framesInAll) = try await Load.run(plan(seconds), on: server)
      server.end()
      guard measurement.lost == 0, let text = try? TextFile.read(path) else {
        throw BenchFailure(description: "\(wrapper[0]) broke the server or left no count")
      }
      counts.append(parse(text))
      frames.append(framesInAll)
    }
    guard frames[1] > frames[0] else { throw BenchFailure(description: "no frames came") }
    let more = Double(frames[1] - frames[0])
    return counts[1].reduce(into: [:]) { result, count in
      result[count.key] = (count.value - counts[0][count.key, default: 0]) / more
    }
  }
}
