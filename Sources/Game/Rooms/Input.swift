// The inputs of a room: values that can be stored and replayed. They know neither the wire nor a session; the sender is
// named by their place, which the server knows.

/// A request to a room.
package enum Input: Hashable, Sendable {
  /// A player enters: a new one, one who left or whose hold expired in this game, or one who is still held; the last
  /// two get their place back.
  case join(PlayerID, nickname: String)
  /// A player enters to watch alone: never with a seat. One who is held gets their place back, as it was.
  case watch(PlayerID, nickname: String)
  /// A player leaves for good.
  case leave(Place)
  /// A connection is lost; the place is held from now on.
  case lose(Place)
  /// A player whose connection was lost is connected again.
  case comeBack(Place)
  case startGame(Place)
  case playAgain(Place)
  /// A fix of the player's position.
  case move(Place, Fix)
  /// Fixes that the player's phone has kept, in the order of their times.
  case moves(Place, FixBatch)
  case chat(Place, text: String)
  /// Ends the sender's run around a land.
  case giveUpRun(Place)
  /// Moves the sender's read cursor forward to an event number.
  case readChat(Place, upTo: UInt32)
  /// Gathers the changes since the last tick, with events numbered up to `through` only: events that are not yet
  /// durable stay back.
  case tick(through: UInt32)
  /// The server was down for this long and all connections are gone. See `Room.restart`.
  case restart(downtime: Duration)
  /// A player is forgotten: their texts, and where they have been. See `Room.erase`.
  case erase(PlayerID)
  /// A player may not be in the room any more: they are removed if they are there, and can't join.
  case bar(PlayerID)
  /// The host removes a member, who can't join any more. See `Room.kick`.
  case kick(Place, PlayerID)
  /// The host closes the room for newcomers, or opens it again.
  case lock(Place, Bool)
  /// An operator closes the room for good, with everyone in it; a running game has no result.
  case close

  /// Whether the player enters to watch alone.
  var isWatch: Bool { if case .watch = self { true } else { false } }

  /// The sender's place; nil for a player without one, and for inputs that no player sends.
  package var place: Place? {
    switch self {
    case .join, .watch, .tick, .restart, .erase, .bar, .close: nil
    case .leave(let place), .lose(let place), .comeBack(let place), .startGame(let place), .playAgain(let place): place
    case .move(let place, _), .moves(let place, _), .chat(let place, _), .readChat(let place, _), .giveUpRun(let place):
      place
    case .kick(let place, _), .lock(let place, _): place
    }
  }

  /// The same input from another place.
  func from(_ place: Place) -> Input {
    switch self {
    case .join, .watch, .tick, .restart, .erase, .bar, .close: self
    case .leave: .leave(place)
    case .lose: .lose(place)
    case .comeBack: .comeBack(place)
    case .startGame: .startGame(place)
    case .playAgain: .playAgain(place)
    case .move(_, let fix): .move(place, fix)
    case .moves(_, let batch): .moves(place, batch)
    case .chat(_, let text): .chat(place, text: text)
    case .readChat(_, let number): .readChat(place, upTo: number)
    case .giveUpRun: .giveUpRun(place)
    case .kick(_, let id): .kick(place, id)
    case .lock(_, let isLocked): .lock(place, isLocked)
    }
  }
}
