// The inputs beside these tests: seeds with a meaning or found by fuzzing, and every input that ever broke a target.
// The golden messages of the protocol are seeds too. Reads files; runs nothing.
import Foundation
import FuzzTargets

enum Corpus {
  /// The seeds with which fuzzing begins; scripts/fuzz takes the same.
  static func seeds(of target: FuzzTarget) throws -> [[UInt8]] {
    try files(in: "Tests/FuzzTests/Corpora/\(target.rawValue)") + goldenMessages(of: target)
  }

  /// The inputs that once trapped, named after their fault; empty as long as none did.
  static func crashers(of target: FuzzTarget) throws -> [[UInt8]] {
    let folder = "Tests/FuzzTests/Crashers/\(target.rawValue)"
    guard FileManager.default.fileExists(atPath: url(folder).path) else { return [] }
    return try files(in: folder)
  }

  /// The folders below `Corpora` or `Crashers`.
  static func folders(in kind: String) throws -> [String] {
    try names(in: "Tests/FuzzTests/\(kind)")
  }

  private static func goldenMessages(of target: FuzzTarget) throws -> [[UInt8]] {
    let suffix: String
    switch target {
    case .messagesJSON: suffix = ".json"
    case .messagesProto: suffix = ".binpb"
    default: return []
    }
    return try ["client", "alternatives/client", "refused/client"].flatMap {
      try files(in: "Protocol/vectors/\($0)", suffix: suffix)
    }
  }

  private static func files(in folder: String, suffix: String = "") throws -> [[UInt8]] {
    try names(in: folder).filter { $0.hasSuffix(suffix) }.map { name in
      [UInt8](try Data(contentsOf: url("\(folder)/\(name)")))
    }
  }

  private static func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url(folder).path).filter { !$0.hasPrefix(".") }.sorted()
  }

  /// The URL of a path relative to the package.
  private static func url(_ path: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: path)
  }
}
