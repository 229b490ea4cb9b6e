// The pure parts of `durable`: its arguments, the turns of its bots, and the drawn commands.
import ArgumentParser
import Testing
import madang_loadtest

@Suite struct DurableTests {
  @Test("Arguments within their bounds are accepted")
  func goodArguments() throws {
    let durable = try Durable.parse([
      "--rooms", "500", "--players", "4", "--commands-per-second", "10000", "--positions-per-second", "10000",
      "--tick-hz", "1", "--seconds", "60", "--server-pid", "1", "--p99-ms", "200", "--expect-errors", "0",
    ])
    #expect(durable.rooms == 500 && durable.players == 4)
    #expect(durable.commandsPerSecond == 10_000 && durable.positionsPerSecond == 10_000)
    #expect(durable.tickHz == 1 && durable.seconds == 60)
  }

  @Test(
    "Arguments out of their bounds are refused",
    arguments: [
      ["--rooms", "0"],
      ["--players", "1"],
      ["--players", "201"],
      ["--commands-per-second", "0"],
      ["--positions-per-second", "-1"],
      ["--tick-hz", "21"],
      ["--seconds", "0"],
      // More than the server accepts from a connection.
      ["--rooms", "10", "--players", "10", "--commands-per-second", "1000", "--positions-per-second", "901"],
      // The games would end before the run.
      ["--rooms", "5000", "--connects-per-second", "10", "--seconds", "6000"],
      ["--subprotocol", "xml"],
    ]
  )
  func badArguments(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try Durable.parse(arguments) }
  }

  @Test("Commands are due evenly, and late ones are caught up")
  func due() {
    let load = CommandLoad(rooms: 2, players: 2, perSecond: 1_000)
    #expect(load.due(afterMicroseconds: 0) == 0)
    #expect(load.due(afterMicroseconds: 999) == 0)
    #expect(load.due(afterMicroseconds: 1_000) == 1)
    #expect(load.due(afterMicroseconds: 60_000_000) == 60_000)
  }

  @Test("Rooms take turns, and so do the players of each, so that all send equally often")
  func turns() {
    let load = CommandLoad(rooms: 3, players: 2, perSecond: 1)
    #expect((0..<8).map(load.bot) == [0, 2, 4, 1, 3, 5, 0, 2])
    var counts: [Int: Int] = [:]
    for number in 0..<600 { counts[load.bot(ofCommand: number), default: 0] += 1 }
    #expect(counts == [0: 100, 1: 100, 2: 100, 3: 100, 4: 100, 5: 100])
  }

  @Test("About every other command is a chat, but none follows within a second of the player's last")
  func mix() {
    var mix = CommandMix(seed: 7)
    let free = (0..<1_000).count { _ in mix.next(at: 5_000_000, lastChat: nil) == .chat }
    #expect((400...600).contains(free))
    #expect((0..<1_000).allSatisfy { _ in mix.next(at: 5_000_000, lastChat: 4_000_001) == .readChat })
    let again = (0..<1_000).count { _ in mix.next(at: 5_000_000, lastChat: 3_900_000) == .chat }
    #expect((400...600).contains(again))
  }

  @Test("One seed gives one mix")
  func seed() {
    var first = CommandMix(seed: 3)
    var second = CommandMix(seed: 3)
    for now in 0..<100 {
      #expect(first.next(at: Int64(now), lastChat: nil) == second.next(at: Int64(now), lastChat: nil))
    }
  }
}
