// The pages that lie in the web root, read once at the start.
//
// Immutable. A page is a file with `{{name}}` where something is filled in, so that pages change without a build.
import Glibc
import MadangProtocol

/// Why the server can't start, for the operator.
package struct StartFailure: Error, CustomStringConvertible {
  package let description: String
}

struct PageTemplates: Sendable {
  let index: String
  private let joinTemplate: String

  /// - Throws: `StartFailure` when a page is missing from `folder`.
  init(folder: String) throws(StartFailure) {
    index = try Self.read("\(folder)/index.html")
    joinTemplate = try Self.read("\(folder)/join.html")
  }

  func join(code: RoomCode) -> String {
    // A code holds nothing that HTML would read as its own.
    joinTemplate.replacing("{{code}}", with: code.description).replacing("{{symbols}}", with: code.symbols)
  }

  private static func read(_ path: String) throws(StartFailure) -> String {
    guard let file = fopen(path, "r") else {
      throw StartFailure(description: "can't read \(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 * 1_024)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw StartFailure(description: "\(path) is not UTF-8")
    }
    return text
  }
}
