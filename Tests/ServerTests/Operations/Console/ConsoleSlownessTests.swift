// A console that reads nothing: new content waits for it, without effect on others.
import Net
import TestSupport
import Testing

@Suite struct ConsoleSlownessTests {
  private static func limits(_ configure: (inout NetLimits) -> Void = { _ in }) -> NetLimits {
    var limits = NetLimits()
    limits.behindBytes = 0
    limits.kernelSendBytes = 4_096
    limits.pongSeconds = 100_000
    configure(&limits)
    return limits
  }

  @Test("While a console reads nothing a player gets every tick; the console then gets the newest state, not every one")
  func slow() throws {
    let operators = try TestOperators(netLimits: Self.limits { $0.stallSeconds = 100_000 })
    let honest = try HonestPlayer(operators.game)
    let slow = try TestConsole(operators, prepare: { $0.shrinkReceiveBuffer() })
    try slow.send("{\"watch\":\"rooms\"}")
    let other = try TestConsole(operators)
    try honest.pass(seconds: 60)
    let now = try #require(try operators.stats().int("atMs"))
    // The content of kernels' buffers is old; the newest comes after it.
    var newest = 0
    for _ in 0..<1_000 where newest < now {
      try slow.pump()
      while let message = slow.take({ $0["overview"] != nil }) {
        newest = message.object("overview").int("atMs") ?? 0
      }
      operators.game.clock.advance(milliseconds: 254)
      #expect(try operators.get("/healthz").status == 200)
    }
    #expect(newest >= now)
    #expect(slow.overviews < 60, "most of 120 messages were left out")
    #expect(try !other.received("overview").isEmpty)
  }

  @Test("A console that reads nothing for ten seconds is closed, and its place is free")
  func stall() throws {
    let operators = try TestOperators(netLimits: Self.limits())
    let honest = try HonestPlayer(operators.game)
    let slow = try (0..<8).map { _ in try TestConsole(operators, prepare: { $0.shrinkReceiveBuffer() }) }
    var other: TestConsole?
    var hasOverview = false
    for _ in 0..<600 where !hasOverview {
      try honest.pass(seconds: 1)
      if other == nil { other = try? TestConsole(operators) }
      try other?.pump()
      hasOverview = other?.take { $0["overview"] != nil } != nil
    }
    #expect(hasOverview)
    withExtendedLifetime(slow) {}
  }
}
