// The options of `madang serve` for a streamed copy of its data.
// Decisions: 167 (docs/decisions).
import ArgumentParser
import Commands
import Copies
import Game
import Server
import Store

struct CopyOptions: ParsableArguments {
  @Option(
    help: """
      A folder on another disk, or s3://BUCKET/PREFIX, that the data are copied to while the server runs: a lost disk \
      then costs seconds. madang restore --from makes a data folder of it (default: none).
      """
  )
  var copyTo: String?

  @Option(help: "The seconds between two pieces of the copy, 1 to 3600 (default: 2).")
  var copySeconds: Int?

  @Option(help: "The number of generations that the copy keeps, 1 to 1000; one begins each day (default: 3).")
  var copyKeep: Int?

  @OptionGroup var bucket: BucketOptions

  /// A warning for a copy that is lost with the disk of the data; nil without one.
  func complaint(_ settings: Settings, about folder: String) -> String? {
    guard let place = copyTo ?? settings.string(.copyTo), CopyPlace.isOnDisk(of: folder, place) else { return nil }
    return "the copy \(place) is on the disk of the data, and is lost with it: --copy-to names a folder of another disk"
  }

  /// The copy of the store of `folder`, which has not begun; nil without a place for it.
  func resolve(
    _ settings: Settings,
    of store: SQLiteStore,
    in folder: String,
    notify: @escaping @Sendable (OperatorNotification) -> Void
  ) throws -> StoreCopies? {
    var copy = CopySettings()
    if let seconds = try number(copySeconds, .copySeconds, in: 1...3_600, settings) {
      copy.interval = .seconds(seconds)
    }
    if let count = try number(copyKeep, .copyKeep, in: 1...1_000, settings) { copy.generationsKept = count }
    guard let place = copyTo ?? settings.string(.copyTo) else { return nil }
    let destination: any CopyDestination
    do throws(CopyFailure) {
      destination = try bucket.destination(place, version: GameServer.version, settings)
    } catch {
      throw ValidationError("--copy-to: \(error).")
    }
    if let owner = CopyOwner.stranger(at: destination, for: folder) {
      throw ValidationError(
        """
        --copy-to: the copy \(place) is another server's, on the data folder with the identifier \(owner.folder), so \
        nothing of this folder would be copied. Give each server a place of its own. Where this folder goes on in place \
        of that one, end that server and run: madang take-over --copy \(place) --data \(folder)
        """
      )
    }
    return StoreCopies(
      of: store,
      in: folder,
      to: destination,
      copy,
      now: { .now },
      notify: { notify(OperatorNotification($0)) }
    )
  }

  private func number(
    _ flag: Int?,
    _ setting: Setting,
    in range: ClosedRange<Int>,
    _ settings: Settings
  ) throws -> Int? {
    guard let flag else { return try settings.int(setting, in: range) }
    guard range.contains(flag) else { throw setting.isOut(of: range, flag) }
    return flag
  }
}

extension OperatorNotification {
  fileprivate init(_ notice: StoreCopies.Notice) {
    switch notice {
    case .fails(let why): self = .copyFails(why)
    case .worksAgain: self = .copyWorks
    case .generation(let id): self = .copyGeneration(id)
    }
  }
}
