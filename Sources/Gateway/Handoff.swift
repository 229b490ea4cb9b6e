// The handoff of a session to another shard: its state, the cargos of its parts, and a task that goes on there.
//
// On the session's own shard the same task runs at once, so there is one way to go on.
import Game
import MadangProtocol
import Net

/// The part of a session that travels with its connection.
private struct Handoff: Sendable {
  let player: PlayerID
  let state: SessionState
  let rate: MessageRate
  let cargos: [any SessionCargo]
}

extension ShardGateway {
  /// Continues a player's request on a feature's shard, where `task` is called.
  ///
  /// Call it inside a request of the session, or while its connection is suspended, when none of its answers waits for
  /// a commit (`Session.afterAnswers`). On another shard the connection is not suspended.
  package func handOff<F: Feature>(
    _ request: PlayerRequest,
    toShard index: Int,
    of shards: ServiceShards<F>,
    _ task: @escaping @Sendable (F, PlayerRequest) -> Void
  ) {
    guard index != core.index else { return task(shards.service(on: core), request) }
    let (id, asker) = (request.id, request.asker)
    handOff(request.session, of: request.player, toShard: index, of: shards) { feature, session in
      task(feature, PlayerRequest(id: id, session: session, asker: asker))
    }
  }

  /// Moves a player's session to another shard, where `task` is called if the connection is still the player's. Call it
  /// like the other, while the connection is suspended.
  package func handOff<F: Feature>(
    _ session: Session,
    of player: PlayerID,
    toShard index: Int,
    of shards: ServiceShards<F>,
    _ task: @escaping @Sendable (F, Session) -> Void
  ) {
    precondition(!session.awaitsCommit, "a session that moves has no answer that waits for a commit")
    for feature in features { feature.moving(session) }
    let handoff = Handoff(player: player, state: session.state, rate: session.rate, cargos: session.cargos)
    session.dropParts()
    session.connection.move(to: core.siblings[index]) { [find] core, connection in
      find(core).receive(handoff, connection) { task(shards.service(on: core), $0) }
    }
    session.connection.context = nil
  }

  /// A connection has come from another shard.
  private func receive(_ handoff: Handoff, _ connection: Connection, _ task: (Session) -> Void) {
    let session = Session(connection, traffic, handoff.state, rate: handoff.rate)
    for cargo in handoff.cargos { session.add(cargo.unpacked(for: session)) }
    connection.context = session
    let place = ConnectionPlace(shard: core.index, token: connection.token, number: handoff.state.number)
    if let reason = CloseCode(directory.confirmArrival(of: handoff.player, at: place)) { return session.close(reason) }
    carryOutOrders(for: session)
    for feature in features { feature.arrived(session) }
    task(session)
    if isDraining { announceClosing(to: session) }
  }
}
