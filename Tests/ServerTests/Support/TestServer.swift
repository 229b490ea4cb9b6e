// A server inside the test's process, on a clock that the test turns.
//
// One a test; ends with it.
import Dispatch
import MadangProtocol
import Net
import Server
import Store
import StoreDoubles
import TestSupport

final class TestServer {
  let clock: ManualClock
  let store: any Store
  let server: GameServer
  var port: UInt16 { server.address.port }

  /// Starts with the rooms and players of `store`, if there are any.
  init(
    shards: Int = 2,
    store: any Store = MemoryStore(),
    clock: ManualClock = ManualClock(),
    _ configure: (inout ServerConfiguration) -> Void = { _ in }
  ) throws {
    self.store = store
    self.clock = clock
    var configuration = ServerConfiguration(webRoot: Self.webRoot)
    configuration.shards = shards
    // Tests let ticks pass by themselves, see `passTick`.
    configuration.tickHz = 10
    // Each turn is committed by itself: nothing waits for a clock that the test turns.
    configuration.gateway.commitIntervalMilliseconds = 0
    configuration.capsuleReadIntervalMilliseconds = 0
    configure(&configuration)
    server = try GameServer(
      configuration,
      store,
      Restoration(from: store),
      on: ResolvedAddress(host: "127.0.0.1", port: 0),
      clock: clock
    )
  }

  deinit {
    server.stop { _ in }
  }

  /// Ends at once, as by a crash, and returns `seconds` and a moment later with the committed state.
  func crash(downFor seconds: Int64 = 0) throws -> TestServer {
    let ended = DispatchSemaphore(value: 0)
    server.abandon { ended.signal() }
    ended.wait()
    clock.advance(seconds: seconds, milliseconds: 1)
    return try TestServer(store: store, clock: clock)
  }

  /// Ends in good order, with everything written.
  @discardableResult
  func stop() -> ServerReport {
    let box = Box<ServerReport>()
    server.stop { box.put($0) }
    return box.take()
  }

  /// Lets the server check whether everybody has gone, which has to end it within half a second.
  ///
  /// - Returns: the server's report.
  func end(_ box: Box<ServerReport>) throws -> ServerReport {
    for _ in 0..<8 where !box.isFull {
      clock.advance(milliseconds: 60)
      // The checks walk over all shards and back, and the store is asked between.
      for _ in 0..<100 where !box.isFull { _ = report() }
    }
    guard box.isFull else { throw TestFailure("the server has not ended") }
    return box.take()
  }

  func player(_ name: String, _ subprotocol: Subprotocol = .json) throws -> TestPlayer {
    try TestPlayer(port: port, named: name, subprotocol: subprotocol)
  }

  /// Lets one tick of a room at 10 Hz pass, and the 4 ms by which the timer wheel may be late. Everything before
  /// it is committed, so the tick carries it.
  func passTick() throws {
    _ = try report { $0.isCommitted }
    clock.advance(milliseconds: 104)
  }

  /// Lets a second pass as soon as everything before it is committed, so that no answer waits for its commit beyond
  /// its deadline on a slow disk.
  func passSecond() throws {
    _ = try report { $0.isCommitted }
    clock.advance(seconds: 1)
  }

  /// Lets time pass in steps that no deadline is too short for, with all players answering pings.
  func pass(seconds: Int, _ players: TestPlayer...) throws {
    for _ in 0..<seconds {
      clock.advance(seconds: 1)
      _ = try report { $0.isCommitted }
      for player in players { try player.pump() }
    }
  }

  /// Lets time pass in half seconds, with all players answering pings, whether or not the store commits.
  func pass(halfSeconds: Int, _ players: TestPlayer...) throws {
    for _ in 0..<halfSeconds {
      clock.advance(milliseconds: 500)
      _ = report()
      for player in players { try player.pump() }
    }
  }

  /// The server's report so far, after every shard has finished its present work.
  func report() -> ServerReport {
    let box = Box<ServerReport>()
    server.report { box.put($0) }
    return box.take()
  }

  /// Waits until the server's report fits.
  func report(until fits: (ServerReport) -> Bool) throws -> ServerReport {
    // Bounded only so that a failing test ends: each report waits for every shard.
    for _ in 0..<1_000_000 {
      let report = report()
      if fits(report) { return report }
    }
    throw TestFailure("the server did not come to that: \(report())")
  }

  private static var webRoot: String {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    return "/\(root)/Sources/Server/Web"
  }
}
