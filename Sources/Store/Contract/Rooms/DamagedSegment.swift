// A segment that can't be read. A plain value, the same for every back end.
import Game

/// A segment that was set aside; its chunks are in no journal.
package struct DamagedSegment: Hashable, Sendable {
  package var number: Int64
  package var writtenAt: Instant
  package var byteCount: Int

  package init(number: Int64, writtenAt: Instant, byteCount: Int) {
    self.number = number
    self.writtenAt = writtenAt
    self.byteCount = byteCount
  }
}
