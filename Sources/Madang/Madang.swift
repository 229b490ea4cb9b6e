// The command line: what an operator can tell the program to do.
import ArgumentParser
import Logging

@main
struct Madang: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "madang",
    abstract: "A real-time game server for games played on real ground.",
    subcommands: [Serve.self, Games.self, Replay.self, Export.self, Backup.self, Check.self, QR.self]
  )

  static func main() async {
    LoggingSystem.bootstrap(StreamLogHandler.standardError)
    await main(nil)
  }
}
