// The server as a whole: from listening to its end.
//
// Immutable; any thread may hold it. Whatever it does to a shard it posts.
import Dispatch
import Glibc
import Net

package final class GameServer: Sendable {
  /// Where it listens.
  package let address: SocketAddress
  private let group: ShardGroup
  private let certificate: TLSCertificate?
  private let commons: Commons

  /// Begins to serve on `address`, whose port 0 takes a free one.
  ///
  /// - Throws: `NetError` or `StartFailure`, for the operator.
  package init(
    _ configuration: ServerConfiguration,
    on address: ResolvedAddress,
    clock: any Clock = SystemClock()
  ) throws {
    let listening = try ListeningSocket(address, limits: configuration.netLimits)
    let commons = try Commons(configuration, on: listening.address)
    self.address = listening.address
    self.commons = commons
    group = try ShardGroup(
      count: configuration.shards ?? Self.coreCount,
      limits: configuration.netLimits,
      clock: clock
    ) { PlayService($0, commons) }
    certificate = configuration.entrance.certificate
    group.accept(from: listening, by: configuration.entrance)
  }

  /// A server without a listener and without threads, for simulations: who makes it drives `shards` and hands them their
  /// peers.
  ///
  /// - Throws: `NetError` or `StartFailure`.
  package init(driven configuration: ServerConfiguration, clock: any Clock) throws {
    let nowhere = SocketAddress(ip: IPAddress(high: 0, low: 0), port: 0)
    let commons = try Commons(configuration, on: nowhere)
    address = nowhere
    self.commons = commons
    group = try ShardGroup(
      count: configuration.shards ?? 1,
      limits: configuration.netLimits,
      clock: clock,
      areDriven: true
    ) { PlayService($0, commons) }
    certificate = nil
  }

  /// Where players connect: `ws://HOST:PORT`, with TLS `wss://HOST:PORT`.
  package var origin: String { "\(certificate == nil ? "ws" : "wss")://\(address)" }

  package var speaksTLS: Bool { certificate != nil }

  /// Reads certificate and key again; who is connected stays so.
  ///
  /// - Throws: `TLSFailure` when the new pair can't be used; the one before stays.
  package func reloadCertificate() throws(TLSFailure) {
    try certificate?.reload()
  }

  /// It listens on all addresses of the machine, so its own address is none that a phone could dial.
  package var isOnEveryAddress: Bool { address.ip.isUnspecified }

  package var shardCount: Int { group.shards.count }

  package var shards: [Shard] { group.shards }

  /// Ends in good order: nothing new begins, clients are told, running games may end within the grace time. Then gives
  /// everything up and calls `completion` with what was done, on a shard's thread.
  package func drain(_ completion: @escaping @Sendable (ServerReport) -> Void) {
    group.gather {
      ($0.core.service as? PlayService)?.beginDraining()
    } completion: { _ in
      self.awaitDrained(looksToGo: 2, completion)
    }
  }

  /// Looks twice, for a connection on its way from one shard to another may be seen by neither.
  private func awaitDrained(looksToGo: Int, _ completion: @escaping @Sendable (ServerReport) -> Void) {
    group.gather {
      ($0.core.service as? PlayService)?.isDrained ?? true
    } completion: { drained in
      let isDrained = drained.allSatisfy { $0 }
      guard !isDrained || looksToGo > 1 else { return self.stop(completion) }
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) {
        self.awaitDrained(looksToGo: isDrained ? looksToGo - 1 : 2, completion)
      }
    }
  }

  /// Gives everything up at once.
  package func stop(_ completion: @escaping @Sendable (ServerReport) -> Void) {
    report { report in
      self.group.stop { completion(report) }
    }
  }

  /// What the server has done so far.
  package func report(_ completion: @escaping @Sendable (ServerReport) -> Void) {
    group.gather { shard in
      var report = ServerReport(
        net: shard.core.counters,
        play: (shard.core.service as? PlayService)?.statistics ?? PlayStatistics(),
        connections: shard.core.connectionCount
      )
      shard.core.forEachConnection { report.unsentBytes += $0.unsentBytes }
      return report
    } completion: { reports in
      completion(reports.reduce(ServerReport(), +))
    }
  }

  private static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}

/// What a server has done since it began.
package struct ServerReport: Sendable {
  package var net = ShardCounters()
  package var play = PlayStatistics()
  /// Open now.
  package var connections = 0
  /// What waits for kernels to take it, of all connections now.
  package var unsentBytes = 0

  fileprivate static func + (left: Self, right: Self) -> Self {
    ServerReport(
      net: left.net + right.net,
      play: left.play + right.play,
      connections: left.connections + right.connections,
      unsentBytes: left.unsentBytes + right.unsentBytes
    )
  }
}
