// The command line: the program's commands for operators.
import ArgumentParser
import Commands
import Foundation
import Net
import Server

@main
struct Madang: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "madang",
    abstract: "A real-time game server for games played on real ground.",
    version: GameServer.version,
    subcommands: [
      Serve.self, Games.self, Replay.self, Export.self, Lands.self, Fences.self, Webhooks.self, Schools.self,
      Taps.self, Players.self, Top.self, Sanctions.self, Audit.self, Operators.self,
      Backup.self, Verify.self, Restore.self, TakeOver.self, Check.self, AcceptClock.self, QR.self, Doctor.self,
    ]
  )

  static func main() async {
    OpenSSLLifetime.leaveToKernel()
    do {
      var command = try await asyncParseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error as ValidationError {
      // The error is from a running command, whose usage was right, so no usage is printed.
      FileHandle.standardError.write(Data("Error: \(error.message)\n".utf8))
      exit(withError: ExitCode.validationFailure)
    } catch {
      exit(withError: error)
    }
  }
}
