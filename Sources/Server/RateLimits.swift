// How often each player, each address and each account may do what costs the server more than a message, or may guess.
//
// Guarded by a lock of its own that is held for a few dictionary steps, for all shards together: whoever goes from one to
// another may do no more. What is over a limit is not counted.
import Game
import MadangProtocol
import Net
import Synchronization

final class RateLimits: Sendable {
  private struct State {
    var newRooms = Allowances<PlayerID>(perMinute: Limits.roomsPerMinuteForPlayer)
    var joins = Allowances<PlayerID>(perMinute: Limits.joinsPerMinuteForPlayer)
    var wrongCodes = Allowances<PlayerID>(perMinute: Limits.wrongCodesPerMinuteForSession)
    var wrongCodesFromAddress = Allowances<IPAddress>(perMinute: Limits.wrongCodesPerMinuteForAddress)
    var schoolChoices = Allowances<PlayerID>(perMinute: Limits.schoolChoicesPerMinute)
    var queries = Allowances<PlayerID>(perMinute: Limits.queriesPerMinute)
    var hellos = Allowances<IPAddress>(perMinute: Limits.hellosPerMinuteForAddress)
    var deletions = Allowances<IPAddress>(perMinute: Limits.deletionsPerMinuteForAddress)
    var passwords = Allowances<String>(perMinute: Limits.passwordsPerMinuteForEmail)
    var passwordsFromAddress = Allowances<IPAddress>(perMinute: Limits.passwordsPerMinuteForAddress)
  }

  private let state = Mutex(State())

  // Each counts one, or tells how many milliseconds to wait.

  /// A new room of the player's.
  func payForRoom(_ player: PlayerID, at now: Timestamp) -> UInt32? { pay(\.newRooms, player, now) }

  /// A question that costs more than others: of the store, the list of schools, the ranking.
  func payForQuery(_ player: PlayerID, at now: Timestamp) -> UInt32? { pay(\.queries, player, now) }

  /// A choice of a school: the tally keeps a count for each that somebody has tapped for.
  func payForSchoolChoice(_ player: PlayerID, at now: Timestamp) -> UInt32? { pay(\.schoolChoices, player, now) }

  /// A hello of an address, for each may leave a new player in the store. The loopback may say as many as it likes.
  func payForHello(from address: IPAddress, at now: Timestamp) -> UInt32? {
    address.isLoopback ? nil : pay(\.hellos, address.subscriberNetwork, now)
  }

  /// An account's end: each goes through all rooms.
  func payForDeletion(from address: IPAddress, at now: Timestamp) -> UInt32? {
    pay(\.deletions, address.subscriberNetwork, now)
  }

  /// A look at a password, of the account and from the address.
  func payForPassword(_ email: String, from address: IPAddress, at now: Timestamp) -> UInt32? {
    let (address, now) = (address.subscriberNetwork, Instant(now))
    return state.withLock { state in
      let wait = max(state.passwords.wait(email, at: now), state.passwordsFromAddress.wait(address, at: now))
      guard wait == .zero else { return wait.wireMilliseconds }
      _ = state.passwords.take(email, at: now)
      _ = state.passwordsFromAddress.take(address, at: now)
      return nil
    }
  }

  private func pay<Key>(
    _ allowances: WritableKeyPath<State, Allowances<Key>>,
    _ key: Key,
    _ now: Timestamp
  ) -> UInt32? {
    let now = Instant(now)
    return state.withLock { state in
      guard !state[keyPath: allowances].take(key, at: now) else { return nil }
      return state[keyPath: allowances].wait(key, at: now).wireMilliseconds
    }
  }

  // Codes.

  enum Finding: Equatable {
    case room(RoomPlace)
    case nothing
    case tooOften(retryAfterMs: UInt32)
  }

  /// Finds the room of a code for someone who names it; `player`, if it is one, and `address` pay for a code without a room.
  func findRoom(
    _ code: RoomCode,
    in directory: Directory,
    for player: PlayerID?,
    from address: IPAddress,
    at now: Timestamp
  ) -> Finding {
    let (address, now) = (address.subscriberNetwork, Instant(now))
    return state.withLock { state in
      let ownWait = player.map { state.wrongCodes.wait($0, at: now) } ?? .zero
      let wait = max(ownWait, state.wrongCodesFromAddress.wait(address, at: now))
      guard wait == .zero else { return .tooOften(retryAfterMs: wait.wireMilliseconds) }
      guard let room = directory.openRoom(code) else {
        if let player { _ = state.wrongCodes.take(player, at: now) }
        _ = state.wrongCodesFromAddress.take(address, at: now)
        return .nothing
      }
      if let player, !state.joins.take(player, at: now) {
        return .tooOften(retryAfterMs: state.joins.wait(player, at: now).wireMilliseconds)
      }
      return .room(room)
    }
  }
}
