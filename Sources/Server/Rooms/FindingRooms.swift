// Lookups of room codes from clients: guesses are bounded, and one phone's guesses lock nobody else out.
//
// Any thread. A code over the WebSocket is a player's. While the player has guesses left, a right one passes, even if
// others of the address have used up theirs. Clients over HTTP are anonymous. So guesses from an address share one
// budget there, apart from the WebSocket's.
import Game
import Gateway
import MadangProtocol
import Net

enum RoomFinding: Equatable {
  case room(RoomPlace)
  case nothing
  case tooOften(retryAfterMs: UInt32)
}

extension Budgets {
  /// Finds the room of a player's code; the player pays for a code without a room.
  func findRoom(
    _ code: RoomCode,
    in directory: Directory,
    for player: PlayerID,
    from address: IPAddress,
    at now: Timestamp
  ) -> RoomFinding {
    let own = Charge(budget: .wrongCodes, payer: .player(player))
    if let wait = wait(own, at: now) { return .tooOften(retryAfterMs: wait) }
    if let room = directory.openRoom(code) { return .room(room) }
    charge(own, at: now)
    // A player with guesses left learns that this one was wrong, unless too many from the address were.
    let wait = pay(Charge(budget: .wrongCodesOfAddress, payer: .address(address)), at: now)
    return wait.map { .tooOften(retryAfterMs: $0) } ?? .nothing
  }

  /// Finds the room of a code in the address of a page.
  func findRoom(byHTTP code: RoomCode, in directory: Directory, from address: IPAddress, at now: Timestamp)
    -> RoomFinding
  {
    let own = Charge(budget: .wrongCodesByHTTP, payer: .address(address))
    if let wait = wait(own, at: now) { return .tooOften(retryAfterMs: wait) }
    if let room = directory.openRoom(code) { return .room(room) }
    charge(own, at: now)
    return .nothing
  }
}
