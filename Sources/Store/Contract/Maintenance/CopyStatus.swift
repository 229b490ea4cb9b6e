// The state of a store's streamed copy. A plain value, for metrics and operators.
import Game

package struct CopyStatus: Hashable, Sendable {
  /// The time since the oldest commit that the copy lacks; zero where it has all.
  package var age: Duration
  /// The reason why the copy can't be written now; nil while it can.
  package var failure: String?
  /// The beginning of the newest generation that a store can be restored from; nil while there is none of this start.
  package var generationBeganAt: Instant?
  /// The bytes of all files that were written to the copy since the start.
  package var writtenBytes: Int
  /// Pictures that are not in the copy yet.
  package var waitingPictures: Int
  /// The bytes of changed pages that wait in memory.
  package var waitingBytes: Int
  /// Another server has the copy for itself, so nothing is copied.
  package var isAnothers: Bool

  /// The most bytes of pages that wait. A page that changes again takes no more room.
  package static let waitingBytesMax = 64 << 20

  package init(
    age: Duration,
    failure: String? = nil,
    generationBeganAt: Instant? = nil,
    writtenBytes: Int = 0,
    waitingPictures: Int = 0,
    waitingBytes: Int = 0,
    isAnothers: Bool = false
  ) {
    self.age = age
    self.failure = failure
    self.generationBeganAt = generationBeganAt
    self.writtenBytes = writtenBytes
    self.waitingPictures = waitingPictures
    self.waitingBytes = waitingBytes
    self.isAnothers = isAnothers
  }
}
