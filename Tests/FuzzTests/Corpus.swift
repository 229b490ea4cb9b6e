// The inputs that lie beside these tests, as the tests read them: seeds that mean something or were found by fuzzing,
// and every input that ever broke a target. Reads files; runs nothing.
import Foundation
import FuzzTargets

enum Corpus {
  /// The seeds that fuzzing begins with.
  static func seeds(of target: FuzzTarget) throws -> [[UInt8]] {
    try files(in: "Corpora/\(target.rawValue)")
  }

  /// What once trapped, named after what it was. None as long as nothing did.
  static func crashers(of target: FuzzTarget) throws -> [[UInt8]] {
    let folder = "Crashers/\(target.rawValue)"
    guard FileManager.default.fileExists(atPath: url(folder).path) else { return [] }
    return try files(in: folder)
  }

  /// The folders below `Corpora` or `Crashers`.
  static func folders(in kind: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url(kind).path).filter { !$0.hasPrefix(".") }
  }

  private static func files(in folder: String) throws -> [[UInt8]] {
    try FileManager.default.contentsOfDirectory(atPath: url(folder).path).sorted().map { name in
      [UInt8](try Data(contentsOf: url("\(folder)/\(name)")))
    }
  }

  private static func url(_ path: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: path)
  }
}
