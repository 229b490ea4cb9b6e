// What reaches a room: the whole of its input, in values that can be kept and played again. It knows neither the wire nor
// a session; who sends an input is named by the place that the server has them in.

/// Something that a room is asked to do.
package enum Input: Hashable, Sendable {
  /// Someone wants in: a new player, one who left or ran out of the hold in this game, or one who is still held; the
  /// last two get their place back.
  case join(PlayerID, nickname: String)
  /// Someone goes for good.
  case leave(Place)
  /// A connection is lost; the place is held from now on.
  case lose(Place)
  /// Someone whose connection was lost is connected again.
  case comeBack(Place)
  case startGame(Place)
  case playAgain(Place)
  /// A fix of the player's position.
  case move(Place, Fix)
  case chat(Place, text: String)
  /// Ends the sender's run around a land.
  case giveUpRun(Place)
  /// Moves the sender's read cursor forward to an event number.
  case readChat(Place, upTo: UInt32)
  /// Gathers what has changed since the last tick, of events those numbered up to `through` only: what is not yet known
  /// to last stays back.
  case tick(through: UInt32)
  /// The server was down for so long and everybody's connection is gone. See `Room.restart`.
  case restart(stoodStill: Duration)
  /// A player is to be forgotten: their texts, and where they have been. See `Room.erase`.
  case erase(PlayerID)
  /// An operator ends the room for good, with whoever is in it; a game that is on comes to nothing.
  case close

  /// The place that the input comes from; nil for who has none yet, and for what no player sends.
  package var place: Place? {
    switch self {
    case .join, .tick, .restart, .erase, .close: nil
    case .leave(let place), .lose(let place), .comeBack(let place), .startGame(let place), .playAgain(let place): place
    case .move(let place, _), .chat(let place, _), .readChat(let place, _), .giveUpRun(let place): place
    }
  }

  /// The same input from another place.
  func from(_ place: Place) -> Input {
    switch self {
    case .join, .tick, .restart, .erase, .close: self
    case .leave: .leave(place)
    case .lose: .lose(place)
    case .comeBack: .comeBack(place)
    case .startGame: .startGame(place)
    case .playAgain: .playAgain(place)
    case .move(_, let fix): .move(place, fix)
    case .chat(_, let text): .chat(place, text: text)
    case .readChat(_, let number): .readChat(place, upTo: number)
    case .giveUpRun: .giveUpRun(place)
    }
  }
}
