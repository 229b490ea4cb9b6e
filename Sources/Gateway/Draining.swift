// The server's end, on one shard: clients are notified, and the shard stops when they have gone.
//
// Part of the gateway, on the shard's queue. Features begin nothing new, and new connections are refused. Each client
// gets a time to come back; these times are spread over some seconds. A session is closed as soon as no feature keeps
// it open.
import MadangProtocol
import Net
import WebSocket

extension ShardGateway {
  private static let checkMilliseconds: Int64 = 50
  /// Two checks, because a connection between two shards may be seen by neither.
  private static let drainChecks = 2

  /// Well below the time for which a place is held after the next start, however long the grace time is.
  private static let returnSecondsMax: Int64 = 20

  package func beginDraining() {
    guard draining.until == nil else { return }
    let grace = context.configuration.graceSeconds
    draining.until = core.now.advanced(seconds: grace)
    forEachSession { announceClosing(to: $0) }
    continueDraining()
  }

  package var isDraining: Bool { draining.until != nil }

  /// Calls `completion`, on a shard's queue, when no session is left on any shard; for one shard of all.
  package func awaitDrained(_ completion: @escaping @Sendable () -> Void) {
    draining.completions.append(completion)
    guard draining.completions.count == 1 else { return }
    draining.checksLeft = Self.drainChecks
    checkDrained()
  }

  func checkDrained() {
    shards.gather {
      $0.isDrained
    } completion: { [ownShard] drained in
      ownShard.post { $0.noteDrained(drained.allSatisfy { $0 }) }
    }
  }

  private func noteDrained(_ isDrained: Bool) {
    draining.checksLeft = isDrained ? draining.checksLeft - 1 : Self.drainChecks
    guard draining.checksLeft == 0 else {
      _ = core.setTimer(drainedTimer, at: core.now.advanced(milliseconds: Self.checkMilliseconds))
      return
    }
    let completions = draining.completions
    draining.completions = []
    for completion in completions { completion() }
  }

  /// No session is left to notify.
  var isDrained: Bool {
    guard let until = draining.until, core.now < until else { return true }
    var sessions = 0
    forEachSession { _ in sessions += 1 }
    return sessions == 0
  }

  func announceClosing(to session: Session) {
    guard !session.state.isNotifiedOfClosing else { return }
    session.state.isNotifiedOfClosing = true
    let spreadMs = UInt32(clamping: min(context.configuration.graceSeconds, Self.returnSecondsMax) * 1_000)
    var closing = WireClosing()
    closing.reconnectAfterMs = UInt32(drawnBy: context.configuration.random) % max(1, spreadMs)
    session.send(.closing(closing))
  }

  /// Closes sessions that no feature keeps open; all sessions when the time is nearly up.
  func continueDraining() {
    guard let until = draining.until else { return }
    // The remaining time goes to close handshakes.
    let isOver = core.now.advanced(seconds: min(2, context.configuration.graceSeconds)) >= until
    forEachSession { session in
      if isOver || !features.contains(where: { $0.keepsOpen(session) }) { session.close(.shuttingDown) }
    }
    _ = core.setTimer(drainTimer, at: core.now.advanced(milliseconds: 100))
  }
}
