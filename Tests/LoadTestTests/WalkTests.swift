// The pure parts of `walk`: its arguments, the cheats, and the routes of territory's bots.
import ArgumentParser
import MadangProtocol
import Testing
import madang_loadtest

@Suite struct WalkTests {
  @Test("Arguments within their bounds are accepted")
  func goodArguments() throws {
    let walk = try Walk.parse([
      "--mode", "territory", "--bots", "looper,thief", "mocker", "--rooms", "2500", "--players", "4", "--tick-hz", "2",
      "--cutting", "--cells", "400", "--cell-m", "5", "--pace", "12.5", "--resume-every", "0", "--seconds", "120",
      "--rooms-per-second", "100", "--start-together", "--expect-misses", "0", "--expect-met", "1", "--server-pid", "1",
    ])
    #expect(walk.game.kinds == [.looper, .thief, .mocker])
    #expect(walk.game.cutting && walk.game.resumeSeconds == nil)
    let land = try Walk.parse(["--mode", "land", "--lands", "0123,4567"])
    #expect(land.game.landIDs == ["0123", "4567"] && land.game.kinds == [.lapper, .quitter])
    let filled = try Walk.parse(["--players", "1", "--fill", "10", "--mode", "territory"])
    #expect(filled.game.fill == 10 && filled.game.players == 1)
    let footprint = try Walk.parse(["--check-boards"])
    #expect(footprint.game.kinds == [.walker] && footprint.game.resumeSeconds == nil)
  }

  @Test(
    "Arguments out of their bounds are refused",
    arguments: [
      ["--mode", "chess"], ["--bots", "nobody"], ["--bots", "looper"], ["--mode", "territory", "--bots", "lapper"],
      ["--mode", "land"], ["--lands", "0123"], ["--cutting"], ["--rooms", "0"], ["--players", "201"], ["--rate", "20"],
      ["--tick-hz", "21"], ["--seconds", "9"], ["--pace", "0"], ["--pace", "41"], ["--cells", "401"],
      ["--cell-m", "4"],
      ["--resume-every", "-1"], ["--check-boards", "--rate", "2"], ["--check-boards", "--mode", "territory"],
      ["--rooms-per-second", "0"], ["--subprotocol", "xml"], ["--dead-zones", "none"], ["--receiver", "space"],
      ["--dead-zones", "short", "--rate", "2"], ["--receiver", "city", "--bots", "walker"],
      ["--dead-zones", "long", "--resume-every", "7"], ["--fill", "11"], ["--fill", "-1"],
      ["--fill", "1", "--players", "200"], ["--fill", "1", "--dead-zones", "short"],
      ["--fill", "1", "--cutting", "--mode", "territory"],
    ]
  )
  func badArguments(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try Walk.parse(arguments) }
  }

  @Test(
    "No two fixes of a teleporter, and no two of a speeder, are possible for an honest player",
    arguments: [1.0, 2.0, 10.0]
  )
  func tooFar(rate: Double) {
    let last = Coordinate(latitude: 37.5, longitude: 127)
    for cheat in [Cheat.teleport, .tooFast] {
      var fixes: [(seconds: Double, place: Coordinate)] = [(-1 / rate, last)]
      for number in 0..<120 {
        let seconds = Double(number) / rate
        let move = cheat.move(number, from: last, seconds: seconds, pace: 6, speedMaxM: 12.5, timeMs: 0)
        let place = Coordinate(latitude: Double(move.latE7) / 1e7, longitude: Double(move.lngE7) / 1e7)
        // From the end of the honest part, and from the fix a second or more before: no ten fixes agree over 10 s.
        #expect(last.metres(to: place) > 12.5 * (seconds + 1 / rate) + 5, "\(cheat) \(number)")
        if let before = fixes.last(where: { seconds - $0.seconds >= 1 }) {
          #expect(before.place.metres(to: place) > 12.5 * (seconds - before.seconds) + 5, "\(cheat) \(number)")
        }
        fixes.append((seconds, place))
      }
    }
  }

  @Test("The cheaters with a stopped clock and with mocked fixes walk like honest players")
  func otherCheats() {
    let last = Coordinate(latitude: 37.5, longitude: 127)
    let frozen = Cheat.frozenClock.move(3, from: last, seconds: 3, pace: 6, speedMaxM: 12.5, timeMs: 1_790_000_000_000)
    #expect(frozen.timeMs == 1_790_000_000_000 && !frozen.mocked)
    let mocked = Cheat.mocked.move(3, from: last, seconds: 3, pace: 6, speedMaxM: 12.5, timeMs: 1)
    #expect(!mocked.hasTimeMs && mocked.mocked)
    for move in [frozen, mocked] {
      let place = Coordinate(latitude: Double(move.latE7) / 1e7, longitude: Double(move.lngE7) / 1e7)
      #expect(abs(last.metres(to: place) - 18) < 0.1)
    }
  }

  /// The ground of an arena of a kilometre, where seat 0 has a block of 40 m and seat 1 another.
  private var ground: GroundCopy {
    var ground = GroundCopy(side: 100, cellM: 10)
    let rows: [UInt32] = [48, 49, 50, 51]
    let starts = rows.flatMap { [$0 * 100 + 40, $0 * 100 + 56] }
    _ = ground.apply(starts: starts, counts: starts.map { _ in 4 }, seats: starts.indices.map { UInt32($0 % 2) })
    return ground
  }

  @Test("Planned routes close a path in the planned way", arguments: 0..<20 as Range<UInt64>)
  func routes(seed: UInt64) {
    for (way, start) in [
      (ClosingWay.crossing, Spot(x: 0, y: 60)), (.start, Spot(x: 0, y: -60)), (.home, Spot(x: -80, y: 0)),
    ] {
      var planner = RoutePlanner(stepM: 6, seed: seed)
      let isHome = ground.isHeld(by: 0, at: start)
      let path = isHome ? nil : WalkedPath(at: start, from: nil, cellAreaM2: 100)
      let situation = RoutePlanner.Situation(spot: start, path: path, seat: 0, ground: ground)
      guard let route = planner.route(way, from: situation) else { continue }
      var again = RoutePlanner(stepM: 6, seed: seed)
      let sameRoute = again.route(way, from: situation)
      #expect(sameRoute == route)
      switch (RoutePlanner.outcome(of: route, 6, from: situation)?.step, way) {
      case (.crossed, .crossing), (.back, .start), (.home, .home): break
      case (let step, _): Issue.record("\(way) leads to \(String(describing: step))")
      }
    }
  }

  @Test("A raid circles another player's ground; without such ground there is no raid")
  func raids() {
    var planner = RoutePlanner(stepM: 6, seed: 4)
    let start = Spot(x: 160, y: 0)
    let path = WalkedPath(at: start, from: nil, cellAreaM2: 100)
    let situation = RoutePlanner.Situation(spot: start, path: path, seat: 0, ground: ground)
    guard let route = planner.raid(from: situation) else {
      _ = Issue.record("no raid")
      return
    }
    guard case .crossed(let loop) = RoutePlanner.outcome(of: route, 6, from: situation)?.step else {
      _ = Issue.record("no loop")
      return
    }
    #expect((0..<10_000).contains { ground.holder(of: $0) == 1 && loop.contains(ground.middle(of: $0)) })
    let alone = RoutePlanner.Situation(spot: start, path: path, seat: 0, ground: GroundCopy(side: 100, cellM: 10))
    let raidAlone = planner.raid(from: alone)
    #expect(raidAlone == nil)
  }
}
