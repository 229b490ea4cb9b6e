// The operators' listener: a shard and a socket of its own beside the game's, so that neither crowd keeps the other
// out.
//
// Immutable; any thread may hold it. It ends after the game's server.
// Decisions: 081 (docs/decisions).
import Net

package final class OperatorServer: Sendable {
  /// The address of the listener.
  package let address: SocketAddress
  private let group: ShardGroup
  private let token: String

  /// Begins to serve operators of `server` on `address`, whose port 0 takes a free one.
  ///
  /// - Throws: `NetError` when the address is taken or not allowed, `OperatorFileFault` when a file of operators can't
  ///   be read.
  package init(
    _ configuration: OperatorConfiguration,
    for server: GameServer,
    on address: ResolvedAddress,
    clock: any Clock = SystemClock()
  ) throws {
    precondition(configuration.listener.certificate == nil, "the operators' listener has no TLS")
    let content = try OperatorRegister.Content(folder: configuration.folder)
    let listening = try ListeningSocket(address, limits: configuration.netLimits)
    let bound = listening.address
    self.address = bound
    token = configuration.token
    server.setEnd(configuration.end)
    group = try ShardGroup(count: 1, limits: configuration.netLimits, clock: clock, named: "operators") {
      OperatorService($0, server, configuration, content, on: bound)
    }
    var listener = configuration.listener
    listener.takesBodies = true
    listener.takesActs = true
    group.accept(from: listening, by: listener)
  }

  /// Whether only this machine can connect; a proxy on it may have TLS.
  package var isForThisMachine: Bool { address.ip.isLoopback }

  /// The URL for commands on this machine, with the token in it.
  package var localLink: String { "http://\(address)/?token=\(token)" }

  /// The URL for an operator, who may be on another machine.
  package var link: String { "http://\(address.reachable)/?token=\(token)" }

  /// Gives everything up and calls `completion`.
  package func stop(_ completion: @escaping @Sendable () -> Void = {}) {
    group.stop(completion)
  }
}
