// Players who are being deleted go out of all rooms: one walk through the shards takes all who wait for it.
//
// A room that has known a player is written down whole, so walks have a pace: a few guests who go through many rooms and are
// deleted make no more work than the budget says. A walk stands on one shard at a time, on that shard's thread.
import Game
import MadangProtocol
import Net
import Synchronization

/// The players who wait for a walk. Any thread; guarded by a lock that is never held over a call.
final class Departures: Sendable {
  struct Departure: Sendable {
    let player: PlayerID
    /// Called when no room knows the player any more; on any shard's thread.
    let completion: @Sendable () -> Void
  }

  private struct State {
    var waiting: [Departure] = []
    var isWalking = false
  }

  private let state = Mutex(State())

  /// Whether the caller has to begin a walk.
  func add(_ departure: Departure) -> Bool {
    state.withLock { state in
      state.waiting.append(departure)
      defer { state.isWalking = true }
      return !state.isWalking
    }
  }

  /// Takes all departures that wait, for one walk. An empty answer ends the walks until `add` has somebody begin again.
  func take() -> [Departure] {
    state.withLock { state in
      defer { state.waiting = [] }
      state.isWalking = !state.waiting.isEmpty
      return state.waiting
    }
  }
}

/// The rest of a walk's work on one shard.
struct RoomErasure {
  fileprivate let players: [PlayerID]
  fileprivate var rooms: ArraySlice<LiveRoom>
  fileprivate let completion: () -> Void
}

extension PlayService {
  static let erasureTimer: UInt64 = 1 << 56

  /// Calls `completion` when no room of any shard knows the player, and all that says so is handed on to be committed.
  func depart(_ player: PlayerID, _ completion: @escaping @Sendable () -> Void) {
    let departure = Departures.Departure(player: player, completion: completion)
    if commons.departures.add(departure) { Self.walk(commons.departures, core.siblings) }
  }

  private static func walk(_ departures: Departures, _ shards: [Shard]) {
    let taken = departures.take()
    guard !taken.isEmpty else { return }
    erase(taken.map(\.player), from: shards[...]) {
      for departure in taken { departure.completion() }
      walk(departures, shards)
    }
  }

  /// Erases players from the rooms of all shards, one after the other, each with its journal handed on before the next.
  ///
  /// The shard commits these players' inputs first. The snapshots then lie in a later piece, so everything before them can be
  /// given up.
  private static func erase(
    _ players: [PlayerID],
    from shards: ArraySlice<Shard>,
    _ completion: @escaping @Sendable () -> Void
  ) {
    guard let first = shards.first else { return completion() }
    first.post { shard in
      guard let service = shard.core.service as? PlayService else { return }
      service.journal.whenCommitted {
        let rooms = service.rooms.values.sorted { $0.id < $1.id }
        service.roomErasure = RoomErasure(players: players, rooms: rooms[...]) {
          service.journal.cut(at: service.core.now)
          erase(players, from: shards.dropFirst(), completion)
        }
        service.eraseFromRooms()
      }
    }
  }

  /// Goes on with the walk that stands here, for at most half a turn's time and as far as the budget lets it.
  func eraseFromRooms() {
    guard var walk = roomErasure else { return }
    let began = core.readClock()
    while let room = walk.rooms.first {
      if let wait = budgets.wait(Charge(budget: .erasedRoomBytes, payer: .process), at: core.now) {
        roomErasure = walk
        _ = core.setTimer(Self.erasureTimer, at: core.now.advanced(milliseconds: Int64(wait)))
        return
      }
      walk.rooms.removeFirst()
      let bytes = room.erase(walk.players)
      if bytes > 0 {
        budgets.charge(Charge(budget: .erasedRoomBytes, payer: .process, units: Int64(bytes)), at: core.now)
      }
      guard core.readClock().microseconds(since: began) <= core.limits.turnMicroseconds / 2 else { break }
    }
    guard walk.rooms.isEmpty else {
      roomErasure = walk
      return core.siblings[core.index].post { ($0.core.service as? PlayService)?.eraseFromRooms() }
    }
    roomErasure = nil
    walk.completion()
  }
}
