// The address and token of a running server's operators' listener, left in its data folder for commands on the same
// machine.
//
// Only the server's user may read it. It is removed when the server ends; after a crash it leads to nothing.
// Decisions: 082 (docs/decisions).
import ArgumentParser
import Glibc

package struct OperatorLink {
  package let host: String
  package let port: UInt16
  package let token: String

  private static func path(in folder: String) -> String { "\(folder)/madang.admin" }

  /// Reads `http://HOST:PORT/`, with an optional `?token=…` behind it.
  ///
  /// - Throws: `ValidationError` for anything else.
  package init(_ text: String, token: String? = nil) throws {
    let link = text.split(separator: "\n").first ?? ""
    let scheme = "http://"
    let rest = link.hasPrefix(scheme) ? link.dropFirst(scheme.count) : ""
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let linkToken = rest.firstRange(of: "?token=").map { String(rest[$0.upperBound...]) }
    guard let colon = authority.lastIndex(of: ":"), let port = UInt16(authority[authority.index(after: colon)...])
    else {
      throw ValidationError("\(text) is no address like http://127.0.0.1:9100.")
    }
    guard let token = token ?? linkToken, !token.isEmpty else {
      throw ValidationError("--token, or an address with ?token=, says what lets an operator in.")
    }
    host = String(authority[..<colon].filter { $0 != "[" && $0 != "]" })
    self.port = port
    self.token = token
  }

  /// Reads the link that the server on this folder has left.
  ///
  /// - Throws: `ValidationError` when it has left nothing.
  init(inFolder folder: String) throws {
    guard let file = fopen(Self.path(in: folder), "r") else {
      throw ValidationError(
        "no server with --admin-port runs on the folder \(folder): \(String(cString: strerror(errno)))."
      )
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = fread(&bytes, 1, bytes.count, file)
    try self.init(String(decoding: bytes[..<count], as: UTF8.self))
  }

  /// Writes a server's link into its folder.
  ///
  /// - Throws: `ValidationError` when the folder does not take it.
  package static func write(_ link: String, in folder: String) throws {
    let descriptor = open(path(in: folder), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    let bytes = Array((link + "\n").utf8)
    guard descriptor >= 0, Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw ValidationError("can't write \(path(in: folder)): \(String(cString: strerror(errno))).")
    }
    close(descriptor)
  }

  package static func remove(from folder: String) {
    unlink(path(in: folder))
  }
}
