// The load test's command line.
import ArgumentParser
import MadangProtocol
import Net

@main
struct LoadTest: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "madang-loadtest",
    abstract: "Bots that play on a Madang server.",
    version: Release.version,
    subcommands: [
      Walk.self, Cheats.self, Hold.self, Durable.self, Taps.self, Ramp.self, Traffic.self, Places.self, Stories.self,
    ]
  )

  static func main() async {
    OpenSSLLifetime.leaveToKernel()
    await main(nil)
  }
}
