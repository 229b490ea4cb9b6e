// A generation under way: its files so far. A value.
//
// A generation is a snapshot and the deltas behind it. It is whole once its file `whole` is there.
import Game

struct CopyGeneration: Sendable {
  let id: String
  let beganAt: Instant
  /// The first page of the database's file that is not in the snapshot, from 0.
  private(set) var nextPage = 0
  private(set) var pieceCount: UInt64 = 0
  private(set) var deltaCount: UInt64 = 0
  private(set) var snapshotBytes = 0
  private(set) var deltaBytes = 0

  init(id: String, beganAt: Instant) {
    self.id = id
    self.beganAt = beganAt
  }

  var nextPieceName: String { "\(CopyNames.folder(id))/\(CopyNames.snapshot(pieceCount))" }

  func nextDeltaName(at moment: Instant) -> String {
    "\(CopyNames.folder(id))/\(CopyNames.delta(deltaCount + 1, at: moment))"
  }

  var wholeName: String { "\(CopyNames.folder(id))/\(CopyNames.whole)" }

  mutating func wrotePiece(pages: Int, bytes: Int) {
    nextPage += pages
    pieceCount += 1
    snapshotBytes += bytes
  }

  mutating func wroteDelta(bytes: Int) {
    deltaCount += 1
    deltaBytes += bytes
  }

  /// Whether another one should follow at `now`, so that a restoration stays short.
  func isOver(at now: Instant, _ settings: CopySettings) -> Bool {
    let age = now - beganAt
    if age >= settings.generationSpan { return true }
    return age >= settings.generationSpanMin
      && deltaBytes >= max(settings.deltaBytesMin, settings.deltaFactor * snapshotBytes)
  }
}
