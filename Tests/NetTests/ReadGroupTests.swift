// Reads of groups: which arrivals wait for them, that they come in order, and that nothing is lost.
//
// On driven shards: each test takes the turns itself, so it knows what has been read by when.
import Glibc
import Net
import TestSupport
import Testing
import WebSocket

@Suite("Connections that are read together")
struct ReadGroupTests {
  /// A peer at the other end of a socket pair, which sends commands and reads nothing.
  private final class Peer {
    private let descriptor: Int32
    private let shard: Shard

    init(_ shard: Shard) throws {
      var pair: [Int32] = [0, 0]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &pair) == 0)
      descriptor = pair[1]
      self.shard = shard
      shard.adopt(pair[0], from: SocketAddress(ip: IPAddress(v4: 0x0A00_0001), port: 1))
      try send(raw: TestPeer.upgradeRequest())
    }

    deinit { close(descriptor) }

    func send(_ texts: String...) throws { try send(raw: texts.flatMap(TestPeer.frame)) }

    func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    private func send(raw bytes: [UInt8]) throws {
      try #require(Glibc.send(descriptor, bytes, bytes.count, 0) == bytes.count)
    }
  }

  /// Shards that coalesce their reads, with peers of the first one that are in its group.
  private final class Group {
    let clock = ManualClock()
    let log = EventLog()
    let shards: ShardGroup
    private(set) var peers: [Peer] = []
    /// The peer whose frames make the load; nil without any.
    private var loader: Peer?
    private var first: Shard { shards.shards[0] }

    init(peers count: Int, isLoaded: Bool = true) throws {
      var limits = NetLimits()
      limits.coalescingDeliveriesPerSecond = 2
      let (log, clock) = (log, clock)
      shards = try ShardGroup(count: 2, limits: limits, clock: clock, areDriven: true) { core in
        CommandService(core, log) { clock.advance(milliseconds: $0) }
      }
      rest()
      peers = try (0..<count).map { _ in try Peer(first) }
      rest()
      if isLoaded { loader = try Peer(first) }
      pass(milliseconds: 100)
      // The pace is known from the second step on.
      for peer in peers { try peer.send("join") }
      pass(milliseconds: 100)
      for peer in peers { try peer.send("step early") }
      pass(milliseconds: 100)
      try #require(coalescesReads == isLoaded)
      _ = taken()
    }

    deinit {
      shards.stop {}
      rest()
    }

    /// Takes turns until nothing is left to do.
    func rest() {
      var isBusy = true
      while isBusy { isBusy = shards.shards.reduce(false) { $1.turn() || $0 } }
    }

    func pass(milliseconds: Int64) {
      try? loader?.send("mixed")
      rest()
      clock.advance(milliseconds: milliseconds)
      rest()
    }

    func setReadDue(inMilliseconds milliseconds: Int64) {
      let due = clock.now().advanced(milliseconds: milliseconds)
      first.assumeIsolated { $0.core.service(as: CommandService.self).readGroup.setReadDue(due) }
    }

    /// Reads the group; whether anything had waited.
    func read() -> Bool {
      defer { rest() }
      return readBeforeEvents()
    }

    /// The same before the shard looks at its sockets.
    func readBeforeEvents() -> Bool {
      first.assumeIsolated { $0.core.read($0.core.service(as: CommandService.self).readGroup) }
    }

    func giveUpRead() {
      first.assumeIsolated { $0.core.giveUpRead(of: $0.core.service(as: CommandService.self).readGroup) }
      rest()
    }

    func endLoad() { loader = nil }

    var coalescesReads: Bool { first.assumeIsolated { $0.core.readCoalescing.isOn } }

    /// The service has finished with the messages that connections were suspended for.
    func resumePeers() {
      first.assumeIsolated { $0.core.forEachConnection { $0.resumeMessages() } }
      rest()
    }

    func losePeer(_ index: Int) {
      peers.remove(at: index)
      rest()
    }

    func overload() {
      first.assumeIsolated { $0.core.take(ShardLoad(now: $0.core.now, share: 1, isOverloaded: true)) }
    }

    private var seen = 0

    /// The steps that have been read since the last call, each as its shard and its number.
    func taken() -> [String] {
      rest()
      return takenSoFar()
    }

    /// The same before the shard goes on.
    func takenSoFar() -> [String] {
      let new = log.events[seen...]
      seen = log.events.count
      return new.filter { $0.contains(" step ") }.map { $0.replacing(" step ", with: ":") }
    }
  }

  @Test("Under load arrivals wait, and are read in their order")
  func waiting() throws {
    let group = try Group(peers: 3)
    group.setReadDue(inMilliseconds: 90)
    for index in [2, 0, 1] {
      try group.peers[index].send("step \(index)")
      #expect(group.taken() == [])
    }
    #expect(group.read())
    #expect(group.taken() == ["0:2", "0:0", "0:1"])
    #expect(!group.read())
  }

  @Test("Without load, or with a moment that is too far, an arrival is read at once", arguments: [false, true])
  func notWaiting(isLoaded: Bool) throws {
    let group = try Group(peers: 1, isLoaded: isLoaded)
    group.setReadDue(inMilliseconds: isLoaded ? 101 : 90)
    try group.peers[0].send("step 1")
    #expect(group.taken() == ["0:1"])
    #expect(!group.read())
  }

  @Test("An arrival out of the pace of those before is read at once, and the next one in time waits again")
  func pace() throws {
    let group = try Group(peers: 1)
    group.setReadDue(inMilliseconds: 90)
    // The newest one came 100 ms ago, and 100 ms after the one before.
    try group.peers[0].send("step 1")
    #expect(group.taken() == [])
    #expect(group.read())
    #expect(group.taken() == ["0:1"])
    group.pass(milliseconds: 74)
    group.setReadDue(inMilliseconds: 90)
    try group.peers[0].send("step 2")
    #expect(group.taken() == ["0:2"])
    group.pass(milliseconds: 56)
    group.setReadDue(inMilliseconds: 90)
    try group.peers[0].send("step 3")
    #expect(group.taken() == [])
    #expect(group.read())
    #expect(group.taken() == ["0:3"])
  }

  @Test("A report without bytes, which were read with the ones before, changes nothing")
  func emptyRead() throws {
    let group = try Group(peers: 1)
    group.setReadDue(inMilliseconds: 90)
    try group.peers[0].send("step 1")
    #expect(group.taken() == [])
    // It comes before the group is read, and is reported after.
    try group.peers[0].send("step 2")
    #expect(group.readBeforeEvents())
    #expect(group.taken() == ["0:1", "0:2"])
    for step in 3...5 {
      group.pass(milliseconds: 100)
      group.setReadDue(inMilliseconds: 90)
      try group.peers[0].send("step \(step)")
      #expect(group.taken() == [])
      #expect(group.read())
      #expect(group.taken() == ["0:\(step)"])
    }
  }

  @Test("After another message the next arrival is read at once")
  func otherMessage() throws {
    let group = try Group(peers: 1)
    group.setReadDue(inMilliseconds: 90)
    try group.peers[0].send("something else")
    #expect(group.taken() == [])
    #expect(group.read())
    group.pass(milliseconds: 100)
    group.setReadDue(inMilliseconds: 90)
    try group.peers[0].send("step 1")
    #expect(group.taken() == ["0:1"])
  }

  @Test("The second arrival has both read at once; on an overloaded shard it waits too", arguments: [false, true])
  func second(isOverloaded: Bool) throws {
    let group = try Group(peers: 2)
    if isOverloaded { group.overload() }
    group.setReadDue(inMilliseconds: 90)
    try group.peers[0].send("step 1")
    try group.peers[1].send("step 2")
    #expect(group.taken() == [])
    try group.peers[0].send("step 3")
    #expect(group.taken() == (isOverloaded ? [] : ["0:1", "0:3"]))
    #expect(group.read())
    #expect(group.taken() == (isOverloaded ? ["0:1", "0:3", "0:2"] : ["0:2"]))
  }

  @Test("Arrivals of a group that is given up are read in the next turn")
  func givenUp() throws {
    let group = try Group(peers: 2)
    group.setReadDue(inMilliseconds: 90)
    try group.peers[0].send("step 1")
    try group.peers[1].send("step 2")
    #expect(group.taken() == [])
    group.giveUpRead()
    #expect(group.taken() == ["0:1", "0:2"])
    // It has no moment any more.
    group.pass(milliseconds: 100)
    try group.peers[0].send("step 3")
    #expect(group.taken() == ["0:3"])
  }

  @Test("A peer's end, or loss, has its last messages read at once, and the group's read passes over both")
  func end() throws {
    let group = try Group(peers: 2)
    group.setReadDue(inMilliseconds: 90)
    try group.peers[1].send("step 1")
    try group.peers[0].send("step 2")
    #expect(group.taken() == [])
    group.peers[0].endSending()
    #expect(group.taken() == ["0:2"])
    group.losePeer(1)
    #expect(group.log.events.count { $0.contains("closed") } == 2)
    _ = group.read()
    #expect(group.taken() == ["0:1"])
  }

  @Test("An arrival that waits when reads are no longer coalesced is read with the next one, or with its group")
  func coalescingEnds() throws {
    let group = try Group(peers: 2)
    group.setReadDue(inMilliseconds: 90)
    try group.peers[0].send("step 1")
    try group.peers[1].send("step 2")
    group.endLoad()
    while group.coalescesReads { group.pass(milliseconds: 100) }
    #expect(group.taken() == [])
    group.setReadDue(inMilliseconds: 90)
    try group.peers[0].send("step 3")
    #expect(group.taken() == ["0:1", "0:3"])
    #expect(group.read())
    #expect(group.taken() == ["0:2"])
  }

  @Test("A group's read has the time of a turn, whatever the turn has taken before; what is left then is read after it")
  func time() throws {
    let group = try Group(peers: 2)
    group.setReadDue(inMilliseconds: 90)
    try group.peers[0].send("step 1", "step 2", "work 5", "step 3", "step 4")
    try group.peers[1].send("step 5", "step 6")
    #expect(group.taken() == [])
    group.clock.advance(milliseconds: 50)
    #expect(group.readBeforeEvents())
    // Of each connection at least one message is read.
    #expect(group.takenSoFar() == ["0:1", "0:2", "0:5"])
    #expect(Set(group.taken()) == ["0:3", "0:4", "0:6"])
  }

  @Test("A connection that pauses by a message that has waited is read again when its pause is over")
  func paused() throws {
    let group = try Group(peers: 1)
    group.setReadDue(inMilliseconds: 90)
    try group.peers[0].send("pause 1", "step 1")
    #expect(group.taken() == [])
    #expect(group.read())
    #expect(group.taken() == ["0:1"])
    group.pass(milliseconds: 100)
    group.setReadDue(inMilliseconds: 90)
    try group.peers[0].send("step 2")
    #expect(!group.read())
    #expect(group.taken() == [])
    group.pass(milliseconds: 1_000)
    #expect(group.taken() == [])
    #expect(group.read())
    #expect(group.taken() == ["0:2"])
  }

  @Test("A connection that is suspended by a message that has waited holds the messages behind it, in their order")
  func suspended() throws {
    let group = try Group(peers: 1)
    group.setReadDue(inMilliseconds: 90)
    try group.peers[0].send("suspend", "step 1")
    #expect(group.taken() == [])
    #expect(group.read())
    group.pass(milliseconds: 100)
    group.setReadDue(inMilliseconds: 90)
    try group.peers[0].send("step 2")
    #expect(!group.read())
    #expect(group.taken() == [])
    group.resumePeers()
    #expect(group.taken() == ["0:1", "0:2"])
    // And the next one waits again.
    group.pass(milliseconds: 100)
    group.setReadDue(inMilliseconds: 90)
    try group.peers[0].send("step 3")
    #expect(group.taken() == [])
    #expect(group.read())
    #expect(group.taken() == ["0:3"])
  }

  @Test("A connection that moves to another shard by a message that has waited goes on there")
  func moved() throws {
    let group = try Group(peers: 1)
    group.setReadDue(inMilliseconds: 90)
    try group.peers[0].send("move 1", "step 1")
    #expect(group.taken() == [])
    #expect(group.read())
    #expect(group.taken() == ["1:1"])
    group.pass(milliseconds: 100)
    try group.peers[0].send("step 2")
    #expect(group.taken() == ["1:2"])
  }

  @Test("A pace expects the next arrival after three quarters of the newest interval")
  func arrivalPace() {
    let start = Timestamp(milliseconds: 1_790_000_000_000)
    var pace = ArrivalPace()
    pace.note(at: start)
    #expect(!pace.expects(at: start.advanced(milliseconds: 49_151)))
    #expect(pace.expects(at: start.advanced(milliseconds: 49_152)))
    pace.note(at: start.advanced(milliseconds: 100))
    #expect(!pace.expects(at: start.advanced(milliseconds: 174)))
    #expect(pace.expects(at: start.advanced(milliseconds: 175)))
    pace.note(at: start.advanced(milliseconds: 100))
    #expect(pace.expects(at: start.advanced(milliseconds: 100)))
    // The milliseconds are counted modulo 2³².
    let wrap = Timestamp(milliseconds: (start.milliseconds >> 32 + 1) << 32)
    pace.note(at: wrap.advanced(milliseconds: -40))
    pace.note(at: wrap.advanced(milliseconds: -20))
    #expect(!pace.expects(at: wrap.advanced(milliseconds: -6)))
    #expect(pace.expects(at: wrap.advanced(milliseconds: -5)))
    pace.note(at: wrap.advanced(milliseconds: 20))
    #expect(!pace.expects(at: wrap.advanced(milliseconds: 49)))
    #expect(pace.expects(at: wrap.advanced(milliseconds: 50)))
  }
}
