// `madang qr`: a room's join QR in the terminal, as the server that runs shows it.
import ArgumentParser
import Commands
import Foundation
import Net
import Server

struct QR: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "qr",
    abstract: "Print a room's join QR in the terminal.",
    discussion: """
      A join link, as a page or the log shows it, can be pasted: it has the room's code, and its own scheme and host are \
      kept unless only this machine can reach them. Else the server that runs on the data folder with --admin-port says \
      by which address phones reach it.
      """
  )

  @Argument(help: "The room's code, in any case, with or without hyphen; or a join link.")
  var code: String

  @Option(
    help: """
      The scheme and host of join URLs (default: those of a join link; else the running server's, MADANG_PUBLIC_URL, or \
      http://127.0.0.1:8080).
      """
  )
  var publicURL: String?

  @Option(help: "The data folder of the running server (default: MADANG_DATA, or data).")
  var data: String?

  func run() throws {
    let pasted = Self.parts(ofLink: code)
    let text = pasted?.code ?? code
    let base = try base(pasted?.base)
    if Self.isLoopback(base) {
      let warning = "Warning: phones do not reach \(base): name the public URL, here or in the server's settings.\n"
      FileHandle.standardError.write(Data(warning.utf8))
    }
    guard let link = JoinLink(base: base, code: text) else {
      throw ValidationError("\(text) is no room code: a symbol is wrong or missing.")
    }
    guard let qr = link.qr else {
      throw ValidationError("The public URL is too long for a QR.")
    }
    print(qr.terminal, terminator: "")
    print(link.url)
  }

  private func base(_ pasted: String?) throws -> String {
    if let publicURL { return publicURL }
    if let pasted, !Self.isLoopback(pasted) { return pasted }
    let settings = try Settings(file: nil)
    if let base = Self.base(ofServerIn: data ?? settings.string(.data) ?? "data") { return base }
    return pasted ?? settings.string(.publicUrl) ?? "http://127.0.0.1:8080"
  }

  /// The base that the running server gives; nil without one. A link of a server that was killed may still be there.
  private static func base(ofServerIn folder: String) -> String? {
    guard let server = RunningServer(inFolder: folder) else { return nil }
    do {
      return try server.joinBase()
    } catch {
      let warning = "Warning: the server on the folder \(folder) does not say how phones reach it: \(error)\n"
      FileHandle.standardError.write(Data(warning.utf8))
      return nil
    }
  }

  /// Whether only this machine can reach a base.
  static func isLoopback(_ base: String) -> Bool {
    let authority = base[(base.firstRange(of: "://")?.upperBound ?? base.startIndex)...].lowercased()
    let host =
      authority.hasPrefix("[")
      ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
    return host == "localhost" || IPAddress(String(host))?.isLoopback == true
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
