// `madang-bench territory`: the cost of the largest room of territory mode, without sockets.
import ArgumentParser
import MadangProtocol
import SeededRandom

struct Territory: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure a room of 200 players on 400 × 400 cells: ticks, large closings, memory.",
    discussion: """
      A tick is the judging of everybody's position, which all come between two ticks, the tick itself, and its message \
      in the encoding that costs more. Times are CPU times of one thread.
      """
  )

  @Option(help: "Seconds of the game that are played for each line of the table.")
  var seconds = 900

  @Option(help: "The number of times that half of the arena is taken, in each way of closing.")
  var closings = 20

  @Option(help: "The number of rooms held at a time, for their memory.")
  var rooms = 10

  func validate() throws {
    guard (1...7_000).contains(seconds), (1...1_000).contains(closings), (1...100).contains(rooms) else {
      throw ValidationError("--seconds must be 1 to 7000, --closings 1 to 1000, --rooms 1 to 100.")
    }
  }

  func run() throws {
    try measureTicks()
    try measureClosings()
    try measureMemory()
  }

  // Ticks.

  private func measureTicks() throws {
    var table = Table(["a tick of 200 players who move"] + CPUTimes.header + ["ticks", "closings", "bytes a tick"])
    for (name, habit, cutting) in [
      ("loops", ArenaWalker.Habit.loops, false), ("loops, cutting", .loops, true),
      ("open lines, cutting", .lines, true),
    ] {
      for (encoding, subprotocol) in [("binary", Subprotocol.proto), ("JSON", .json)] {
        let (times, room) = try play(habit, cutting, subprotocol)
        let figures = ["\(times.count)", "\(room.closings)", (Double(room.bytes) / Double(times.count)).fixed(0)]
        table.add(["\(name), \(encoding)"] + times.cells + figures)
      }
    }
    print(table.text + "\n")
  }

  private func play(
    _ habit: ArenaWalker.Habit,
    _ cutting: Bool,
    _ subprotocol: Subprotocol
  ) throws -> (CPUTimes, ArenaRoom) {
    var random = SplitMix64(seed: 7)
    var room = try ArenaRoom(cutting: cutting)
    var walkers = (0..<ArenaRoom.players).map { ArenaWalker(habit, $0, &random) }
    var times = CPUTimes()
    for _ in 0..<seconds {
      room.pass(milliseconds: 1_000)
      for seat in walkers.indices { walkers[seat].go(seconds: 1, &random) }
      times.measure {
        for (seat, walker) in walkers.enumerated() { room.move(seat, eastM: walker.eastM, northM: walker.northM) }
        room.tell(subprotocol)
      }
    }
    return (times, room)
  }

  // Closings.

  /// Ways around the southern half of the arena, by their closing.
  private static let halves: [(name: String, way: [(eastM: Double, northM: Double)])] = [
    ("by crossing itself", [(5, 15), (3_995, 15), (3_995, 2_005), (2, 2_005), (2, 1_500), (100, 1_500), (100, 5)]),
    ("back at its start", [(15, 15), (3_995, 15), (3_995, 2_005), (15, 2_005), (15, 20)]),
    (
      "home, to a strip of own land",
      [
        (2, 2), (28, 2), (28, 3_990), (2, 3_990), (2, 10), (15, 105), (35, 105), (3_995, 105), (3_995, 2_095),
        (35, 2_095), (15, 2_095),
      ]
    ),
  ]

  private func measureClosings() throws {
    var table = Table(["the position that takes half of the arena, with its tick"] + CPUTimes.header + ["m²"])
    for (name, way) in Self.halves {
      var times = CPUTimes()
      var areaM2: UInt32 = 0
      for _ in 0..<closings {
        let (nanoseconds, takenM2) = try close(way)
        times.record(nanoseconds: nanoseconds)
        areaM2 = takenM2
      }
      table.add([name] + times.cells + ["\(areaM2)"])
    }
    print(table.text + "\n")
  }

  /// Walks a way; returns the cost and the area of the last closing.
  private func close(_ way: [(eastM: Double, northM: Double)]) throws -> (nanoseconds: Int64, areaM2: UInt32) {
    var room = try ArenaRoom(players: 2, speedMaxMmPerS: 100_000)
    var last = way[0]
    var took: Int64 = 0
    for corner in way {
      let steps = max(1, Int(max(abs(corner.eastM - last.eastM), abs(corner.northM - last.northM)) / 12))
      for step in 1...steps {
        let share = Double(step) / Double(steps)
        room.pass(milliseconds: 200)
        let before = room.closings
        let began = threadCPUNanoseconds()
        room.move(
          0,
          eastM: last.eastM + (corner.eastM - last.eastM) * share,
          northM: last.northM + (corner.northM - last.northM) * share
        )
        room.tell(.json)
        if room.closings > before { took = threadCPUNanoseconds() - began }
      }
      last = corner
    }
    return (took, room.closedM2)
  }

  // Memory.

  private func measureMemory() throws {
    let before = try residentKiB()
    var kept: [ArenaRoom] = []
    for _ in 0..<rooms {
      var random = SplitMix64(seed: 7)
      var room = try ArenaRoom()
      // Open lines: every path keeps all its points.
      var walkers = (0..<ArenaRoom.players).map { ArenaWalker(.lines, $0, &random) }
      for _ in 0..<min(seconds, 599) {
        room.pass(milliseconds: 1_000)
        for seat in walkers.indices {
          walkers[seat].go(seconds: 1, &random)
          room.move(seat, eastM: walkers[seat].eastM, northM: walkers[seat].northM)
        }
        room.tell(.proto)
      }
      kept.append(room)
    }
    let points = (0..<ArenaRoom.players).reduce(0) { $0 + kept[0].room.path(of: $1).count }
    let eachKiB = (try residentKiB() - before) / rooms
    print("memory of a room whose players have open paths of \(points) points together: \(eachKiB) KiB")
  }
}
