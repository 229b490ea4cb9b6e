// `madang qr`: a room's join QR in the terminal.
import ArgumentParser
import Commands
import Server

struct QR: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "qr",
    abstract: "Print a room's join QR in the terminal.",
    discussion: "A join link as a page or the log shows it has both, its scheme and host and the room's code."
  )

  @Argument(help: "The room's code, in any case, with or without hyphen; or a join link.")
  var code: String

  @Option(
    help: """
      The scheme and host of join URLs (default: those of a join link, else MADANG_PUBLIC_URL, or \
      http://127.0.0.1:8080).
      """
  )
  var publicURL: String?

  func run() throws {
    let pasted = Self.parts(ofLink: code)
    let base = try publicURL ?? pasted?.base ?? Settings(file: nil).string(.publicUrl) ?? "http://127.0.0.1:8080"
    let text = pasted?.code ?? code
    guard let link = JoinLink(base: base, code: text) else {
      throw ValidationError("\(text) is no room code: a symbol is wrong or missing.")
    }
    guard let qr = link.qr else {
      throw ValidationError("The public URL is too long for a QR.")
    }
    print(qr.terminal, terminator: "")
    print(link.url)
  }

  /// The scheme and host of a join link, and its code; nil for anything else.
  private static func parts(ofLink text: String) -> (base: String, code: String)? {
    guard let scheme = text.firstRange(of: "://"), let path = text[scheme.upperBound...].firstIndex(of: "/"),
      text[path...].lowercased().hasPrefix("/j/")
    else { return nil }
    let code = text[path...].dropFirst(3).prefix { $0 != "?" && $0 != "#" && $0 != "/" }
    return (String(text[..<path]), String(code))
  }
}
