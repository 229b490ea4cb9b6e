// A store with a streamed copy in a folder, whose queues are driven step by step at times of the test's own.
import Copies
import Game
import Glibc
import Store
import Synchronization
import TestSupport
import Testing

/// A folder that fails while it is told to.
final class TroubledFolder: CopyDestination {
  private let folder: FolderDestination
  private let isFailing = Atomic<Bool>(false)

  init(_ path: String) { folder = FolderDestination(path) }

  func fail(_ isFailing: Bool) { self.isFailing.store(isFailing, ordering: .relaxed) }

  private func check() throws(CopyFailure) {
    if isFailing.load(ordering: .relaxed) { throw CopyFailure("the disk is away") }
  }

  func put(_ name: String, _ bytes: [UInt8]) throws(CopyFailure) {
    try check()
    try folder.put(name, bytes)
  }

  func get(_ name: String) throws(CopyFailure) -> [UInt8] { try folder.get(name) }

  func find(_ name: String) throws(CopyFailure) -> [UInt8]? {
    try check()
    return try folder.find(name)
  }

  func entries(in name: String) throws(CopyFailure) -> CopyEntries {
    try check()
    return try folder.entries(in: name)
  }

  func delete(_ name: String) throws(CopyFailure) {
    try check()
    try folder.delete(name)
  }
}

final class CopyTrial {
  let data: TestFolder
  let place: TestFolder
  let store: SQLiteStore
  let destination: TroubledFolder
  let progress = CopyProgress()
  let arrivals = CopyArrivals()
  let backlog: CopyBacklog
  private let writer: CopyWriter
  private let keeper: CopyKeeper
  private let shared: Told

  private final class Told: Sendable {
    let events = Mutex<[CopyWriter.Event]>([])
    let now = Mutex(Instant(milliseconds: 1_795_662_900_000))
  }

  /// `place` is another trial's, to share its copy.
  init(
    _ settings: CopySettings = .quick,
    backlogBytesMax: Int = CopyBacklog.bytesMax,
    sharing place: TestFolder? = nil
  ) throws {
    let shared = Told()
    self.shared = shared
    data = try TestFolder()
    store = try SQLiteStore(folder: data.path)
    self.place = try place ?? TestFolder()
    destination = TroubledFolder(self.place.path + "/copy")
    let ownership = CopyOwnership(of: data.path, to: destination)
    // The server of a copy looks at it before pictures are copied.
    try? ownership.confirm()
    backlog = CopyBacklog(bytesMax: backlogBytesMax) { shared.now.withLock { $0 } }
    let numbers = Mutex<UInt8>(0)
    writer = CopyWriter(
      store,
      DatabasePages(in: data.path),
      to: destination,
      ownership,
      settings,
      backlog,
      progress,
      random: {
        numbers.withLock { number in
          number += 1
          return [0, 0, 0, number]
        }
      },
      tell: { [arrivals] event in
        shared.events.withLock { $0.append(event) }
        if case .becameWhole = event { arrivals.addGeneration() }
      }
    )
    keeper = CopyKeeper(store.blobs, to: destination, ownership, settings, arrivals, progress)
    store.blobs.watch { [arrivals] in arrivals.add($0) }
  }

  var now: Instant { shared.now.withLock { $0 } }
  var events: [CopyWriter.Event] { shared.events.withLock { $0 } }
  var status: CopyStatus { progress.status(at: now, waitingSince: backlog.oldestAt) }
  var copy: StoredCopy { StoredCopy(destination) }

  func pass(_ duration: Duration) { shared.now.withLock { $0 = $0 + duration } }

  /// Lets the copy do what is due, each time after a second.
  func step(_ count: Int = 1) {
    for _ in 0..<count {
      pass(.seconds(1))
      _ = writer.step(at: now)
    }
  }

  /// Steps until a new generation is whole.
  func becomeWhole() throws {
    let before = wholeCount
    for _ in 0..<2_000 where wholeCount == before { step() }
    guard wholeCount > before else { throw TestFailure("no generation became whole: \(events)") }
  }

  private var wholeCount: Int { events.count { if case .becameWhole = $0 { true } else { false } } }
  var lossCount: Int { events.count { if case .lost = $0 { true } else { false } } }

  func stepPictures(_ count: Int = 20) {
    for _ in 0..<count { _ = keeper.step(at: now) }
  }

  /// Ends the store, then the copy.
  func end() {
    store.close()
    writer.finish(at: now)
  }

  /// The bytes of the database, with the log written back; behind the end.
  var bytes: [UInt8] { data.read("madang.sqlite") }

  /// The bytes of the database that the copy makes.
  func restored(until: Instant? = nil) throws -> [UInt8] {
    let folder = try TestFolder()
    _ = try copy.restore(to: folder.file("restored"), until: until)
    return folder.read("restored")
  }
}

extension CopySettings {
  /// A few pages in a piece, so that commits come between.
  static var quick: CopySettings {
    var settings = CopySettings()
    settings.interval = .seconds(1)
    settings.piecePages = 3
    return settings
  }
}
