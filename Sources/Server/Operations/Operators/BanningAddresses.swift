// Bans of new guests from a player's network, which operators may choose with a ban of the player.
//
// Any thread may call; each shard looks at its own connections, on its queue. The address is that of the player's
// connection at that moment: nothing keeps where players have come from.
// Decisions: 140 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import Store

/// Where a connected player comes from, and who else does.
struct PlayerNetwork: Sendable {
  let address: IPAddress
  let room: RoomID?
  /// Nil where there is no code, or it is hidden.
  let code: RoomCode?
  /// The other players who are connected from the network.
  var othersCount = 0
}

/// The part of a ban for new guests of a network, before the ban has its times.
struct BannedAddress: Sendable {
  let network: [UInt8]
  /// The only room that it is for; nil for the whole server.
  let room: RoomID?
  let code: RoomCode?

  static func unknown(_ player: PlayerID) -> String { "player \(player) is not connected: their address is not known" }

  private static func span(of duration: Duration?) -> Duration {
    min(duration ?? AddressBan.spanMax, AddressBan.spanMax)
  }

  /// As long as the player's own ban, and a day at most.
  func ban(since: Instant, for duration: Duration?) -> AddressBan {
    AddressBan(network: network, room: room, until: since + Self.span(of: duration))
  }

  /// The details for the audit log, which is kept for ever: no address is among them.
  func detail(for duration: Duration?) -> String {
    let own = OperatorAction.text(of: duration)
    let place = room == nil ? "" : ", in that room"
    return "\(own); new guests of their address: \(OperatorAction.text(of: Self.span(of: duration)))\(place)"
  }
}

struct BanningAddresses: Sendable {
  let server: GameServer

  /// Bans a player, and new guests from where they are connected.
  func ban(
    _ player: PlayerID,
    for duration: Duration?,
    _ reason: String,
    withAddressIn scope: AddressBanScope,
    _ task: OperatorTask
  ) {
    findNetwork(of: player) { found in
      guard let found else { return task.refuse(BannedAddress.unknown(player), code: "PLAYER_NOT_HERE") }
      guard scope == .server || found.room != nil else {
        return task.refuse("player \(player) is in no room", code: "PLAYER_NOT_HERE")
      }
      let isOfRoom = scope == .room
      let address = BannedAddress(
        network: server.context.gateway.browsers.network(of: found.address),
        room: isOfRoom ? found.room : nil,
        code: isOfRoom ? found.code : nil
      )
      server.put(.ban, on: player, for: duration, reason, address: address, task)
    }
  }

  /// Finds the network of a player; `completion` is called on a shard's queue, with nil for one who is not connected.
  func findNetwork(of player: PlayerID, _ completion: @escaping @Sendable (PlayerNetwork?) -> Void) {
    server.services.gather {
      $0.operations.network(of: player)
    } completion: { [server] parts in
      guard let found = parts.compactMap({ $0 }).first else { return completion(nil) }
      let network = found.address.subscriberNetwork
      server.services.gather {
        $0.operations.countPlayers(of: network, beside: player)
      } completion: { counts in
        var found = found
        found.othersCount = counts.reduce(0, +)
        completion(found)
      }
    }
  }
}

extension Operations {
  /// Where a player comes from who is connected on this shard; nil for others.
  fileprivate func network(of player: PlayerID) -> PlayerNetwork? {
    var found: PlayerNetwork?
    gateway.forEachSession { session in
      guard session.state.identity?.player == player, session.connection.isOpen else { return }
      let room = session.room
      found = PlayerNetwork(
        address: session.connection.address.ip,
        room: room?.id,
        code: room.flatMap { $0.isSolo ? nil : $0.place.code }
      )
    }
    return found
  }

  fileprivate func countPlayers(of network: IPAddress, beside player: PlayerID) -> Int {
    var count = 0
    gateway.forEachSession { session in
      guard let other = session.state.identity?.player, other != player else { return }
      if session.connection.address.ip.subscriberNetwork == network { count += 1 }
    }
    return count
  }
}
