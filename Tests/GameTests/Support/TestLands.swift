// Shared by the tests of land mode: squares in the yard, rooms over them, and players who walk around them at one fix a
// second.
import Foundation
import Game
import Testing

enum TestLands {
  /// Two lands that recorded tracks go around; not part of the project.
  static let realOnes = TrackTests.package.appending(path: "../shared/data/lands.geojson")
  static let areRealOnesHere = FileManager.default.fileExists(atPath: realOnes.path)

  /// The closed ring of corners, in metres north and east of the yard's corner.
  static func ring(_ corners: (northM: Double, eastM: Double)...) -> [Coordinate] {
    let ring = corners.map { coordinate(northM: $0.northM, eastM: $0.eastM) }
    return ring + ring.prefix(1)
  }

  static func coordinate(northM: Double, eastM: Double) -> Coordinate {
    let fix = Yard.fix(northM: northM, eastM: eastM)
    return Coordinate(latE7: fix.latE7, lngE7: fix.lngE7)
  }

  /// A square of 40 m, which is 24 vertices and 160 m around. The first vertex is its south-western corner; the next
  /// ones go east.
  static func square(_ id: UInt128 = 1, northM: Double = 0, eastM: Double = 0) throws -> Land {
    let ring = ring(
      (northM, eastM),
      (northM, eastM + 40),
      (northM + 40, eastM + 40),
      (northM + 40, eastM)
    )
    return Land(id: LandID(id), name: "square \(id)", vertices: try LandSurvey.vertices(ofRing: ring))
  }

  /// Squares 1, 2, 3 … side by side, 100 m from each other.
  static func squares(_ count: Int) throws -> [Land] {
    try (0..<count).map { try square(UInt128($0 + 1), eastM: Double($0) * 140) }
  }

  /// A running game in a room over lands.
  static func game(
    _ lands: [Land],
    players: Int = 2,
    solo: Bool = false,
    duration: Duration? = nil,
    speedMaxMmPerS: Int? = nil
  ) throws -> TestRoom {
    let configuration = try RoomConfiguration(
      mode: .land(LandSettings(lands: lands)),
      capacity: solo ? nil : max(2, players),
      duration: duration,
      solo: solo,
      speedMaxMmPerS: speedMaxMmPerS
    )
    var test = TestRoom(configuration, players: solo ? 1 : players)
    test.start()
    return test
  }
}

extension TestRoom {
  /// The notifications of runs in the newest effects, with their seats.
  var runProgress: [(seat: Int, progress: RunProgress)] {
    effects.outputs.compactMap { output in
      guard case .run(.seat(let seat), let progress) = output else { return nil }
      return (seat, progress)
    }
  }

  /// The lands that were captured in this room, by seat and time, from its events.
  var captures: [(seat: Int, land: LandID, time: Duration)] {
    bodies().compactMap { body in
      guard case .captured(let seat, .land(let land, let time)) = body else { return nil }
      return (seat, land, time)
    }
  }

  /// Sends a fix at each of these places, and waits after each. Returns the player's notifications of their run.
  @discardableResult
  mutating func walk(
    _ seat: Int,
    _ places: some Sequence<Coordinate>,
    waiting wait: Duration = .seconds(1)
  ) -> [RunProgress] {
    var notices: [RunProgress] = []
    for place in places where room.phase == .playing {
      let verdict = move(seat, Fix(latE7: place.latE7, lngE7: place.lngE7, accuracyM: 5))
      #expect(verdict == nil || room.phase != .playing)
      notices += runProgress.filter { $0.seat == seat }.map(\.progress)
      self.wait(wait)
    }
    return notices
  }

  /// The same in metres north and east of the yard's corner.
  @discardableResult
  mutating func walk(
    _ seat: Int,
    _ places: [(northM: Double, eastM: Double)],
    waiting wait: Duration = .seconds(1)
  ) -> [RunProgress] {
    walk(seat, places.map { TestLands.coordinate(northM: $0.northM, eastM: $0.eastM) }, waiting: wait)
  }

  /// Waits long enough for any way in the yard to be believed.
  mutating func waitToBeBelieved() {
    wait(.seconds(60))
  }
}
