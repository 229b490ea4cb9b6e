// Writes generations: a snapshot of the database's file in pieces, and deltas of the commits since. On the copies' own
// queue, which it blocks while the destination works. Nothing of the store waits for it.
//
// A snapshot is read while commits go on. It is right together with all deltas up to one that was cut behind its last
// piece; only then the generation is whole. Until then the generation before gets the same deltas. Nothing is written
// to a copy that another server owns.
// Decisions: 153, 160 (docs/decisions).
import Game
import Store

package final class CopyWriter {
  /// What it tells of.
  package enum Event: Hashable, Sendable {
    case becameWhole(generation: String)
    case lost(String)
  }

  private let commits: CommitCapture
  private let pages: DatabasePages
  private let destination: any CopyDestination
  private let ownership: CopyOwnership
  private let settings: CopySettings
  private let backlog: CopyBacklog
  private let progress: CopyProgress
  private let random: @Sendable () -> [UInt8]
  private let tell: (Event) -> Void

  /// The newest generation that is whole, of this start.
  private var current: CopyGeneration?
  /// The one whose snapshot is under way.
  private var next: CopyGeneration?
  /// The changes of the next delta.
  private var pending: CopyBacklog.Changes?
  private var cutAt: Instant?
  private var pieceAt: Instant?
  private var markedAt: Instant?
  private var confirmedAt: Instant?
  private var retry: CopyRetry

  package init(
    _ store: SQLiteStore,
    _ pages: DatabasePages,
    to destination: any CopyDestination,
    _ ownership: CopyOwnership,
    _ settings: CopySettings,
    _ backlog: CopyBacklog,
    _ progress: CopyProgress,
    random: @escaping @Sendable () -> [UInt8],
    tell: @escaping (Event) -> Void
  ) {
    (self.pages, self.destination, self.ownership, self.settings) = (pages, destination, ownership, settings)
    commits = CommitCapture(of: store)
    (self.backlog, self.progress, self.random, self.tell) = (backlog, progress, random, tell)
    retry = CopyRetry(settings)
  }

  /// Does what is due at `now`. Returns the time until the next call.
  package func step(at now: Instant) -> Duration {
    abandonWhatIsLost(now)
    if let rest = retry.rest(at: now) { return min(rest, settings.interval) }
    do throws(CopyFailure) {
      try advance(now)
      retry.succeeded()
      progress.update { $0.failures[.generations] = nil }
      let pause = current == nil ? settings.firstPiecePause : settings.piecePause
      return next == nil ? settings.interval / 4 : pause
    } catch {
      progress.update { $0.failures[.generations] = error.description }
      return min(retry.failed(at: now), settings.interval)
    }
  }

  /// Writes what the copy lacks, and no snapshot; behind the store's end.
  package func finish(at now: Instant) {
    abandonWhatIsLost(now)
    do throws(CopyFailure) {
      confirmedAt = nil
      try confirm(now)
      try writePending()
      pending = backlog.take()
      try writePending()
      markedAt = nil
      try mark(now)
    } catch {
      progress.update { $0.failures[.generations] = error.description }
    }
  }

  private func advance(_ now: Instant) throws(CopyFailure) {
    try confirm(now)
    if next == nil, current?.isOver(at: now, settings) ?? true { try begin(now) }
    if pending == nil, cutAt.map({ now - $0 >= settings.interval }) ?? true {
      cutAt = now
      pending = backlog.take()
    }
    try writePending()
    if next != nil, pieceAt.map({ now - $0 >= pieceInterval }) ?? true {
      pieceAt = now
      try writePiece()
    }
    try mark(now)
  }

  /// Looks at times whether the copy is this server's still. The generations of one that is another's are over: when it
  /// is this server's again, another one begins.
  private func confirm(_ now: Instant) throws(CopyFailure) {
    if let confirmedAt, now - confirmedAt < settings.markInterval { return }
    do throws(CopyFailure) {
      try ownership.confirm()
      confirmedAt = now
      progress.update { $0.isAnothers = false }
    } catch {
      if !ownership.isOwn { abandon(since: backlog.oldestAt ?? now) }
      progress.update { $0.isAnothers = ownership.isAnothers }
      throw error
    }
  }

  private var pieceInterval: Duration { current == nil ? settings.firstPiecePause : settings.piecePause }

  /// Drops all generations where pages of some commits are missing.
  private func abandonWhatIsLost(_ now: Instant) {
    guard let loss = backlog.loss, current != nil || next != nil else { return }
    abandon(since: loss.at)
    _ = retry.failed(at: now)
    tell(.lost(loss.why))
  }

  /// Drops all generations.
  private func abandon(since at: Instant) {
    (current, next, pending) = (nil, nil, nil)
    progress.update { figures in
      figures.missingSince = figures.missingSince ?? figures.pendingSince ?? at
      (figures.pendingSince, figures.generationBeganAt) = (nil, nil)
    }
  }

  private func begin(_ now: Instant) throws(CopyFailure) {
    if current == nil {
      backlog.reset()
      progress.update { $0.missingSince = $0.missingSince ?? now }
    }
    do throws(StoreFailure) {
      try commits.begin(backlog)
    } catch {
      throw CopyFailure("\(error)")
    }
    next = CopyGeneration(id: CopyNames.generation(at: now, random: random()), beganAt: now)
    pieceAt = nil
  }

  /// Writes the pending delta to each generation. One that was written before a failure is written again.
  private func writePending() throws(CopyFailure) {
    guard let changes = pending else { return }
    progress.update { $0.pendingSince = changes.oldestAt }
    var written: [CopyGeneration?] = []
    for generation in [current, next] {
      guard var generation else {
        written.append(nil)
        continue
      }
      let file = PageFile(
        generation: generation.id,
        number: generation.deltaCount + 1,
        databasePageCount: changes.databasePageCount,
        pages: changes.pages
      )
      generation.wroteDelta(bytes: try put(generation.nextDeltaName(at: changes.newestAt), file.encoded))
      written.append(generation)
    }
    (current, next, pending) = (written[0], written[1], nil)
    progress.update { $0.pendingSince = nil }
  }

  /// Writes the next piece of the snapshot; behind the last one the generation becomes whole.
  private func writePiece() throws(CopyFailure) {
    guard var generation = next else { return }
    let piece: DatabasePages.Piece
    do throws(StoreFailure) {
      piece = try pages.read(from: generation.nextPage, count: settings.piecePages)
    } catch {
      throw CopyFailure("\(error)")
    }
    if !piece.bytes.isEmpty {
      let file = PageFile(
        generation: generation.id,
        number: generation.pieceCount,
        databasePageCount: 0,
        pages: piece.pages(from: generation.nextPage)
      )
      let bytes = try put(generation.nextPieceName, file.encoded)
      generation.wrotePiece(pages: piece.bytes.count / piece.pageBytes, bytes: bytes)
      next = generation
    }
    if generation.nextPage >= piece.filePageCount { try makeWhole() }
  }

  /// Writes the delta that the snapshot needs, and then the mark that both are there.
  private func makeWhole() throws(CopyFailure) {
    // A checkpoint may have put pages of a commit into the file before its pages came here.
    commits.settle()
    pending = backlog.take()
    try writePending()
    guard backlog.loss == nil, let generation = next else { return }
    _ = try put(generation.wholeName, Array("\(generation.deltaCount) \(generation.pieceCount)\n".utf8))
    (current, next, markedAt) = (generation, nil, nil)
    progress.update { figures in
      (figures.missingSince, figures.generationBeganAt) = (nil, generation.beganAt)
    }
    tell(.becameWhole(generation: generation.id))
  }

  /// Tells readers of the copy how far it goes.
  private func mark(_ now: Instant) throws(CopyFailure) {
    guard current != nil, pending == nil, markedAt.map({ now - $0 >= settings.markInterval }) ?? true else { return }
    let through = min(now, backlog.oldestAt ?? now)
    _ = try put(CopyNames.through, Array("\(through.utc)\n".utf8))
    markedAt = now
  }

  /// Writes a file; returns its bytes.
  private func put(_ name: String, _ bytes: [UInt8]) throws(CopyFailure) -> Int {
    try destination.put(name, bytes)
    progress.update { $0.writtenBytes += bytes.count }
    return bytes.count
  }
}

extension DatabasePages.Piece {
  /// The pages, whose first one is the `first`th of the file, from 0.
  fileprivate func pages(from first: Int) -> PageSet {
    var pages = PageSet(pageBytes: pageBytes)
    bytes.withUnsafeBytes { bytes in
      for index in 0..<(bytes.count / pageBytes) {
        let page = bytes[(index * pageBytes)..<((index + 1) * pageBytes)]
        pages.put(UInt32(first + index + 1), UnsafeRawBufferPointer(rebasing: page))
      }
    }
    return pages
  }
}
