// A second implementation of territory mode, as a reference for the game: each sentence of the rules literally, cell by
// cell and step by step, without any derived state. A value. It takes only fixes that count.
import Game

/// The rules of territory mode, slowly.
struct TerritoryReferee {
  /// The way in which a path has closed.
  enum Closing: Hashable {
    case metItself
    case backAtStart
    case home
  }

  private struct Path {
    var spots: [Spot]
    /// The number of the first spot outside own land.
    var start: Int
    var openedAt: Instant
  }

  let side: Int
  let cellMm: Int
  let cutting: Bool
  /// By cell, row by row from the south, each from the west.
  private(set) var owners: [Int?]
  private(set) var closings: [Closing: Int] = [:]
  /// By seat.
  private var paths: [Path?]
  private var places: [Spot?]

  init(side: Int, cellMm: Int, cutting: Bool, seats: Int) {
    self.side = side
    self.cellMm = cellMm
    self.cutting = cutting
    owners = Array(repeating: nil, count: side * side)
    paths = Array(repeating: nil, count: seats)
    places = Array(repeating: nil, count: seats)
  }

  var cellAreaM2: Int { cellMm * cellMm / 1_000_000 }

  /// The beginning of a seat's open path.
  func start(of seat: Int) -> Spot? {
    paths[seat].map { $0.spots[$0.start] }
  }

  func cells(of seat: Int) -> [Int] {
    owners.indices.filter { owners[$0] == seat }
  }

  /// Moves a player; returns the notifications with their seats.
  mutating func take(_ spot: Spot, of seat: Int, at now: Instant) -> [(seat: Int, change: PathChange)] {
    var reports: [(seat: Int, change: PathChange)] = []
    let before = places[seat]
    places[seat] = spot
    if cutting, let before {
      for other in paths.indices where other != seat && isCrossed(other, before, spot) {
        // A path that was open for 10 minutes has been given up already.
        let isTooLong = paths[other].map { now - $0.openedAt >= .seconds(600) } ?? false
        paths[other] = nil
        reports.append((other, .dropped(isTooLong ? .tooLong : .cut)))
      }
    }
    guard cell(of: spot) != nil else {
      if paths[seat] != nil { reports.append((seat, .dropped(.outsideArena))) }
      paths[seat] = nil
      return reports
    }
    if let path = paths[seat], now - path.openedAt >= .seconds(600) {
      paths[seat] = nil
      reports.append((seat, .dropped(.tooLong)))
    }
    if paths[seat] != nil {
      guard let (cells, closing) = advance(seat, to: spot, &reports) else { return reports }
      paths[seat] = nil
      if let closing {
        let taken = cells.filter { owners[$0] != seat }
        for cell in taken { owners[cell] = seat }
        closings[closing, default: 0] += 1
        reports.append((seat, .closed(areaM2: UInt32(taken.count * cellAreaM2), isEmpty: cells.isEmpty)))
      } else {
        reports.append((seat, .dropped(.tooSmall)))
      }
    }
    if !isOwn(spot, seat) {
      let home = before.flatMap { isOwn($0, seat) ? $0 : nil }
      paths[seat] = Path(spots: (home.map { [$0] } ?? []) + [spot], start: home == nil ? 0 : 1, openedAt: now)
      reports.append((seat, .opened))
    }
    return reports
  }

  /// Continues a path to this spot. Returns the cells that it then encloses and the way of closing, nil without
  /// closing; nil while the path continues.
  private mutating func advance(
    _ seat: Int,
    to spot: Spot,
    _ reports: inout [(seat: Int, change: PathChange)]
  ) -> (cells: [Int], Closing?)? {
    guard var path = paths[seat], let end = path.spots.last else { return nil }
    let isHome = isOwn(spot, seat)
    if !isHome, end.squaredDistance(to: spot) < 2_000 * 2_000 { return touch(path, spot) }
    let wasNear = end.squaredDistance(to: path.spots[path.start]) <= 15_000 * 15_000
    while let (step, place) = firstMeeting(path.spots, to: spot) {
      let loop = [place] + path.spots[(step + 1)...]
      if isLarge(loop) { return (cells(in: loop), .metItself) }
      report(small: loop, seat, &reports)
      path.spots = path.spots[...step] + [place]
    }
    path.spots.append(spot)
    paths[seat] = path
    if isHome {
      let cells = enclosed(by: seat, path.spots)
      return (cells, cells.count * cellAreaM2 >= 100 ? .home : nil)
    }
    let loop = Array(path.spots[path.start...])
    guard isBack(loop, spot) else {
      if isAround(loop) { report(neverAway: loop, seat, &reports) }
      return nil
    }
    if isLarge(loop) { return (cells(in: loop), .backAtStart) }
    if !wasNear { report(small: loop, seat, &reports) }
    return nil
  }

  /// A spot less than 2 m from the end of a path, which it does not lengthen.
  private func touch(_ path: Path, _ spot: Spot) -> (cells: [Int], Closing?)? {
    if let (step, place) = firstMeeting(path.spots, to: spot) {
      let loop = [place] + path.spots[(step + 1)...]
      return isLarge(loop) ? (cells(in: loop), .metItself) : nil
    }
    let loop = path.spots[path.start...] + [spot]
    return isBack(Array(loop), spot) && isLarge(Array(loop)) ? (cells(in: Array(loop)), .backAtStart) : nil
  }

  /// Whether a spot is within 15 m of a path's start, and the path was 30 m away.
  private func isBack(_ loop: [Spot], _ spot: Spot) -> Bool {
    spot.squaredDistance(to: loop[0]) <= 15_000 * 15_000
      && loop.contains { $0.squaredDistance(to: loop[0]) >= 30_000 * 30_000 }
  }

  /// Whether the last spot is within 5 m of the start, and the spots since the last one there went 10 m away.
  private func isAround(_ loop: [Spot]) -> Bool {
    let isThere = loop.map { $0.squaredDistance(to: loop[0]) <= 5_000 * 5_000 }
    guard isThere[loop.count - 1], let last = isThere.dropLast().lastIndex(of: true) else { return false }
    return loop[last...].contains { $0.squaredDistance(to: loop[0]) >= 10_000 * 10_000 }
  }

  private func report(neverAway loop: [Spot], _ seat: Int, _ reports: inout [(seat: Int, change: PathChange)]) {
    guard isLarge(loop) else { return report(small: loop, seat, &reports) }
    reports.append((seat, .neverAwayLoop(areaM2: UInt32(PlaneShapes.doubledArea(loop) / 2_000_000))))
  }

  private func report(small loop: [Spot], _ seat: Int, _ reports: inout [(seat: Int, change: PathChange)]) {
    let areaM2 = PlaneShapes.doubledArea(loop) / 2_000_000
    if areaM2 >= 20 { reports.append((seat, .tooSmallLoop(areaM2: UInt32(areaM2)))) }
  }

  /// The first place where a step from the end of a path meets it, except for the newest step, on which it begins; of
  /// two steps at the same place, the older.
  private func firstMeeting(_ spots: [Spot], to spot: Spot) -> (step: Int, place: Spot)? {
    var first: (step: Int, part: Part)?
    for step in 0..<max(0, spots.count - 2) {
      let part = PlaneShapes.firstMeeting(spots[spots.count - 1], spot, on: spots[step], spots[step + 1])
      if let part, first.map({ part < $0.part }) ?? true { first = (step, part) }
    }
    return first.map { ($0.step, PlaneShapes.place($0.part, from: spots[spots.count - 1], to: spot)) }
  }

  private func isCrossed(_ seat: Int, _ from: Spot, _ to: Spot) -> Bool {
    guard let spots = paths[seat]?.spots else { return false }
    return zip(spots, spots.dropFirst()).contains { PlaneShapes.firstMeeting(from, to, on: $0, $1) != nil }
  }

  private func isLarge(_ polygon: [Spot]) -> Bool {
    PlaneShapes.doubledArea(polygon) >= 2 * 1_000_000 * max(100, cellAreaM2)
  }

  /// The cells whose middle is inside.
  private func cells(in polygon: [Spot]) -> [Int] {
    // In halves of a millimetre, so that every middle is whole.
    let doubled = polygon.map { Spot(x: 2 * $0.x, y: 2 * $0.y) }
    return cellsAround(polygon).filter { cell in
      let middle = Spot(x: (2 * (cell % side) + 1) * cellMm, y: (2 * (cell / side) + 1) * cellMm)
      return PlaneShapes.isInside(doubled, middle)
    }
  }

  /// The cells without a way to the outside except through the path's and own cells.
  private func enclosed(by seat: Int, _ spots: [Spot]) -> [Int] {
    var isWall = owners.map { $0 == seat }
    for (a, b) in zip(spots, spots.dropFirst()) {
      for cell in cellsAround([a, b]) where !isWall[cell] {
        let corner = Spot(x: cell % side * cellMm, y: cell / side * cellMm)
        isWall[cell] = PlaneShapes.passes(a, b, square: corner, side: cellMm)
      }
    }
    // A cell with a way out passes it to its neighbours, unless they are walls.
    var hasWay = Array(repeating: false, count: owners.count)
    var unvisited = owners.indices.filter { neighbours(of: $0).count < 4 && !isWall[$0] }
    for cell in unvisited { hasWay[cell] = true }
    while let cell = unvisited.popLast() {
      for neighbour in neighbours(of: cell) where !hasWay[neighbour] && !isWall[neighbour] {
        hasWay[neighbour] = true
        unvisited.append(neighbour)
      }
    }
    return owners.indices.filter { cell in
      let ways = neighbours(of: cell)
      return owners[cell] != seat && !hasWay[cell] && ways.count == 4 && !ways.contains { hasWay[$0] }
    }
  }

  private func neighbours(of cell: Int) -> [Int] {
    var neighbours: [Int] = []
    if cell % side > 0 { neighbours.append(cell - 1) }
    if cell % side < side - 1 { neighbours.append(cell + 1) }
    if cell / side > 0 { neighbours.append(cell - side) }
    if cell / side < side - 1 { neighbours.append(cell + side) }
    return neighbours
  }

  /// All cells in the bounds of some spots.
  private func cellsAround(_ spots: [Spot]) -> [Int] {
    let (xs, ys) = (spots.map(\.x).sorted(), spots.map(\.y).sorted())
    return (ys[0] / cellMm...ys[ys.count - 1] / cellMm).flatMap { row in
      (xs[0] / cellMm...xs[xs.count - 1] / cellMm).map { row * side + $0 }
    }
  }

  /// The cell of a spot; nil outside the arena.
  private func cell(of spot: Spot) -> Int? {
    let inside = 0..<side * cellMm
    guard inside.contains(spot.x), inside.contains(spot.y) else { return nil }
    return spot.y / cellMm * side + spot.x / cellMm
  }

  private func isOwn(_ spot: Spot, _ seat: Int) -> Bool {
    cell(of: spot).map { owners[$0] == seat } ?? false
  }
}
