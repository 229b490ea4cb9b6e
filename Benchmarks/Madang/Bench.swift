// The command line of the benchmarks.
import ArgumentParser
import Net

@main
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "madang-bench",
    abstract:
      "Madang's network stack beside a fixed peer that does the same work, and its dearest rules by themselves.",
    subcommands: [
      Serve.self, Run.self, Count.self, Knee.self, Territory.self, Lands.self, Schools.self, TallyBench.self,
    ]
  )

  static func main() async {
    OpenSSLLifetime.leaveToKernel()
    await main(nil)
  }
}
