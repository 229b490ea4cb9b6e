// `madang qr`: a room's join QR in the terminal.
import ArgumentParser
import Server

struct QR: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "qr",
    abstract: "Print a room's join QR in the terminal."
  )

  @Argument(help: "The room's code, in any case, with or without hyphen.")
  var code: String

  @Option(help: "The scheme and host of join URLs.")
  var publicURL = "http://127.0.0.1:8080"

  func run() throws {
    guard let link = JoinLink(base: publicURL, code: code) else {
      throw ValidationError("\(code) is no room code: a symbol is wrong or missing.")
    }
    guard let qr = link.qr else {
      throw ValidationError("The public URL is too long for a QR.")
    }
    print(qr.terminal, terminator: "")
    print(link.url)
  }
}
