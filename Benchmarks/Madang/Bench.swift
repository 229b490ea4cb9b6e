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
      Serve.self, Run.self, Count.self, Knee.self, Territory.self, Lands.self, Schools.self, Places.self, Stories.self,
      TallyBench.self,
      Instructions.self, Compression.self,
    ]
  )

  @MainActor
  static func main() async {
    OpenSSLLifetime.leaveToKernel()
    // On this thread, and without a thread of concurrency's: callgrind can't handle a first thread that ends before
    // others.
    if CommandLine.arguments.dropFirst().first == Instructions.configuration.commandName {
      return Instructions.main(Array(CommandLine.arguments.dropFirst(2)))
    }
    await main(nil)
  }
}
