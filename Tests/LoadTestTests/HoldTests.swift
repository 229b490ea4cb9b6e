// The pure parts of `hold`: its arguments, its pace, and the measure of growth.
import ArgumentParser
import Testing
import madang_loadtest

@Suite struct HoldTests {
  @Test("Arguments within their bounds are accepted")
  func goodArguments() throws {
    let hold = try Hold.parse([
      "--url", "ws://127.0.0.1:1/v1/play", "--connections", "19000", "--in-rooms", "500", "--players", "25",
      "--rate", "2", "--seconds", "6600", "--connects-per-second", "500", "--server-pid", "1", "--expect-errors", "0",
      "--expect-growth-bytes", "1000000",
    ])
    #expect(hold.connections == 19_000)
    #expect(hold.inRooms == 500)
    #expect(hold.seconds == 6_600)
    #expect(hold.connectsPerSecond == 500)
    #expect(hold.expectGrowthBytes == 1_000_000)
  }

  @Test(
    "Arguments out of their bounds are refused",
    arguments: [
      ["--connections", "0"],
      ["--connections", "10", "--in-rooms", "11"],
      ["--in-rooms", "-1"],
      ["--players", "201"],
      ["--rate", "20"],
      ["--seconds", "1"],
      ["--seconds", "6601"],
      ["--connects-per-second", "0"],
      // The games would end before the run.
      ["--connections", "19000", "--connects-per-second", "10", "--seconds", "6000"],
      ["--subprotocol", "xml"],
      ["--expect-growth-bytes", "1"],
    ]
  )
  func badArguments(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try Hold.parse(arguments) }
  }

  @Test("Connections begin evenly: the first at once, in the end all of them, and never more")
  func pace() {
    let pace = ConnectPace(connections: 1_000, perSecond: 250)
    #expect(pace.seconds == 4)
    #expect(pace.due(afterMicroseconds: 0) == 3)
    #expect(pace.due(afterMicroseconds: 990_000) == 250)
    #expect(pace.due(afterMicroseconds: 1_990_000) == 500)
    #expect(pace.due(afterMicroseconds: 3_990_000) == 1_000)
    #expect(pace.due(afterMicroseconds: 3_600_000_000) == 1_000)
    #expect(ConnectPace(connections: 5, perSecond: 1).due(afterMicroseconds: 0) == 1)
    #expect(ConnectPace(connections: 5, perSecond: 1).due(afterMicroseconds: 990_000) == 1)
    #expect(ConnectPace(connections: 5, perSecond: 1).due(afterMicroseconds: 1_000_000) == 2)
    #expect(ConnectPace(connections: 5, perSecond: 2).seconds == 3)
  }

  @Test("Growth is measured from the first measurement after the warm-up to the newest")
  func growth() {
    var growth = MemoryGrowth(heldSeconds: 300)
    #expect(growth.warmupSeconds == 60)
    growth.note(bytes: 1_000, atSecond: 1)
    growth.note(bytes: 5_000, atSecond: 59)
    #expect(growth.bytes == nil)
    growth.note(bytes: 6_000, atSecond: 60)
    #expect(growth.bytes == 0)
    growth.note(bytes: 9_000, atSecond: 61)
    #expect(growth.bytes == 3_000)
    growth.note(bytes: 5_500, atSecond: 300)
    #expect(growth.bytes == -500)
  }

  @Test("In a run under two minutes the first half is the warm-up")
  func growthOfShortRuns() {
    #expect(MemoryGrowth(heldSeconds: 119).warmupSeconds == 59)
    #expect(MemoryGrowth(heldSeconds: 120).warmupSeconds == 60)
    var growth = MemoryGrowth(heldSeconds: 2)
    growth.note(bytes: 10, atSecond: 1)
    growth.note(bytes: 25, atSecond: 2)
    #expect(growth.bytes == 15)
  }
}
