// The real server without threads, listener and clock of its own, driven by the simulation.
//
// Used by one simulation on its thread. A question about a room goes to the shard that has it. Only the server's store
// outlives it: a crash cuts every link first, so that no player gets the messages of the end, and then makes a new
// server.
import Game
import Gateway
import MadangProtocol
import Net
import Server
import Store
import Synchronization

final class SimulatedServer {
  private let server: GameServer
  private let services: [PlayService]
  /// The complaints about rooms that could not be recovered.
  let complaints: [String]
  private var shards: [Shard] { server.shards }
  var shardCount: Int { server.shardCount }

  private let ending = Ending()

  /// Set by the server when it has ended.
  private final class Ending: Sendable {
    let isDone = Atomic<Bool>(false)
  }

  init(_ configuration: ServerConfiguration, _ store: FaultyStore, clock: VirtualClock) throws {
    let restoration = try Restoration(from: store)
    complaints = restoration.complaints
    server = try GameServer(driven: configuration, store, restoration, clock: clock)
    services = server.shards.compactMap { shard in
      // The thread that drives the shards is the only one.
      nonisolated(unsafe) var service: PlayService?
      shard.assumeIsolated { service = $0.core.service(as: PlayService.self) }
      return service
    }
  }

  /// Performs an operator's action on this machine.
  func perform(_ action: OperatorAction, _ completion: @escaping @Sendable (OperatorActionOutcome) -> Void) {
    server.perform(action, from: IPAddress(v4: 0x7F00_0001), completion: completion)
  }

  // Turns.

  /// Runs a turn of one shard; false when there was nothing to do.
  func turn(_ shard: Int) -> Bool { shards[shard].turn() }

  /// The time at which the first of the shards' timers may be due.
  var nextDue: Timestamp? { shards.compactMap(\.nextDue).min() }

  /// Hands over one end of a connected pair of sockets.
  func adopt(_ descriptor: Int32, from address: SocketAddress, on shard: Int) {
    shards[shard].adopt(descriptor, from: address)
  }

  /// Gives a shard a load, as if it were measured. It is never overloaded: an overloaded shard leaves
  /// out fixes, which the referees do not reckon.
  func load(_ shard: Int, _ share: Double) {
    shards[shard].post { $0.core.take(ShardLoad(now: $0.core.now, share: share, isOverloaded: false)) }
  }

  // Its end.

  /// Ends as in a crash: every socket is closed, and the store gets no calls.
  func abandon() {
    server.abandon {}
    while shards.map({ $0.turn() }).contains(true) {}
  }

  /// Begins to end in good order; players and the store must do their part.
  func drain() {
    server.drain { [ending] _ in ending.isDone.store(true, ordering: .relaxed) }
  }

  var hasEnded: Bool { ending.isDone.load(ordering: .relaxed) }

  // The server's state.

  /// Every room with the number of its newest event, in an order that is the same in every process.
  var newestEvents: [(code: RoomCode, number: UInt32)] {
    services.flatMap { service in
      service.roomCodes.compactMap { code in service.lastEvent(of: code).map { (code, $0) } }
    }
  }

  func events(of code: RoomCode, after number: UInt32) -> (events: [WireEvent], gap: Bool) {
    for service in services where service.lastEvent(of: code) != nil {
      return service.events(of: code, after: number)
    }
    return ([], true)
  }

  /// The shards that have a room, by its code, and the one that the directory names.
  var homes: [RoomCode: (shards: [Int], named: Int?)] {
    var homes: [RoomCode: (shards: [Int], named: Int?)] = [:]
    for (shard, service) in services.enumerated() {
      for code in service.roomCodes {
        homes[code, default: ([], service.directoryShard(of: code))].shards.append(shard)
      }
    }
    return homes
  }

  func room(_ code: RoomCode) -> Room? {
    for service in services {
      if let room = service.room(of: code) { return room }
    }
    return nil
  }

  /// The room's state for a player who has received everything.
  func quiescentRoom(_ code: String, for playerID: String) -> WireRoom? {
    guard let code = RoomCode(code), let player = PlayerID(playerID) else { return nil }
    for service in services {
      if let room = service.quiescentRoom(code, for: player) { return room }
    }
    return nil
  }

  /// The number of rooms and of players.
  var counts: (rooms: Int, players: Int) { services.first?.directoryCounts ?? (0, 0) }

  /// The use of each budget.
  var budgetRows: [BudgetRow] { services.first?.budgetRows ?? [] }

  /// Whether each shard's counts of its rooms are right.
  var isCensusTrue: Bool { services.allSatisfy(\.isCensusTrue) }

  /// The number of connections for which operators' orders wait.
  var waitingOrders: Int { services.first?.waitingOrders ?? 0 }

  var connectionCount: Int { shards.reduce(0) { sum, shard in sum + shard.assumeIsolated { $0.core.connectionCount } } }

  /// The number of arrivals that waited for a tick to be read.
  var arrivalsDeferred: Int {
    shards.reduce(0) { sum, shard in sum + shard.assumeIsolated { $0.core.counters.arrivalsDeferred } }
  }

  /// The most bytes that wait for one peer, on open connections and on ending ones.
  var longestQueues: (open: Int, ending: Int) {
    var open = 0
    var ending = 0
    for shard in shards {
      let (most, mostEnding) = shard.assumeIsolated { shard in
        var most = 0
        var mostEnding = 0
        shard.core.forEachConnection { connection in
          if connection.isOpen {
            most = max(most, connection.unsentBytes)
          } else {
            mostEnding = max(mostEnding, connection.unsentBytes)
          }
        }
        return (most, mostEnding)
      }
      open = max(open, most)
      ending = max(ending, mostEnding)
    }
    return (open, ending)
  }
}
