// Scripts, styles and pictures of the web root, to which pages refer.
//
// Immutable, read once at the start. All assets have one version, a digest over names and bytes that is part of their
// URL. So a page and its modules always match, however long a browser keeps them.
// Decisions: 091 (docs/decisions).
import Cryptography

struct WebAssets: Sendable {
  /// The path before a name: `/web/0f3a…`.
  let path: String
  private let version: String
  private let files: [String: WebFile]

  /// Files of other kinds are ignored: an editor's leftovers are nobody's business.
  private static let types = [
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
  ]

  /// - Throws: `StartFailure` when the folder or a file in it can't be read.
  init(_ folder: WebFolder) throws(StartFailure) {
    var files: [String: WebFile] = [:]
    var all: [UInt8] = []
    for name in try folder.names() {
      guard let dot = name.lastIndex(of: "."), let type = Self.types[String(name[dot...].dropFirst())] else { continue }
      let bytes = try folder.read(name)
      files[name] = .asset(bytes, type: type)
      all += Array("\(name)\n\(bytes.count)\n".utf8) + bytes
    }
    self.files = files
    version = String(Hexadecimal.encode(Digest.sha256(all)).prefix(16))
    path = "/web/\(version)"
  }

  /// The file; nil if it is not in the root, or for any version but the present one: an older page must load no newer
  /// module.
  func file(_ version: Substring, _ name: Substring) -> WebFile? {
    version == self.version ? files[String(name)] : nil
  }
}
