// `madang-bench serve`: the two works on our stack.
import ArgumentParser
import Glibc
import Net

struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve /echo and /room?room=K until standard input ends.",
    discussion: "Prints one line `ready HOST:PORT` once it listens."
  )

  @Option(help: "The port to listen on, on 127.0.0.1; 0 takes a free one.")
  var port: UInt16 = 0

  @Option(help: "The number of shards.")
  var shards = 1

  func validate() throws {
    guard (1...256).contains(shards) else { throw ValidationError("--shards must be 1 to 256.") }
  }

  func run() throws {
    let listening = try ListeningSocket(ResolvedAddress(host: "127.0.0.1", port: port))
    let group = try ShardGroup(count: shards, clock: MonotonicClock()) { BenchService($0) }
    group.accept(from: listening)
    print("ready 127.0.0.1:\(listening.address.port)")
    fflush(nil)
    // The driver holds the other end, so the server never outlives it, for any end.
    while readLine() != nil {}
    withExtendedLifetime(group) {}
  }
}
