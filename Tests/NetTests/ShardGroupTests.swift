// All shards together: posted work, gathered results, and the end of everything.
import Dispatch
import Glibc
import Net
import TestSupport
import Testing
import WebSocket

@Suite struct ShardGroupTests {
  @Test("Work posted by one thread runs in its order, whatever others post meanwhile")
  func postOrder() throws {
    let shards = try TestShards()
    let (posters, count) = (4, 1_000)
    let (shard, log) = (shards.group.shards[0], shards.log)
    DispatchQueue.concurrentPerform(iterations: posters) { poster in
      for number in 0..<count { shard.post { _ in log.note("\(poster) \(number)") } }
    }
    // Behind all of them.
    try shards.on(0) { _ in }
    let events = shards.log.events.map { $0.split(separator: " ").compactMap { Int($0) } }
    #expect(events.count == posters * count)
    for poster in 0..<posters {
      #expect(events.filter { $0[0] == poster }.map { $0[1] } == Array(0..<count))
    }
  }

  @Test("Gathering asks every service on its own queue and keeps their order")
  func gather() throws {
    let shards = try TestShards(4)
    let delivery = Delivery<[Int]>()
    ServiceShards<CommandService>(shards.group.shards).gather({ $0.core.index }, completion: { delivery.put($0) })
    #expect(try delivery.take() == [0, 1, 2, 3])
  }

  @Test("A walk visits each service after the previous one has continued it, from any thread")
  func walk() throws {
    let shards = try TestShards(3)
    let services = ServiceShards<CommandService>(shards.group.shards)
    let delivery = Delivery<Bool>()
    services.walk { [log = shards.log] service, next in
      log.note("at \(service.core.index)")
      services[0].post { _ in next() }
    } completion: {
      delivery.put(true)
    }
    #expect(try delivery.take())
    #expect(shards.log.events == ["at 0", "at 1", "at 2"])
  }

  @Test("Work posted by ended shards is never called")
  func postsAfterTheEnd() throws {
    let shards = try TestShards(2)
    let shard = shards.group.shards[1]
    let delivery = Delivery<Int>()
    try shards.stop()
    shard.post { shard in
      let services = ServiceShards<CommandService>(shard.core.siblings)
      services[1].post { _ in delivery.put(1) }
      services.postToAll { _ in delivery.put(2) }
      services.gather({ _ in 3 }, completion: { _ in delivery.put(3) })
    }
    shard.post { _ in delivery.put(0) }
    #expect(try delivery.take() == 0)
  }

  @Test("New connections are assigned to the shards in turn")
  func turns() throws {
    let shards = try TestShards(3)
    let peers = try (0..<6).map { _ in try shards.peer() }
    for (number, peer) in peers.enumerated() {
      try peer.send("where")
      #expect(try peer.next() == .text("\((number + 1) % 3):where"))
    }
  }

  @Test("Stopping ends every connection, notifies every service and closes the listeners")
  func stop() throws {
    let shards = try TestShards(2)
    let peers = try (0..<4).map { _ in try shards.peer() }
    let waiting = try shards.socket()
    try shards.stop()
    for peer in peers { #expect(try peer.rest() == []) }
    #expect(try waiting.receive() == [])
    #expect(shards.log.events.filter { $0.hasSuffix("closed nil") }.count == 4)
    #expect(throws: TestFailure.self) { try shards.socket() }
    // A stopped shard still runs posted work, so that nobody waits in vain.
    #expect(try shards.on(1) { $0.core.connectionCount } == 0)
    try shards.stop()
  }

  /// In a process of its own, where no other test opens descriptors.
  @Test("After a stop every socket is closed, and after the group's release every descriptor")
  func descriptors() async {
    await #expect(processExitsWith: .success) {
      // The runtime opens its own descriptors at any time; a leak would grow with each round.
      var counts: [Int] = []
      while counts.count < 3 || Set(counts.suffix(3)).count > 1 {
        try #require(counts.count < 20, "\(counts)")
        try Self.playAndStop()
        // The shards' queues end by themselves.
        for _ in 0..<1_000 where Self.openDescriptors > counts.last ?? 0 { sched_yield() }
        counts.append(Self.openDescriptors)
      }
    }
  }

  private static var openDescriptors: Int { (0..<256).count { fcntl($0, F_GETFD) != -1 } }

  private static func playAndStop() throws {
    let shards = try TestShards(3)
    let peers = try (0..<9).map { _ in try shards.peer() }
    try peers[0].send("move 0")
    _ = try peers[0].next()
    try peers[1].send("close 1000")
    _ = try peers[1].next()
    peers[2].socket.reset()
    try shards.stop()
  }

  @Test("An address in use can't be listened on, and the error names it")
  func addressTaken() throws {
    let shards = try TestShards()
    let taken = try ResolvedAddress(host: "127.0.0.1", port: shards.address.port)
    #expect {
      _ = try ListeningSocket(taken)
    } throws: { "\($0)".contains("127.0.0.1:\(shards.address.port)") }
  }
}
