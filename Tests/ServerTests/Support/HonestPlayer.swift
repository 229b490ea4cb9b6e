// A player in a running game in a room of their own, who moves before every tick and must get each of them: an attack
// on others must not change that.
//
// One for each test, which lets time pass only by `tick` and `pass` while the honest player plays.
import MadangProtocol
import TestSupport
import Testing

final class HonestPlayer {
  /// A third of a metre, in 10⁻⁷ degrees: a walk at ticks of 100 ms.
  private static let stepE7: Int32 = 30
  private static let tickMs: Int64 = 100

  private let server: TestServer
  private let player: TestPlayer
  private var lastTick: UInt32
  private var steps: Int32 = 0

  init(_ server: TestServer) throws {
    self.server = server
    player = try server.player("honest")
    _ = try player.createRoom {
      $0.solo = true
      $0.durationS = 7_200
    }
    try player.expectOk(.startGame(WireStartGame()))
    // The timers' 4 ms pass once; from then on the clock stands right after a tick.
    try server.passTick()
    while true {
      let tick = try player.tick()
      lastTick = tick.tick
      if tick.events.contains(where: { $0.phase.phase == .playing }) { break }
    }
    try self.tick()
  }

  /// Moves, lets one tick's time pass and expects that very tick, with the move in it.
  func tick(sourceLocation: SourceLocation = #_sourceLocation) throws {
    steps += 1
    let latE7 = 375_665_000 + steps % 2 * Self.stepE7
    // The answer shows that the server has the move when the tick comes.
    try player.expectOk(.move(TestPlayer.move(latE7, 1_269_780_000)))
    server.clock.advance(milliseconds: Self.tickMs)
    let tick = try player.tick()
    #expect(tick.tick == lastTick + 1, "a tick was lost", sourceLocation: sourceLocation)
    #expect(tick.skipped == 0, sourceLocation: sourceLocation)
    #expect(tick.latE7 == [latE7], sourceLocation: sourceLocation)
    lastTick = tick.tick
  }

  /// Lets time pass tick by tick; `others` read their messages, so that they answer pings.
  func pass(
    seconds: Int64,
    _ others: TestPlayer...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for _ in 0..<seconds * 1_000 / Self.tickMs {
      try tick(sourceLocation: sourceLocation)
      for other in others { try other.pump() }
    }
  }
}
