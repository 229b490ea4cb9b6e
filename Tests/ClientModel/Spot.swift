// A place of the wire as one type: four messages of the schema have a place, each with its own type. A value.
import MadangProtocol

/// The place of a player in a room.
package enum Spot: Hashable {
  case seat(UInt32)
  case spectator(UInt32)
  /// A message without a place, which no server sends.
  case nowhere

  package init(_ place: WirePlace) {
    switch place.place {
    case .seat(let seat): self = .seat(seat)
    case .spectator(let number): self = .spectator(number)
    case nil: self = .nowhere
    }
  }

  package init(_ player: WirePlayer) {
    switch player.place {
    case .seat(let seat): self = .seat(seat)
    case .spectator(let number): self = .spectator(number)
    case nil: self = .nowhere
    }
  }

  package init(_ cursor: WireCursor) {
    switch cursor.place {
    case .seat(let seat): self = .seat(seat)
    case .spectator(let number): self = .spectator(number)
    case nil: self = .nowhere
    }
  }
}
