// The pace of HTTP requests, on a connection and from an address: by the values, and over real sockets.
import Net
import TestSupport
import Testing
import WebSocket

@Suite("The pace of HTTP requests")
struct RequestPaceTests {
  private static let firstAddress: UInt32 = 0x7F00_0101
  private static let secondAddress: UInt32 = 0x7F00_0201

  private static func request(_ path: String, _ fields: String = "") -> [UInt8] {
    Array("GET \(path) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n".utf8)
  }

  /// The next answers, until the given path has come as a body.
  private func answers(_ socket: any ByteStream, endingWith path: String) throws -> String {
    var text = ""
    while !text.hasSuffix(path) {
      let more = try socket.receive()
      if more.isEmpty { throw TestFailure("ended behind \(text)") }
      text += String(decoding: more, as: UTF8.self)
    }
    return text
  }

  @Test("A full burst is accepted at once, then one request an interval, and never more than a burst after a rest")
  func pace() {
    var now = Timestamp(milliseconds: 1_790_000_000_000)
    var pace = RequestPace(perMinute: 120, burst: 3)
    func take() -> Int {
      var count = 0
      while pace.take(at: now) { count += 1 }
      return count
    }
    #expect(pace.isFull(at: now))
    #expect(take() == 3)
    #expect(pace.waitMicroseconds(at: now) == 500_000)
    now = now.advanced(milliseconds: 499)
    #expect(take() == 0)
    now = now.advanced(milliseconds: 1)
    #expect(take() == 1)
    now = now.advanced(milliseconds: 1_499)
    #expect(!pace.isFull(at: now))
    #expect(take() == 2)
    now = now.advanced(seconds: 3_600)
    #expect(pace.isFull(at: now))
    #expect(take() == 3)
  }

  @Test(
    "An address is counted by its network and forgotten when its burst is full, and the number of kept networks is bounded"
  )
  func table() {
    let quota = RequestQuota(perMinute: 60, limitsLoopback: false)
    let now = Timestamp(milliseconds: 1_790_000_000_000)
    for number in 0..<UInt64(100_000) {
      #expect(quota.admit(IPAddress(high: 0x2001_0DB8_0000_0000 + number, low: number), at: now) == .admitted)
    }
    #expect(quota.addressCount == RequestQuota.addressesMax)
    // An address that is kept is still limited, under any address of its network.
    let kept = IPAddress(high: 0x2001_0DB8_0000_0000, low: 99)
    for _ in 0..<59 { #expect(quota.admit(kept, at: now) == .admitted) }
    #expect(quota.admit(kept, at: now) == .refused(retryAfterSeconds: 1))
    #expect(quota.mostUsed(at: now) == 60)
    #expect(quota.mostUsed(at: now.advanced(seconds: 50)) == 10)
    let later = now.advanced(seconds: 61)
    #expect(quota.admit(IPAddress(v4: 0xC000_0201), at: later) == .admitted)
    #expect(quota.addressCount == 1)
    #expect(quota.admit(kept, at: later) == .admitted)
    for _ in 0..<1_000 { #expect(quota.admit(IPAddress(v4: 0x7F00_0001), at: later) == .admitted) }
  }

  @Test("Requests beyond a connection's pace are handled in order when their time comes")
  func connection() throws {
    let shards = try TestShards {
      $0.limitsLoopback = true
      $0.requestsAtOnce = 3
      $0.requestsPerSecond = 2
    }
    let socket = try shards.socket()
    try socket.send((1...6).flatMap { Self.request("/page\($0)") })
    #expect(try answers(socket, endingWith: "/page3").contains("/page2"))
    for number in 4...6 {
      try shards.pass(milliseconds: 460)
      #expect(!socket.hasInput)
      try shards.pass(milliseconds: 40)
      #expect(try answers(socket, endingWith: "/page\(number)").hasPrefix("HTTP/1.1 200 "))
    }
    // Later bytes are read later, an upgrade as well.
    try socket.send(Self.request("/page7") + TestPeer.upgradeRequest() + TestPeer.frame("hello"))
    try shards.pass(milliseconds: 510)
    _ = try answers(socket, endingWith: "/page7")
    #expect(!socket.hasInput)
    try shards.pass(milliseconds: 510)
    let peer = try TestPeer(awaitingUpgradeOn: socket)
    #expect(try peer.next() == .text("0:hello"))
  }

  @Test("An address has a limit of requests and of upgrades a minute; beyond it that address alone gets a Retry-After")
  func address() throws {
    let shards = try TestShards(2) {
      $0.limitsLoopback = true
      $0.requestsPerMinuteForAddress = 6
      $0.upgradesPerMinuteForAddress = 1
    }
    for number in 1...6 {
      let socket = try shards.socket(from: Self.firstAddress)
      try socket.send(Self.request("/page\(number)"))
      _ = try answers(socket, endingWith: "/page\(number)")
    }
    let peer = try TestPeer(shards.socket(from: Self.firstAddress))
    for (request, seconds) in [(Self.request("/page"), 10), (TestPeer.upgradeRequest(), 60)] {
      let socket = try shards.socket(from: Self.firstAddress)
      try socket.send(request + Self.request("/never"))
      let response = String(decoding: try socket.receiveToEnd(), as: UTF8.self)
      #expect(response.hasPrefix("HTTP/1.1 429 "))
      #expect(response.contains("\r\nRetry-After: \(seconds)\r\n"))
      #expect(!response.contains("/never"))
    }
    let budgets = shards.group.budgets
    #expect(budgets.requests.refusals == 1 && budgets.upgrades.refusals == 1)
    let other = try shards.socket(from: Self.secondAddress)
    try other.send(Self.request("/other"))
    _ = try answers(other, endingWith: "/other")
    // Existing connections stay.
    try peer.send("here")
    guard case .text = try peer.next() else { throw TestFailure("no answer") }
    try shards.pass(seconds: 11)
    let again = try shards.socket(from: Self.firstAddress)
    try again.send(Self.request("/again"))
    _ = try answers(again, endingWith: "/again")
  }

  @Test("Behind a trusted proxy each client has a pace, and the proxy's connection has none")
  func behindProxy() throws {
    let trusted = TrustedProxies([try IPNetwork("127.0.0.1")])
    let shards = try TestShards(listener: ListenerConfiguration(trustedProxies: trusted)) {
      $0.limitsLoopback = true
      $0.requestsAtOnce = 1
      $0.requestsPerSecond = 1
      $0.requestsPerMinuteForAddress = 4
    }
    let socket = try shards.socket()
    func requests(from client: String, _ paths: String...) -> [UInt8] {
      paths.flatMap { Self.request($0, "X-Forwarded-For: \(client)\r\n") }
    }
    try socket.send(requests(from: "192.0.2.1", "/a", "/b", "/c", "/d") + requests(from: "192.0.2.2", "/e"))
    _ = try answers(socket, endingWith: "/e")
    try socket.send(requests(from: "192.0.2.1", "/f"))
    #expect(String(decoding: try socket.receiveToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 429 "))
  }

  @Test("The loopback has no pace unless one is configured")
  func loopback() throws {
    let shards = try TestShards {
      $0.requestsAtOnce = 1
      $0.requestsPerSecond = 1
      $0.requestsPerMinuteForAddress = 1
    }
    let socket = try shards.socket(from: Self.firstAddress)
    try socket.send((1...50).flatMap { Self.request("/page\($0)") })
    _ = try answers(socket, endingWith: "/page50")
  }

  @Test("Addresses of the loopback are separate networks if limits apply to it")
  func networks() throws {
    let shards = try TestShards {
      $0.limitsLoopback = true
      $0.connectionsPerAddressMax = 1
    }
    let first = try TestPeer(shards.socket(from: Self.firstAddress))
    let second = try TestPeer(shards.socket(from: Self.secondAddress))
    let refused = try shards.socket(from: Self.firstAddress)
    #expect(String(decoding: try refused.receiveToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 429 "))
    for peer in [first, second] {
      try peer.send("here")
      #expect(try peer.next() == .text("0:here"))
    }
  }
}
