// The time of a shard's present turn: read from the clock once, and the same for everything in the turn.
//
// One of each shard, used on its queue. Services keep it, so that reading the time follows one reference.

package final class TurnTime {
  private var time: Timestamp
  private let clock: any Clock

  init(_ clock: any Clock) {
    self.clock = clock
    time = clock.now()
  }

  /// The current time; `now` is the time of the turn.
  package func readClock() -> Timestamp { clock.now() }

  package var now: Timestamp { time }

  func begin(at time: Timestamp) {
    self.time = time
  }
}
