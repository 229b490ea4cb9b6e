// `madang-bench run`: both works on both servers, in turns, and a comparison.
import ArgumentParser

struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure both works on this program's server and on a peer, in turns.",
    discussion: """
      Each round starts each server anew, warms it up, and takes its CPU time while the clients count frames. The \
      result is the CPU time for each delivered frame, the median of all rounds.
      """
  )

  @OptionGroup var subjects: Subjects

  @Option(help: "echo, tick or both.")
  var work = "both"

  @Option(help: "The number of measurements of each server.")
  var rounds = 3

  @Option(help: "Seconds of each measurement.")
  var seconds = 5.0

  @Option(help: "Seconds before each.")
  var warmUp = 1.0

  func validate() throws {
    guard ["echo", "tick", "both"].contains(work) else { throw ValidationError("--work is echo, tick or both.") }
    guard rounds > 0, seconds > 0, warmUp >= 0 else { throw ValidationError("Rounds and seconds must be over 0.") }
  }

  func run() async throws {
    Subjects.raiseDescriptorLimit()
    var thresholds = try Thresholds(file: subjects.thresholds)
    for name in LoadPlan.workNames where work == name || work == "both" {
      try await compare(subjects.plan(name, warmUp: warmUp, seconds: seconds), &thresholds)
    }
    try Subjects.conclude(thresholds)
  }

  private func compare(_ plan: LoadPlan, _ thresholds: inout Thresholds) async throws {
    let servers = subjects.servers
    var measurements: [[Measurement]] = servers.map { _ in [] }
    for _ in 0..<rounds {
      for (index, server) in servers.enumerated() {
        let process = try ServerProcess(server.command)
        defer { process.end() }
        measurements[index].append(try await Load.run(plan, on: process).0)
      }
    }
    var table = Table([
      plan.name,
      "CPU µs/frame",
      "of rounds",
      "frames/s",
      "offered",
      "bytes/frame",
      "p50 ms",
      "p99 ms",
      "lost",
      "clients' CPU",
    ])
    for (server, rounds) in zip(servers, measurements) {
      table.add([
        server.name,
        median(rounds.map(\.microsecondsPerFrame)).fixed(2),
        rounds.map { $0.microsecondsPerFrame.fixed(2) }.joined(separator: " "),
        median(rounds.map(\.framesPerSecond)).fixed(0),
        plan.framesPerSecond?.fixed(0) ?? "closed",
        median(rounds.map { Double($0.bytes) / Double(max($0.frames, 1)) }).fixed(0),
        median(rounds.map { $0.milliseconds(50) }).fixed(2),
        median(rounds.map { $0.milliseconds(99) }).fixed(2),
        "\(rounds.map(\.lost).reduce(0, +))",
        (median(rounds.map(\.clientCPUShare)) * 100).fixed(0) + " %",
      ])
    }
    print(table.text)
    if measurements.count == 2 {
      let ratio =
        median(measurements[0].map(\.microsecondsPerFrame)) / median(measurements[1].map(\.microsecondsPerFrame))
      let figure = subjects.closed ? "\(plan.name)-closed-cpu-ratio" : "\(plan.name)-cpu-ratio"
      print("\(plan.name): madang / peer \(ratio.fixed(3)) \(thresholds.check(figure, ratio))\n")
    }
  }
}
