// The shares of networks, and the order in which their work is done.
import Dispatch
import Net
import Server
import Synchronization
import TestSupport
import Testing

@Suite struct FairLineTests {
  private static func network(_ number: UInt32) -> SharingNetwork {
    SharingNetwork(IPAddress(v4: 0x0A00_0000 + number), limitsLoopback: true)
  }

  /// Serves all jobs on one thread, each for the time that `microseconds` says; returns their payers in order.
  private static func serve(_ line: inout FairLine<String, Int64>, atMost count: Int = .max) -> String {
    var order = ""
    for _ in 0..<count {
      guard let (payer, microseconds) = line.takeNext() else { break }
      order += payer
      line.end(of: payer, afterMicroseconds: microseconds)
    }
    return order
  }

  @Test("Payers take turns, and one's own jobs stay in order")
  func turns() {
    var line = FairLine<String, Int64>()
    for _ in 0..<3 { line.append(5_000_000, of: "a") }
    for _ in 0..<2 { line.append(5_000_000, of: "b") }
    line.append(5_000_000, of: "c")
    #expect(Self.serve(&line) == "abcaba")
    #expect(line.takeNext() == nil)
  }

  @Test("Who has had less time comes first, however many others wait")
  func time() {
    var line = FairLine<String, Int64>()
    for payer in ["a", "b"] { for _ in 0..<50 { line.append(8_000_000, of: payer) } }
    #expect(Self.serve(&line, atMost: 4) == "abab")
    for _ in 0..<3 { line.append(10_000, of: "c") }
    #expect(Self.serve(&line, atMost: 5).hasPrefix("ccc"))
  }

  @Test("Who comes back has had their time, and nobody is owed any once nobody waits")
  func debts() {
    var line = FairLine<String, Int64>()
    line.append(60_000_000, of: "a")
    for _ in 0..<3 { line.append(1_000_000, of: "b") }
    #expect(Self.serve(&line, atMost: 2) == "ab")
    line.append(1_000_000, of: "a")
    #expect(Self.serve(&line) == "bba")
    line.append(1_000_000, of: "a")
    line.append(1_000_000, of: "c")
    #expect(Self.serve(&line) == "ac")
  }

  @Test("One payer's jobs do not take all threads while another waits")
  func threads() throws {
    var line = FairLine<String, Int64>()
    for _ in 0..<3 { line.append(1, of: "a") }
    line.append(1, of: "b")
    let order = (0..<4).compactMap { _ in line.takeNext()?.payer }.joined()
    #expect(order == "abaa")
    for payer in order { line.end(of: String(payer), afterMicroseconds: 1) }
  }

  @Test("A network has a sixteenth of what others leave free, and always something")
  func shares() {
    var shares = NetworkShares(bound: 160_000)
    func take(_ number: UInt32) -> Int {
      var count = 0
      while case .taken = shares.take(10, for: Self.network(number)) { count += 10 }
      return count
    }
    #expect(take(1) == 10_000 && shares.usedByNetwork == shares.boundOfNetwork)
    let others = (2...80).map { take($0) }
    #expect(others == others.sorted(by: >) && others.allSatisfy { $0 > 10 }, "\(others)")
    #expect(shares.used < shares.bound)
    // Each may have one.
    shares = NetworkShares(bound: 160)
    #expect((1...16).map { take($0) } == Array(repeating: 10, count: 16))
    if case .spent = shares.take(10, for: Self.network(999)) {} else { Issue.record("all is used") }
    #expect(shares.used == 160)
    shares.giveBack(10, of: Self.network(1))
    if case .taken = shares.take(10, for: Self.network(999)) {} else { Issue.record("there is room again") }
  }

  @Test("Networks of IPv6 are /64s, and the loopback is exempt unless it is limited")
  func networks() throws {
    let (one, other) = (try #require(IPAddress("2001:db8::1")), try #require(IPAddress("2001:db8::2")))
    #expect(SharingNetwork(one, limitsLoopback: false) == SharingNetwork(other, limitsLoopback: false))
    let loopback = try #require(IPAddress("127.0.0.1"))
    #expect(SharingNetwork(loopback, limitsLoopback: false).isExempt)
    #expect(!SharingNetwork(loopback, limitsLoopback: true).isExempt)
    var shares = NetworkShares(bound: 160)
    for _ in 0..<16 { _ = shares.take(10, for: SharingNetwork(loopback, limitsLoopback: false)) }
    #expect(shares.used == 160 && shares.usedByNetwork == 0)
  }

  @Test("A network's waiting pictures have a bound, and another's first one comes next")
  func pictures() throws {
    let clock = ManualClock()
    let work = PictureWork(threads: 1, clock: clock)
    let (gate, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let order = Mutex<[UInt32]>([])
    func run(_ number: UInt32) -> NetworkShares.Verdict {
      work.run(for: Self.network(number)) {
        gate.wait()
        clock.advance(seconds: 1)
        order.withLock { $0.append(number) }
        ended.signal()
      }
    }
    for _ in 0..<64 { if case .taken = run(1) {} else { Issue.record("a share is 64") } }
    if case .spentByNetwork = run(1) {} else { Issue.record("a share is 64") }
    if case .taken = run(2) {} else { Issue.record("another network has room") }
    #expect(work.waiting.inAll == 65 && work.waiting.ofNetwork == 64)
    for _ in 0..<65 { gate.signal() }
    for _ in 0..<65 { ended.wait() }
    #expect(order.withLock { Array($0.prefix(3)) } == [1, 2, 1])
  }
}
