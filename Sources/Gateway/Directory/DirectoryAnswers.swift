// The directory's questions and answers: places of groups and connections, and a connection's ownership by a player.
//
// Values.
import Game
import MadangProtocol
import Net

/// The shard, token and number of a player's connection. A later connection has a higher number.
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

/// Players whom one shard serves together, so that they share messages without a lock; a player is in at most one.
package struct PlayerGroup: Sendable, Hashable {
  /// The feature's own number for it, at most 62 bits.
  package let id: UInt64
  package let shard: Int

  package init(id: UInt64, shard: Int) {
    self.id = id
    self.shard = shard
  }
}

/// The relation of a connection to the player it was recognized as.
package enum Ownership {
  case current
  /// The player has a newer connection.
  case replaced
  /// The player has been removed.
  case removed
}

/// The traces of a player who is removed.
package enum Removal: Equatable {
  /// The player is neither connected nor in a group.
  case nowhere
  /// Nothing is done: the player is in a group of another shard, which has to remove them.
  case elsewhere(shard: Int)
  /// The connection may do nothing more, wherever it is. A player in a group here has to leave it.
  case removed(fromGroup: UInt64?, ConnectionPlace?)
}

/// A change of a session that is made where its connection is found, or where it arrives on another shard.
package typealias SessionOrder = @Sendable (Session) -> Void

/// The directory's answer to a player's new connection.
package enum Recognition: Sendable {
  /// It is the player's connection from now on. It finds the player's group, if any; an older connection is to be
  /// closed.
  case current(PlayerGroup?, replaced: ConnectionPlace?)
  /// The player has a newer connection.
  case replaced
  /// The player is locked out.
  case lockedOut
}

extension CloseCode {
  /// The close code for a connection that is not its player's any more; nil for a current one.
  package init?(_ ownership: Ownership) {
    switch ownership {
    case .current: return nil
    case .replaced: self = .replaced
    case .removed: self = .removed
    }
  }
}
