// The loads that new rooms and moved lobbies promise to shards, before games show them: half of a promise is forgotten
// in some seconds.
//
// Shared by all shards, guarded by a lock that is held for a few steps. A shard chooses and promises in one of them, so
// that two shards don't both take the place that is left.
// Decisions: 129 (docs/decisions).
import Glibc
import Locks
import Net

package final class PromisedLoads: Sendable {
  private struct State {
    /// By shard.
    var shares: [Double] = []
    var at = Timestamp(microseconds: 0)
  }

  /// The time after which half of a promise is left: measured loads take over.
  private static let halfMicroseconds = 20_000_000.0

  private let state = OrderedMutex(.leaf, State())

  package init() {}

  /// Chooses the shard of a new room with this expected load, and promises it; nil where every shard is overloaded. See
  /// `RoomPlacement.shard`.
  package func placeRoom(own: Int, loads: [PublishedLoad.Reading], share: Double, at now: Timestamp) -> Int? {
    promise(share, loads.count, at: now) { RoomPlacement.shard(own: own, loads: loads, promised: $0) }
  }

  /// Chooses the shard to which a lobby with this expected load moves, and promises it; nil where it stays. See
  /// `RoomPlacement.destination`.
  package func moveLobby(own: Int, loads: [PublishedLoad.Reading], share: Double, at now: Timestamp) -> Int? {
    promise(share, loads.count, at: now) {
      RoomPlacement.destination(own: own, loads: loads, promised: $0, share: share)
    }
  }

  private func promise(
    _ share: Double,
    _ count: Int,
    at now: Timestamp,
    to choose: (_ promised: [Double]) -> Int?
  ) -> Int? {
    state.withLock { state in
      if state.shares.count < count {
        state.shares += Array(repeating: 0, count: count - state.shares.count)
      }
      let elapsed = max(0, now.microseconds(since: state.at))
      let kept = exp2(-Double(elapsed) / Self.halfMicroseconds)
      for index in state.shares.indices { state.shares[index] *= kept }
      state.at = max(state.at, now)
      guard let shard = choose(state.shares) else { return nil }
      state.shares[shard] += share
      return shard
    }
  }
}
