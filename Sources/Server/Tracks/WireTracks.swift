// Courses of games as messages of the wire: values in, messages out. Pure.
import Game
import MadangProtocol
import Store

extension WireGameTrack {
  init(_ course: GameCourse, board: [WireBoardRow]) {
    self.init()
    mode = WireMode(course.mode)
    startedAtMs = course.result.startedAt.milliseconds
    endedAtMs = course.result.endedAt.milliseconds
    endMs = course.endMs
    self.board = board
    lands = course.lands.map { WireRoomLand($0, nil) }
    ways = course.ways.bySeat.sorted { $0.key < $1.key }.map { WireGameWay($0.value, ofSeat: $0.key) }
    spacingM = UInt32(course.ways.spacingM)
    if let ground = course.ground {
      arena = WireArena(ground.arena)
      groundMs = ground.changes.map(\.atMs)
      groundCounts = ground.changes.map { UInt32($0.runs.count) }
      let runs = ground.changes.flatMap(\.runs)
      cellStarts = runs.map { UInt32($0.start) }
      cellCounts = runs.map { UInt32($0.count) }
      cellSeats = runs.map { UInt32($0.seat) }
    }
    pointsMs = course.scores.map(\.atMs)
    pointsSeats = course.scores.map { UInt32($0.seat) }
    points = course.scores.map(\.points)
    landMs = course.landCaptures.map(\.atMs)
    landIndices = course.landCaptures.map { UInt32($0.land) }
    landSeats = course.landCaptures.map { UInt32($0.seat) }
  }
}

extension WireGameWay {
  init(_ way: GameWay, ofSeat seat: Int) {
    self.init()
    self.seat = UInt32(seat)
    var before = GameWay.Step(atMs: 0, Coordinate(latE7: 0, lngE7: 0))
    for step in way.steps {
      atMs.append(step.atMs &- before.atMs)
      latE7.append(step.place.latE7 &- before.place.latE7)
      lngE7.append(step.place.lngE7 &- before.place.lngE7)
      before = step
    }
  }
}

extension WireGameSharing {
  init(_ sharing: TrackSharing, of game: GameID) {
    self.init()
    gameID = game.description
    links = UInt32(sharing.linksCount)
    showsWay = sharing.showsWay
  }
}
