// The directory's questions and answers: places of rooms and connections, and a connection's ownership by a player. Values.
import Game
import MadangProtocol
import Net
import Store

/// Where a player's connection is, and which it is: a later one has a higher number.
package struct ConnectionPlace: Sendable, Equatable {
  package let shard: Int
  package let token: UInt64
  package let number: UInt64

  package init(shard: Int, token: UInt64, number: UInt64) {
    self.shard = shard
    self.token = token
    self.number = number
  }
}

/// Where a room is.
package struct RoomPlace: Sendable, Hashable {
  package let code: RoomCode
  package let shard: Int

  package init(code: RoomCode, shard: Int) {
    self.code = code
    self.shard = shard
  }
}

/// Who has made a room, and from which network.
package struct RoomCreator: Sendable {
  package let player: PlayerID
  package let address: IPAddress

  package init(_ player: PlayerID, from address: IPAddress) {
    self.player = player
    self.address = address.subscriberNetwork
  }
}

/// How many rooms may be open at once: in all, of those that one player has made, and of those from one address.
package struct RoomLimits: Sendable {
  package let inAll: Int
  package let ofPlayer: Int
  package let ofAddress: Int
  /// Whether the loopback is an address like others.
  package let limitsLoopback: Bool

  package init(inAll: Int, ofPlayer: Int, ofAddress: Int, limitsLoopback: Bool) {
    self.inAll = inAll
    self.ofPlayer = ofPlayer
    self.ofAddress = ofAddress
    self.limitsLoopback = limitsLoopback
  }
}

/// What comes of a wish for a new room.
package enum NewRoom {
  case room(RoomPlace)
  case tooMany(Budget)
}

/// What a connection is to the player whom it was recognized as.
package enum Ownership {
  case current
  /// The player has a newer connection.
  case replaced
  /// An operator has taken the player out.
  case removed
}

/// What somebody whom an operator takes out leaves behind.
package enum Expulsion: Equatable {
  /// The player is neither connected nor in a room.
  case nowhere
  /// Nothing is done: the player is in a room of another shard, which has to do it.
  case elsewhere(shard: Int)
  /// The connection may do nothing more, wherever it is; whoever is in a room here is to leave it.
  case expelled(RoomCode?, ConnectionPlace?)
}

/// What a connection is to be told when it is found, or has come to another shard.
package struct MuteOrder: Sendable {
  /// Nil: the player may chat again.
  package let mute: Mute?

  package init(mute: Mute?) {
    self.mute = mute
  }
}

/// What a player's new connection finds.
package enum Recognition: Sendable {
  /// It is the player's from now on; who is in a room finds it, and an older connection is to be closed.
  case current(RoomPlace?, replaced: ConnectionPlace?)
  /// The player has a newer connection.
  case replaced
  /// The player is being deleted.
  case departing
}

extension CloseCode {
  /// What a connection is closed with that is its player's no longer; nil for one that is.
  package init?(_ ownership: Ownership) {
    switch ownership {
    case .current: return nil
    case .replaced: self = .replaced
    case .removed: self = .removed
    }
  }
}
