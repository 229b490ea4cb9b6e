// Lands and past games of the store as messages of the wire.
//
// Pure. Field by field, so that the forms of both sides stay independent.
import Game
import MadangProtocol
import Store

extension WireLandSummary {
  init(_ found: FoundLand, _ outlines: LandOutlines? = nil) {
    self.init()
    landID = found.id.description
    name = found.land.name
    lengthM = UInt32(clamping: found.lengthMm / 1_000)
    vertices = UInt32(clamping: found.land.vertices.count)
    let middle = found.middle
    latE7 = middle.latE7
    lngE7 = middle.lngE7
    if let best = found.bestTimeMs { bestTimeMs = UInt32(clamping: best) }
    guard let outlines else { return }
    let outline = found.land.outline(toleranceMm: outlines.toleranceMm, verticesMax: Limits.outlineVerticesMax)
    outlineLatE7 = outline.map(\.latE7)
    outlineLngE7 = outline.map(\.lngE7)
  }

  init(_ near: NearbyLand, _ outlines: LandOutlines?) {
    self.init(near.found, outlines)
    distanceM = UInt32(clamping: near.distanceMm / 1_000)
  }
}

extension WireLand {
  init(_ found: FoundLand) {
    self.init()
    summary = WireLandSummary(found)
    latE7 = found.land.vertices.map(\.latE7)
    lngE7 = found.land.vertices.map(\.lngE7)
  }
}

extension WirePlayerLand {
  init(_ land: PlayerLand, _ capturedAt: Instant) {
    self.init()
    landID = land.land.description
    name = land.name
    timeMs = UInt32(clamping: land.timeMs)
    rank = UInt32(clamping: land.rank)
    capturedAtMs = capturedAt.milliseconds
  }
}

extension WireRoomGame {
  init(_ game: StoredGame) {
    self.init()
    gameID = game.row.id.description
    mode = WireMode(game.row.mode)
    startedAtMs = game.row.startedAt.milliseconds
    endedAtMs = game.row.endedAt.milliseconds
    board = game.results.map(WireBoardRow.init)
  }
}

extension WireBoardRow {
  /// A row from a stored result.
  init(_ row: ResultRow) {
    self.init()
    seat = UInt32(row.seat)
    playerID = row.player.description
    nickname = row.nickname
    rank = row.givenRank.map(UInt32.init) ?? 0
    points = row.points
    distanceM = UInt32(clamping: row.distanceMm / 1_000)
    timeS = UInt32(clamping: row.timeMs / 1_000)
    won = row.won
    completed = row.completed
    latePercent = UInt32(row.latePercent)
    withheldPercent = UInt32(row.withheldPercent)
  }
}
