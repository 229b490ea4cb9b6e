// `madang-bench count`: system calls and allocations for each frame.
import ArgumentParser

struct Count: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Count system calls and allocations for each delivered frame.",
    discussion: """
      System calls are counted under strace, which slows a server down so much that the load must be light: there \
      nearly every message has a wake-up of its own. Allocations are counted by a preloaded malloc, at the full load.
      """
  )

  @OptionGroup var subjects: Subjects

  @Option(help: "The library that counts allocations when it is preloaded, made of Benchmarks/malloc_count.c.")
  var mallocCounter: String?

  @Option(help: "Frames a second at which system calls are counted.")
  var tracedRate = 1_000.0

  @Option(help: "Seconds of the shorter of the two runs that are compared; the longer takes three times as long.")
  var seconds = 1.5

  private static let columns: [(name: String, calls: Set<String>)] = [
    ("read", ["read", "readv", "recvfrom", "recvmsg"]),
    ("send", ["write", "writev", "sendto", "sendmsg"]),
    ("epoll_wait", ["epoll_wait", "epoll_pwait", "epoll_pwait2"]),
    ("epoll_ctl", ["epoll_ctl"]),
    ("timerfd", ["timerfd_settime"]),
    ("futex", ["futex"]),
  ]

  func run() async throws {
    Subjects.raiseDescriptorLimit()
    var thresholds = try Thresholds(file: subjects.thresholds)
    try await countSystemCalls(&thresholds)
    if let mallocCounter { try await countAllocations(mallocCounter, &thresholds) }
    try Subjects.conclude(thresholds)
  }

  private func countSystemCalls(_ thresholds: inout Thresholds) async throws {
    var light = subjects
    light.rate = tracedRate
    light.closed = false
    light.rooms = max(1, Int(tracedRate / 10) / subjects.players)
    var table = Table(["system calls for each frame"] + Self.columns.map(\.name) + ["others", "all", ""])
    for work in LoadPlan.workNames {
      for server in subjects.servers {
        let cost = PerFrame(server: server.command, seconds: seconds) { light.plan(work, warmUp: 0, seconds: $0) }
        let calls = try await cost.systemCalls()
        let all = calls.values.reduce(0, +)
        let cells = Self.columns.map { column in column.calls.reduce(0) { $0 + calls[$1, default: 0] } }
        let verdict = server.isOurs ? thresholds.check("\(work)-calls", all) : ""
        let figures = (cells + [all - cells.reduce(0, +), all]).map { $0.fixed(2) }
        table.add(["\(work), \(server.name)"] + figures + [verdict])
      }
    }
    print(table.text + "\n")
  }

  private func countAllocations(_ library: String, _ thresholds: inout Thresholds) async throws {
    var table = Table(["allocations for each frame", "", ""])
    for work in LoadPlan.workNames {
      for server in subjects.servers {
        let cost = PerFrame(server: server.command, seconds: seconds) { subjects.plan(work, warmUp: 0, seconds: $0) }
        let allocations = try await cost.allocations(countedBy: library)
        let verdict = server.isOurs ? thresholds.check("\(work)-allocations", allocations) : ""
        table.add(["\(work), \(server.name)", allocations.fixed(3), verdict])
      }
    }
    print(table.text + "\n")
  }
}
