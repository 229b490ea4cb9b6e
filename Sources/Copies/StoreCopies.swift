// The streamed copy of a store: generations on one queue, pictures and old files on another. Any thread begins and ends
// it. Neither queue ever holds up a commit: what they lack waits in memory, up to a bound.
// Decisions: 153 (docs/decisions).
import Cryptography
import Dispatch
import Game
import Store
import Synchronization

package final class StoreCopies: Sendable {
  /// The news for operators.
  package enum Notice: Hashable, Sendable {
    /// The copy can't be written, for this reason; told again with another reason.
    case fails(String)
    case worksAgain
    /// A store can be restored from a new generation.
    case generation(String)
  }

  private let backlog: CopyBacklog
  private let progress = CopyProgress()
  private let arrivals = CopyArrivals()
  private let now: @Sendable () -> Instant
  private let notify: @Sendable (Notice) -> Void
  private let generations = DispatchQueue(label: "madang.copies.generations", qos: .utility)
  private let pictures = DispatchQueue(label: "madang.copies.pictures", qos: .utility)
  // Each on its queue alone.
  private nonisolated(unsafe) let writer: CopyWriter
  private nonisolated(unsafe) let keeper: CopyKeeper
  private nonisolated(unsafe) var toldFailure: String?
  private let isEnding = Atomic<Bool>(false)

  /// A copy of the store of a data folder. `now` is the machine's clock, and `notify` is called on a queue of the
  /// copy's.
  package init(
    of store: SQLiteStore,
    in folder: String,
    to destination: any CopyDestination,
    _ settings: CopySettings,
    now: @escaping @Sendable () -> Instant,
    notify: @escaping @Sendable (Notice) -> Void
  ) {
    (self.now, self.notify) = (now, notify)
    backlog = CopyBacklog(now: now)
    let arrivals = arrivals
    let ownership = CopyOwnership(of: folder, to: destination)
    writer = CopyWriter(store, DatabasePages(in: folder), to: destination, ownership, settings, backlog, progress) {
      RandomBytes.make(count: 4)
    } tell: {
      switch $0 {
      case .becameWhole(let generation):
        arrivals.addGeneration()
        notify(.generation(generation))
      case .lost(let why): notify(.fails(why))
      }
    }
    keeper = CopyKeeper(store.blobs, to: destination, ownership, settings, arrivals, progress)
    store.blobs.watch { arrivals.add($0) }
  }

  /// Begins to copy.
  package func begin() {
    generations.async { self.stepGenerations() }
    pictures.async { self.stepPictures() }
  }

  /// The state of the copy now.
  package var status: CopyStatus {
    progress.status(at: now(), waitingSince: backlog.oldestAt, waitingBytes: backlog.byteCount)
  }

  /// Begins nothing more: before the store's end.
  package func stop() {
    isEnding.store(true, ordering: .relaxed)
  }

  /// Writes what the copy lacks, for so long at most. Behind the store's end. Blocks.
  package func finish(within limit: Duration) {
    stop()
    let ended = DispatchGroup()
    generations.async(group: ended) { self.writer.finish(at: self.now()) }
    pictures.async(group: ended) { self.keeper.finish(at: self.now()) }
    _ = ended.wait(timeout: .now() + .milliseconds(Int(limit.wholeMilliseconds)))
  }

  private func stepGenerations() {
    guard !isEnding.load(ordering: .relaxed) else { return }
    let pause = writer.step(at: now())
    tellFailure()
    generations.asyncAfter(deadline: .now() + .milliseconds(max(1, Int(pause.wholeMilliseconds)))) {
      self.stepGenerations()
    }
  }

  private func stepPictures() {
    guard !isEnding.load(ordering: .relaxed) else { return }
    let pause = keeper.step(at: now())
    pictures.asyncAfter(deadline: .now() + .milliseconds(max(1, Int(pause.wholeMilliseconds)))) { self.stepPictures() }
  }

  /// Tells once of each failure, and of its end.
  private func tellFailure() {
    let failure = progress.status(at: now(), waitingSince: nil).failure
    guard failure != toldFailure else { return }
    toldFailure = failure
    notify(failure.map { .fails($0) } ?? .worksAgain)
  }
}
