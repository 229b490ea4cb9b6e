// The server's end, on one shard: who is told what, and when the shard may stop.
//
// On the shard's thread. New rooms, games and connections are refused; everybody is told when to come back, spread over some
// seconds so that not all do at once; who is in no running game goes now, who is in one may end it.
import MadangProtocol
import Net
import WebSocket

extension PlayService {
  /// The room codes' timers have 45 bits.
  static let drainTimer: UInt64 = 1 << 62
  static let drainedTimer: UInt64 = 1 << 55
  private static let lookMilliseconds: Int64 = 50
  /// Twice, for a connection on its way from one shard to another may be seen by neither.
  private static let drainLooks = 2

  /// Well below the time for which a place is held after the next start, however long the grace time is.
  private static let returnSecondsMax: Int64 = 20

  func beginDraining() {
    guard drainUntil == nil else { return }
    let grace = commons.configuration.graceSeconds
    drainUntil = core.now.advanced(seconds: grace)
    core.forEachConnection { connection in
      guard let session = connection.context as? PlaySession else { return }
      announceClosing(to: session)
    }
    continueDraining()
  }

  var isDraining: Bool { drainUntil != nil }

  /// Calls `completion` when nobody is left on any shard, on a shard's thread; for one shard of all.
  func awaitDrained(_ completion: @escaping @Sendable () -> Void) {
    drainCompletions.append(completion)
    guard drainCompletions.count == 1 else { return }
    drainLooksToGo = Self.drainLooks
    lookWhetherDrained()
  }

  func lookWhetherDrained() {
    shards.gather {
      $0.isDrained
    } completion: { [ownShard] drained in
      ownShard.post { $0.noteDrained(drained.allSatisfy { $0 }) }
    }
  }

  private func noteDrained(_ isDrained: Bool) {
    drainLooksToGo = isDrained ? drainLooksToGo - 1 : Self.drainLooks
    guard drainLooksToGo == 0 else {
      _ = core.setTimer(Self.drainedTimer, at: core.now.advanced(milliseconds: Self.lookMilliseconds))
      return
    }
    let completions = drainCompletions
    drainCompletions = []
    for completion in completions { completion() }
  }

  /// Nobody is left whom anything could still be told.
  var isDrained: Bool {
    guard let drainUntil, core.now < drainUntil else { return true }
    var sessions = 0
    core.forEachConnection { if $0.context is PlaySession { sessions += 1 } }
    return sessions == 0
  }

  func announceClosing(to session: PlaySession) {
    guard !session.state.isToldOfClosing else { return }
    session.state.isToldOfClosing = true
    let spreadMs = UInt32(clamping: min(commons.configuration.graceSeconds, Self.returnSecondsMax) * 1_000)
    var closing = WireClosing()
    closing.reconnectAfterMs = UInt32(drawnBy: commons.configuration.random) % max(1, spreadMs)
    session.send(.closing(closing))
  }

  /// Closes whoever is in no running game and has been told its end; everybody when the time is nearly up.
  func continueDraining() {
    guard let drainUntil else { return }
    // What is left of the time goes to close handshakes.
    let isOver = core.now.advanced(seconds: min(2, commons.configuration.graceSeconds)) >= drainUntil
    core.forEachConnection { connection in
      guard let session = connection.context as? PlaySession else { return }
      if isOver || !(session.room?.isAwaited ?? false) { session.close(.shuttingDown) }
    }
    _ = core.setTimer(Self.drainTimer, at: core.now.advanced(milliseconds: 100))
  }
}
