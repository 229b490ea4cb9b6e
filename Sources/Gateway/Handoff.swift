// The handoff of a session to another shard: its state, the cargos of its parts, and a task that goes on there.
//
// A value that travels with the connection. On the session's own shard the same task runs at once, so there is one way
// to go on.
import MadangProtocol
import Net

private struct Handoff: Sendable {
  let state: SessionState
  let cargos: [any SessionCargo]
  let task: @Sendable (ShardCore, Session) -> Void
}

extension ShardGateway {
  /// Continues a player's session on a feature's shard, where `task` is called.
  ///
  /// Call it inside a request of the session, or while its connection is suspended, when none of its answers waits for
  /// a commit (`Session.afterAnswers`). On another shard the connection is not suspended.
  package func handOff<F: Feature>(
    _ session: Session,
    toShard index: Int,
    of shards: ServiceShards<F>,
    _ task: @escaping @Sendable (F, Session) -> Void
  ) {
    guard index != core.index else { return task(shards.service(on: core), session) }
    for feature in features { feature.departing(session) }
    let handoff = Handoff(state: session.state, cargos: session.cargos) { core, session in
      task(shards.service(on: core), session)
    }
    session.dropParts()
    session.connection.move(to: core.siblings[index], carrying: handoff)
  }

  /// A connection has come from another shard.
  package func adopted(_ connection: Connection, carrying cargo: any Sendable) {
    guard let handoff = cargo as? Handoff, let identity = handoff.state.identity else {
      preconditionFailure("a moving connection carries a handoff")
    }
    let session = Session(connection, traffic, handoff.state)
    for cargo in handoff.cargos { session.add(cargo.unpacked(for: session)) }
    connection.context = session
    let place = ConnectionPlace(shard: core.index, token: connection.token, number: handoff.state.number)
    if let reason = CloseCode(directory.confirmArrival(of: identity.player, at: place)) { return session.close(reason) }
    for feature in features { feature.arrived(session) }
    handoff.task(core, session)
    if isDraining { announceClosing(to: session) }
  }
}
