// A segment that can't be read any more. A plain value, the same for every back end.
import Game

/// A segment that was set aside: what rooms did in it is in no journal.
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
