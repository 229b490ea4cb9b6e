// `madang verify` and `madang restore`: a backup or a streamed copy is checked, and made a data folder.
import ArgumentParser
import Copies
import Foundation
import Game
import Glibc
import Store

package struct Verify: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Check a backup or a streamed copy: whether a server can start on it.",
    discussion: """
      Checks the file's integrity, the consistency of its contents, and the pictures in FILE.media. Prints a line for \
      each fault and exits with 1, or prints "whole" and exits with 0. With --from it makes a database of the newest \
      point of a copy, in a folder beside other temporary ones (TMPDIR), and checks that.
      """
  )

  package init() {}

  @OptionGroup var source: BackupSource

  package func run() async throws {
    if let copy = try source.copy() {
      let outcome = try Self.check(copy, until: source.moment())
      print(outcome.lines.joined(separator: "\n"))
      guard outcome.complaints.isEmpty, outcome.missingPictures == 0 else { throw ExitCode(1) }
      return print("whole")
    }
    let faults = try source.backup().check()
    for fault in faults { print(fault) }
    guard faults.isEmpty else { throw ExitCode(1) }
    print("whole")
  }

  private static func check(_ copy: StoredCopy, until: Instant?) throws -> CopyRestoration.Outcome {
    umask(0o077)
    let folder = FileManager.default.temporaryDirectory.appending(path: "madang-verify-\(getpid())")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      return try CopyRestoration.check(copy, in: folder.path(percentEncoded: false), until: until)
    } catch {
      throw ValidationError("\(error).")
    }
  }
}

package struct Restore: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Make a data folder of a backup or a streamed copy.",
    discussion: """
      Checks the backup, then copies it into the folder --data, which has no data yet and is made if it is not there. \
      The backup stays. Games go on from the moment of the backup; operators' names and tokens are not in it. With \
      --from it takes the newest point of a streamed copy, or with --until the last one before a moment.
      """
  )

  package init() {}

  @OptionGroup var source: BackupSource

  @Option(help: "The data folder (default: MADANG_DATA, or data).")
  var data: String?

  package func run() async throws {
    let folder = try data ?? Settings(file: nil).string(.data) ?? "data"
    // The data are players' private data.
    umask(0o077)
    if let copy = try source.copy() { return try restore(copy, to: folder) }
    let backup = try source.backup()
    let faults = try backup.check()
    for fault in faults { print(fault) }
    guard faults.isEmpty else { throw ValidationError("\(source.file ?? "") is not whole, and is not restored.") }
    try backup.restore(to: folder)
    print("restored to \(folder)")
  }

  private func restore(_ copy: StoredCopy, to folder: String) throws {
    let outcome: CopyRestoration.Outcome
    do {
      outcome = try CopyRestoration.restore(copy, to: folder, until: source.moment())
    } catch {
      throw ValidationError("\(error).")
    }
    print(outcome.lines.joined(separator: "\n"))
    guard outcome.complaints.isEmpty else { throw ValidationError("the copy is not whole, and is not restored.") }
    print("restored to \(folder)")
    print("the copy stays the old server's: madang take-over gives it to this folder, where it goes on in its place")
  }
}

/// The source of a command: a file of `madang backup`, or a streamed copy.
struct BackupSource: ParsableArguments {
  @Argument(help: "The file that madang backup has written.")
  var file: String?

  @Option(help: "A streamed copy in place of a file: the folder or bucket of madang serve --copy-to.")
  var from: String?

  @OptionGroup var bucket: BucketOptions

  @Option(help: "With --from the moment that nothing may be behind, like 2026-11-26T03:15:00Z.")
  var until: String?

  func validate() throws {
    guard (file == nil) != (from == nil) else { throw ValidationError("Give either a file or --from.") }
    guard until == nil || from != nil else { throw ValidationError("--until needs --from.") }
    if let until, Instant(rfc3339: until) == nil {
      throw ValidationError("--until is a moment like 2026-11-26T03:15:00Z.")
    }
  }

  /// The streamed copy; nil for a backup.
  func copy() throws -> StoredCopy? {
    guard let from else { return nil }
    let settings = try Settings(file: nil)
    do throws(CopyFailure) {
      return StoredCopy(try bucket.destination(from, version: "restore", settings))
    } catch {
      throw ValidationError("--from: \(error).")
    }
  }

  func moment() -> Instant? { until.flatMap(Instant.init(rfc3339:)) }

  /// The backup in a file.
  ///
  /// - Throws: `ValidationError` where there is no such file.
  func backup() throws -> StoreBackup {
    guard let file, access(file, R_OK) == 0 else {
      throw ValidationError("can't read \(file ?? "nothing"): \(String(cString: strerror(errno))).")
    }
    return StoreBackup(file: file)
  }
}

extension CopyRestoration.Outcome {
  /// Its particulars for an operator, a line each.
  fileprivate var lines: [String] {
    let pictures = missingPictures == 0 ? [] : ["\(missingPictures) pictures are not in the copy"]
    return complaints + (point.fault.map { ["left out: \($0)"] } ?? []) + pictures
      + ["generation \(point.generation), \(point.deltas) deltas, through \(point.through.utc)"]
  }
}
