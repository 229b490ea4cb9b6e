// Keeps a target's current input in a file, because a target that traps ends the test's process:
// .build/fuzz-findings/TARGET/tested-…, where scripts/fuzz leaves its findings too. One test owns it; when no target
// traps, the file is removed again.
import Foundation
import FuzzTargets

final class CurrentInput {
  private let target: FuzzTarget
  private let url: URL
  private let file: FileHandle

  init(of target: FuzzTarget) throws {
    self.target = target
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = package.appending(path: ".build/fuzz-findings/\(target.rawValue)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Two tests of one target may run at the same time.
    url = folder.appending(path: "tested-\(UUID().uuidString)")
    try Data().write(to: url)
    file = try FileHandle(forWritingTo: url)
  }

  /// Runs the target on an input, which is in the file meanwhile.
  func run(_ bytes: [UInt8]) throws {
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(bytes))
    bytes.withUnsafeBytes(target.run)
  }

  deinit {
    try? file.close()
    try? FileManager.default.removeItem(at: url)
  }
}
