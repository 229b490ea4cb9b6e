// The time of a shard's present turn: read from the clock once, and the same for everything in the turn.
//
// One of each shard, used on its queue. Services keep it, so that reading the time follows one reference.
// Decisions: 103 (docs/decisions).

package final class TurnTime {
  private var time: Timestamp
  /// The time after which the turn serves no further sockets.
  private var end: Timestamp
  private let clock: any Clock
  private let turnMicroseconds: Int64
  /// After work that took very long, sockets have no more than this.
  private static let socketMicrosecondsMax: Int64 = 50_000

  init(_ clock: any Clock, turnMicroseconds: Int64) {
    self.clock = clock
    self.turnMicroseconds = turnMicroseconds
    time = clock.now()
    end = time
  }

  /// The current time; `now` is the time of the turn.
  package func readClock() -> Timestamp { clock.now() }

  package var now: Timestamp { time }

  func begin(at time: Timestamp) {
    self.time = time
    end = time.advanced(microseconds: turnMicroseconds)
  }

  /// Whether timers have had a turn's time.
  var isOverForTimers: Bool { clock.now().microseconds(since: time) > turnMicroseconds }

  /// Sockets have what is left of the turn, and at least as long as its work before them took: they are read even where
  /// timers alone would fill all turns.
  ///
  /// - Returns: the middle of their time.
  func socketsBegin() -> Timestamp {
    let begin = clock.now()
    let worked = min(begin.microseconds(since: time), Self.socketMicrosecondsMax)
    end = max(time.advanced(microseconds: turnMicroseconds), begin.advanced(microseconds: worked))
    return begin.advanced(microseconds: end.microseconds(since: begin) / 2)
  }

  /// A group is read, whose tick waits for nothing else: it has a turn's time of its own.
  func groupBegins() { end = max(end, clock.now().advanced(microseconds: turnMicroseconds)) }

  /// Whether the turn's time is over. The remaining work waits for the next one: ticks come first.
  var isOver: Bool { clock.now() > end }
}
