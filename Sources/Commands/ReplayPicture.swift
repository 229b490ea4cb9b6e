// A finished game as a picture: the players' tracks, and their lands and cells at its end.
//
// A value that turns a story into SVG 1.1, without scripts, fonts or external resources.
import Foundation
import Game

struct ReplayPicture {
  private let story: GameStory
  private let title: String
  private let view: View
  private var lines: [String] = []

  private static let picturePx = 800.0
  private static let legendPx = 240.0
  private static let rowPx = 26.0

  init(_ story: GameStory, title: String) {
    self.story = story
    self.title = title
    view = View(of: story, widthPx: Self.picturePx)
  }

  /// The whole picture.
  var svg: String {
    var picture = self
    picture.draw()
    return picture.lines.joined(separator: "\n")
  }

  private mutating func draw() {
    let height = max(view.heightPx, Self.rowPx * Double(story.result.board.count + 4))
    let width = Self.picturePx + Self.legendPx
    lines.append(
      #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(px(width))" height="\#(px(height))" "#
        + #"viewBox="0 0 \#(px(width)) \#(px(height))" font-family="sans-serif" font-size="14">"#
    )
    lines.append("<title>\(title.escapedForXML)</title>")
    lines.append(##"<rect width="100%" height="100%" fill="#faf8f3"/>"##)
    drawCells()
    drawLands()
    drawFootprints()
    for row in story.result.board { drawTrack(of: row.seat) }
    drawScale()
    drawLegend()
    lines.append("</svg>")
  }

  /// Draws the cells of territory mode, a path for each holder, and the arena's edge.
  private mutating func drawCells() {
    guard let arena = story.room.arena, let grid = CellPlaces(arena) else { return }
    var runs = Tick()
    story.room.appendCells(to: &runs)
    var paths: [UInt32: String] = [:]
    for run in runs.cellStarts.indices {
      var start = Int(runs.cellStarts[run])
      let end = start + Int(runs.cellCounts[run])
      while start < end {
        let count = min(end - start, arena.cells - start % arena.cells)
        let corner = view.point(grid.corner(row: start / arena.cells, column: start % arena.cells))
        let opposite = view.point(grid.corner(row: start / arena.cells + 1, column: start % arena.cells + count))
        paths[runs.cellSeats[run], default: ""] +=
          "M\(px(corner.x)) \(px(corner.y))H\(px(opposite.x))V\(px(opposite.y))H\(px(corner.x))Z"
        start += count
      }
    }
    for (seat, path) in paths.sorted(by: { $0.key < $1.key }) {
      lines.append(#"<path d="\#(path)" fill="\#(Self.color(of: Int(seat)))" fill-opacity="0.45"/>"#)
    }
    let corner = view.point(grid.corner(row: 0, column: 0))
    let opposite = view.point(grid.corner(row: arena.cells, column: arena.cells))
    lines.append(
      #"<rect x="\#(px(corner.x))" y="\#(px(opposite.y))" width="\#(px(opposite.x - corner.x))" "#
        + ##"height="\##(px(corner.y - opposite.y))" fill="none" stroke="#999" stroke-dasharray="6 4"/>"##
    )
  }

  /// Draws the rings of land mode, filled with their holders' colours.
  private mutating func drawLands() {
    for (land, holder) in zip(story.room.configuration.lands, story.room.landHolders) {
      let corners = land.vertices.map { view.point($0) }.map { "\(px($0.x)),\(px($0.y))" }.joined(separator: " ")
      let fill = holder.map { Self.color(of: $0.seat) } ?? "#cccccc"
      lines.append(
        ##"<polygon points="\##(corners)" fill="\##(fill)" fill-opacity="0.35" stroke="#666">"##
          + "<title>\(land.name.escapedForXML)</title></polygon>"
      )
    }
  }

  private mutating func drawFootprints() {
    for row in story.result.board {
      for footprint in story.room.footprints(seat: row.seat) {
        let point = view.point(footprint)
        lines.append(
          #"<circle cx="\#(px(point.x))" cy="\#(px(point.y))" r="4" fill="\#(Self.color(of: row.seat))" "#
            + #"fill-opacity="0.5"/>"#
        )
      }
    }
  }

  /// Draws a player's track, with a ring at its begin and a dot at its end.
  private mutating func drawTrack(of seat: Int) {
    let points = story.tracks[seat].map { view.point($0.coordinate) }
    guard let first = points.first, let last = points.last else { return }
    let color = Self.color(of: seat)
    let way = points.map { "\(px($0.x)),\(px($0.y))" }.joined(separator: " ")
    lines.append(
      #"<polyline points="\#(way)" fill="none" stroke="\#(color)" stroke-width="2" stroke-linejoin="round"/>"#
    )
    lines.append(
      ##"<circle cx="\##(px(first.x))" cy="\##(px(first.y))" r="5" fill="#faf8f3" stroke="\##(color)" stroke-width="2"/>"##
    )
    lines.append(#"<circle cx="\#(px(last.x))" cy="\#(px(last.y))" r="5" fill="\#(color)"/>"#)
  }

  /// Draws a bar of a round length.
  private mutating func drawScale() {
    let metres = [10_000.0, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10].first { $0 * view.pxPerM < 200 } ?? 10
    let (x, y) = (20.0, view.heightPx - 20)
    let end = x + metres * view.pxPerM
    lines.append(
      ##"<path d="M\##(px(x)) \##(px(y - 5))V\##(px(y))H\##(px(end))V\##(px(y - 5))" fill="none" stroke="#333"/>"##
    )
    lines.append(##"<text x="\##(px(x + 4))" y="\##(px(y - 6))" fill="#333">\##(Int(metres)) m</text>"##)
  }

  private mutating func drawLegend() {
    let x = Self.picturePx + 16
    lines.append(##"<text x="\##(px(x))" y="26" font-weight="bold" fill="#333">\##(title.escapedForXML)</text>"##)
    for (index, row) in story.result.board.enumerated() {
      let y = Self.rowPx * Double(index + 2)
      lines.append(
        #"<rect x="\#(px(x))" y="\#(px(y - 11))" width="12" height="12" fill="\#(Self.color(of: row.seat))"/>"#
      )
      let text =
        "\(row.givenRank.map { "\($0)." } ?? "–") \(row.nickname.escapedForXML): \(story.configuration.mode.text(ofPoints: row.points))"
      lines.append(##"<text x="\##(px(x + 20))" y="\##(px(y))" fill="#333">\##(text)</text>"##)
    }
  }

  private func px(_ value: Double) -> String { String(format: "%.1f", value) }

  /// A seat's colour; neighbouring seats have distant colours.
  private static func color(of seat: Int) -> String {
    let named = ["#d1495b", "#2e86ab", "#3a9d5d", "#e08e1b", "#7b4fa3", "#00798c", "#b56576", "#6b705c"]
    return seat < named.count ? named[seat] : "hsl(\((seat * 137) % 360),55%,45%)"
  }
}

/// The part of the ground that the picture shows, and the mapping of coordinates to it.
private struct View {
  private let west: Double
  private let north: Double
  private let cosine: Double
  let pxPerM: Double
  let heightPx: Double

  private static let mPerE7 = 0.011119508
  private static let marginM = 15.0
  private static let sideMinM = 60.0
  private static let heightMaxPx = 1_600.0

  init(of story: GameStory, widthPx: Double) {
    var coordinates = story.tracks.joined().map(\.coordinate) + story.room.configuration.lands.flatMap(\.vertices)
    if coordinates.isEmpty { coordinates = [story.room.arena?.center ?? Coordinate(latE7: 0, lngE7: 0)] }
    let lats = coordinates.map { Double($0.latE7) }
    // Longitudes are relative to the first one, so that a game across the antimeridian stays in one piece.
    let lngs = coordinates.map { Self.east(of: coordinates[0], $0) }
    let (south, top) = (lats.min() ?? 0, lats.max() ?? 0)
    let (left, right) = (lngs.min() ?? 0, lngs.max() ?? 0)
    cosine = cos((south + top) / 2 / 1e7 * .pi / 180)
    let widthM = max((right - left) * Self.mPerE7 * cosine, Self.sideMinM) + 2 * Self.marginM
    let heightM = max((top - south) * Self.mPerE7, Self.sideMinM) + 2 * Self.marginM
    pxPerM = min(widthPx / widthM, Self.heightMaxPx / heightM)
    heightPx = heightM * pxPerM
    west = (left + right) / 2 - widthPx / pxPerM / 2 / (Self.mPerE7 * cosine)
    north = (south + top) / 2 + heightM / 2 / Self.mPerE7
    origin = coordinates[0]
  }

  private let origin: Coordinate

  func point(_ coordinate: Coordinate) -> (x: Double, y: Double) {
    point(latE7: Double(coordinate.latE7), eastE7: Self.east(of: origin, coordinate))
  }

  /// Maps a point; `eastE7` is a longitude on the origin's side of the antimeridian.
  private func point(latE7: Double, eastE7: Double) -> (x: Double, y: Double) {
    ((eastE7 - west) * Self.mPerE7 * cosine * pxPerM, (north - latE7) * Self.mPerE7 * pxPerM)
  }

  private static func east(of origin: Coordinate, _ coordinate: Coordinate) -> Double {
    var lng = Double(coordinate.lngE7)
    if lng - Double(origin.lngE7) > 1.8e9 { lng -= 3.6e9 }
    if Double(origin.lngE7) - lng > 1.8e9 { lng += 3.6e9 }
    return lng
  }
}

/// The positions of the corners of an arena's cells.
private struct CellPlaces {
  private let center: Coordinate
  private let cellE7: Double
  private let cosine: Double
  private let cells: Int

  /// Takes an arena; nil while its middle is not known.
  init?(_ arena: ArenaPlan) {
    guard let center = arena.center else { return nil }
    self.center = center
    cells = arena.cells
    cellE7 = Double(arena.cellM) / 0.011119508
    cosine = cos(Double(center.latE7) / 1e7 * .pi / 180)
  }

  func corner(row: Int, column: Int) -> Coordinate {
    let lngE7 = Double(center.lngE7) + (Double(column) - Double(cells) / 2) * cellE7 / cosine
    return Coordinate(
      latE7: Int32(Double(center.latE7) + (Double(row) - Double(cells) / 2) * cellE7),
      lngE7: Int32(lngE7 > 1.8e9 ? lngE7 - 3.6e9 : lngE7 < -1.8e9 ? lngE7 + 3.6e9 : lngE7)
    )
  }
}
