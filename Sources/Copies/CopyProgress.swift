// How far a copy is, for operators. Written by the copy's queues, read by any thread.
import Game
import Locks
import Store

package final class CopyProgress: Sendable {
  package init() {}

  struct Figures {
    /// The time of the oldest commit that was taken from the backlog and is not in the copy.
    var pendingSince: Instant?
    /// The time since which commits are in no generation that is whole; nil while one is.
    var missingSince: Instant?
    var generationBeganAt: Instant?
    /// Of the writer of generations, and of pictures.
    var failures: [Lane: String] = [:]
    var writtenBytes = 0
    var waitingPictures = 0
    var isAnothers = false
  }

  /// The two kinds of work, each on a queue of its own.
  enum Lane: Int { case generations, pictures }

  private let figures = OrderedMutex(.leaf, Figures())

  func update(_ body: (inout Figures) -> Void) {
    figures.withLock { body(&$0) }
  }

  /// The state at `now`. `waitingSince` is the time of the oldest commit in the backlog, and `waitingBytes` its size.
  package func status(at now: Instant, waitingSince: Instant?, waitingBytes: Int = 0) -> CopyStatus {
    let figures = figures.withLock { $0 }
    let oldest = [figures.missingSince, figures.pendingSince, waitingSince].compactMap { $0 }.min()
    return CopyStatus(
      age: oldest.map { max(.zero, now - $0) } ?? .zero,
      failure: figures.failures.min { $0.key.rawValue < $1.key.rawValue }?.value,
      generationBeganAt: figures.generationBeganAt,
      writtenBytes: figures.writtenBytes,
      waitingPictures: figures.waitingPictures,
      waitingBytes: waitingBytes,
      isAnothers: figures.isAnothers
    )
  }
}

/// The pause before a failed call is tried again.
struct CopyRetry {
  private let settings: CopySettings
  private var pause: Duration?
  private var until: Instant?

  init(_ settings: CopySettings) {
    self.settings = settings
  }

  /// The time that is left; nil where nothing is waited for.
  func rest(at now: Instant) -> Duration? {
    guard let until, until > now else { return nil }
    return until - now
  }

  mutating func failed(at now: Instant) -> Duration {
    let next = min(settings.retryMax, pause.map { $0 * 2 } ?? settings.retryMin)
    pause = next
    until = now + next
    return next
  }

  mutating func succeeded() {
    (pause, until) = (nil, nil)
  }
}
