// The numbers of open rooms: in all, of each creator, and of each creator's network.
//
// Shared by all shards, guarded by a lock that is held for a few dictionary steps. Used when a room opens or closes.
import Game
import Gateway
import Locks
import Net

/// The creator of a room, and their network.
struct RoomCreator: Sendable {
  let player: PlayerID
  let address: IPAddress

  init(_ player: PlayerID, from address: IPAddress) {
    self.player = player
    self.address = address.subscriberNetwork
  }
}

/// The bounds on open rooms: in all, for one creator, and for one address.
struct RoomLimits: Sendable {
  let inAll: Int
  let ofPlayer: Int
  let ofAddress: Int
  /// Whether the loopback counts as an address like others.
  let limitsLoopback: Bool
}

final class OpenRooms: Sendable {
  private struct State {
    var inAll = 0
    var ofPlayer: [PlayerID: Int] = [:]
    var ofAddress: [IPAddress: Int] = [:]
  }

  private let limits: RoomLimits
  private let state = OrderedMutex(.leaf, State())

  init(_ limits: RoomLimits) {
    self.limits = limits
  }

  /// Counts a new room.
  ///
  /// - Returns: nil, or the budget that the room would exceed; then it is not counted.
  func add(by creator: RoomCreator) -> Budget? {
    state.withLock { state in
      if state.inAll >= limits.inAll { return .openRooms }
      if state.ofPlayer[creator.player, default: 0] >= limits.ofPlayer { return .openRoomsOfPlayer }
      let isLimited = limits.limitsLoopback || !creator.address.isLoopback
      if isLimited, state.ofAddress[creator.address, default: 0] >= limits.ofAddress { return .openRoomsOfAddress }
      state.inAll += 1
      state.ofPlayer[creator.player, default: 0] += 1
      state.ofAddress[creator.address, default: 0] += 1
      return nil
    }
  }

  /// Counts a room from before the start of the server; its creator is not known any more.
  func addRestored() {
    state.withLock { $0.inAll += 1 }
  }

  /// A room has closed; `creator` is nil for a restored one.
  func remove(by creator: RoomCreator?) {
    state.withLock { state in
      state.inAll -= 1
      guard let creator else { return }
      state.ofPlayer.countDown(creator.player)
      state.ofAddress.countDown(creator.address)
    }
  }

  /// The use of the budgets. The rooms of a player and of an address are the most of any.
  var amounts: [BudgetAmount] {
    let (inAll, ofPlayer, ofAddress) = state.withLock {
      ($0.inAll, $0.ofPlayer.values.max() ?? 0, $0.ofAddress.values.max() ?? 0)
    }
    return [
      BudgetAmount(.openRooms, used: inAll, bound: limits.inAll),
      BudgetAmount(.openRoomsOfPlayer, used: ofPlayer, bound: limits.ofPlayer),
      BudgetAmount(.openRoomsOfAddress, used: ofAddress, bound: limits.ofAddress),
    ]
  }
}

extension Dictionary where Value == Int {
  fileprivate mutating func countDown(_ key: Key) {
    guard let count = self[key] else { return }
    self[key] = count > 1 ? count - 1 : nil
  }
}
