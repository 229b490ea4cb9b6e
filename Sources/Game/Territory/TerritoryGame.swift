// Territory mode: open paths that close and take cells from any owner. A value beside a room's seats. All numbers are
// whole, on the arena's plane; fixes are judged before they come here.
// Decisions: 035, 036, 149 (docs/decisions).

/// The state of territory mode in the newest game.
struct TerritoryGame: ModeRules {
  /// The least area that is taken; never less than one cell.
  static let areaMinM2 = 100
  /// The least area of a loop that is too small to be taken and that its player is told of: a smaller one is the
  /// receiver's.
  private static let loopToldMinM2: Int64 = 20
  /// The least length of a step that extends a path. A shorter one is the receiver's and not the player's: a still
  /// phone draws no knots, and a path has no more points than the ground that it covers.
  static let stepMinMm: Int64 = 2_000

  let plan: ArenaPlan
  /// Whether an opponent who crosses an open path cuts it.
  let cutting: Bool
  /// The arena of the newest game and its cells; nil before the arena's middle is known.
  var ground: Ground?
  /// By seat, up to the highest that has been taken.
  var paths: ContiguousArray<OpenPath?> = []
  let seats: Int
  /// Whether the arena's place waits for a tick.
  var isGroundNew = false
  /// The broadcast that carried the arena's place; 0 for none in this game.
  var groundBroadcast: UInt64 = 0

  /// An arena and its cells.
  struct Ground: Sendable {
    let arena: Arena
    var grid: CellGrid
  }

  init(_ settings: TerritorySettings, _ terms: GameTerms) {
    plan = settings.arena
    cutting = settings.cutting
    seats = terms.seats
  }

  mutating func makeSeats(_ count: Int) {
    while paths.count < count { paths.append(nil) }
  }

  var seatsTaken: Int {
    max(paths.count, (ground?.grid.counts.lastIndex { $0 > 0 } ?? -1) + 1)
  }

  mutating func clear() {
    ground = nil
    isGroundNew = false
    groundBroadcast = 0
    for seat in paths.indices {
      paths[seat] = nil
    }
  }

  mutating func start() {
    clear()
    if let center = plan.center {
      lay(around: center)
    }
  }

  /// Lays the arena if it is not there yet, for ticks to carry.
  private mutating func lay(around center: Coordinate) {
    guard ground == nil else { return }
    let arena = Arena(plan, around: center)
    ground = Ground(arena: arena, grid: CellGrid(side: plan.cells, seats: seats))
    isGroundNew = true
  }

  /// The area that a seat holds, in m²: its points.
  func points(of seat: Int) -> UInt32 {
    UInt32(ground?.grid.counts[seat] ?? 0) * UInt32(plan.cellAreaM2)
  }

  mutating func popChangedSeat() -> Int? {
    ground?.grid.changedSeats.popFirst()
  }

  /// Ends a seat's path, if any.
  private mutating func drop(_ seat: Int, _ end: PathEnd, into outputs: inout [Effect]) {
    guard paths[seat] != nil else { return }
    paths[seat] = nil
    outputs.append(.path(.seat(seat), .dropped(end)))
  }

  mutating func leave(_ seat: Int) {
    paths[seat] = nil
  }

  mutating func disbelieve(_ seat: Int, isRefused: Bool, into outputs: inout [Effect]) {
    drop(seat, .disbelieved, into: &outputs)
  }

  /// A fix of the host's lays the arena if it is not there yet. Taking cells is a capture.
  mutating func take(_ fix: CountedFix, into outputs: inout [Effect]) -> Score {
    let coordinate = fix.sample.coordinate
    if fix.isHost { lay(around: coordinate) }
    guard let areaM2 = walk(fix.seat, from: fix.before, to: coordinate, at: fix.sample.time, into: &outputs) else {
      return .nothing
    }
    return .captured(.area(m2: areaM2), endsGame: false)
  }

  /// Moves a seat's player: their path opens, continues, closes or ends. `before` is nil where the previous place is
  /// unknown. Returns the area that they have taken, in m²; nil for none.
  private mutating func walk(
    _ seat: Int,
    from before: Coordinate?,
    to coordinate: Coordinate,
    at time: Instant,
    into outputs: inout [Effect]
  ) -> UInt32? {
    guard let arena = ground?.arena else { return nil }
    let point = arena.point(coordinate)
    let last = before.flatMap(arena.point)
    if cutting, let last, let point { cutOthers(seat, from: last, to: point, at: time, into: &outputs) }
    guard let point, arena.contains(point) else {
      drop(seat, .outsideArena, into: &outputs)
      return nil
    }
    if paths[seat]?.isTooLong(at: time) == true { drop(seat, .tooLong, into: &outputs) }
    var taken: UInt32?
    if paths[seat] != nil {
      switch lengthen(seat, to: point, in: arena, into: &outputs) {
      case .open: return nil
      case .tooSmall: drop(seat, .tooSmall, into: &outputs)
      case .closed(let cells): taken = take(cells, seat, into: &outputs)
      }
    }
    open(seat, at: point, from: last, at: time, into: &outputs)
    return taken
  }

  private mutating func open(
    _ seat: Int,
    at point: ArenaPoint,
    from last: ArenaPoint?,
    at time: Instant,
    into outputs: inout [Effect]
  ) {
    guard !isOwn(point, seat) else { return }
    let home = last.flatMap { isOwn($0, seat) ? $0 : nil }
    paths[seat] = OpenPath(at: point, from: home, at: time)
    outputs.append(.path(.seat(seat), .opened))
  }

  private enum Lengthened {
    case open
    case closed(CellMask)
    /// The player is home and has enclosed too little.
    case tooSmall
  }

  private mutating func lengthen(
    _ seat: Int,
    to point: ArenaPoint,
    in arena: Arena,
    into outputs: inout [Effect]
  ) -> Lengthened {
    guard let end = paths[seat]?.end else { return .open }
    let isHome = isOwn(point, seat)
    let isStep = end.squaredDistanceMm2(to: point) >= Self.stepMinMm * Self.stepMinMm
    guard isStep || isHome else { return touch(seat, at: point, in: arena) }
    let wasNearStart = paths[seat]?.isNearStart(end) == true
    // (a)
    while let crossing = paths[seat]?.firstCrossing(to: point) {
      if let loop = paths[seat]?.loop(from: crossing), isLarge(loop) { return .closed(arena.cells(in: loop)) }
      if let loop = paths[seat]?.loop(from: crossing) { tell(ofSmall: loop, seat, into: &outputs) }
      paths[seat]?.cutOut(from: crossing)
    }
    paths[seat]?.append(point)
    // No copy of a path is held while it is extended; otherwise each step would copy all points.
    guard let path = paths[seat], let ground else { return .open }
    if isHome {
      // (c)
      let cells = ground.grid.enclosed(by: seat, path: path.cells(in: arena))
      return cells.count * plan.cellAreaM2 >= Self.areaMinM2 ? .closed(cells) : .tooSmall
    }
    // (b)
    let loop = path.points[path.startIndex...]
    guard path.isBackAtStart(at: point) else {
      if path.hasComeAround { tell(ofNeverAway: loop, seat, into: &outputs) }
      return .open
    }
    if isLarge(loop) { return .closed(arena.cells(in: loop)) }
    if !wasNearStart { tell(ofSmall: loop, seat, into: &outputs) }
    return .open
  }

  /// A step that is too short to lengthen a path closes it all the same: the player is there.
  private func touch(_ seat: Int, at point: ArenaPoint, in arena: Arena) -> Lengthened {
    guard let path = paths[seat] else { return .open }
    if let crossing = path.firstCrossing(to: point) {
      let loop = path.loop(from: crossing)
      return isLarge(loop) ? .closed(arena.cells(in: loop)) : .open
    }
    guard path.isBackAtStart(at: point) else { return .open }
    let loop = path.points[path.startIndex...] + [point]
    return isLarge(loop) ? .closed(arena.cells(in: loop)) : .open
  }

  /// Tells a player of a loop that is too small to be taken, unless it is a knot that the receiver has made.
  private func tell(ofSmall loop: Polygon, _ seat: Int, into outputs: inout [Effect]) {
    let areaM2 = Arena.doubledAreaMm2(loop) / 2_000_000
    guard areaM2 >= Self.loopToldMinM2 else { return }
    outputs.append(.path(.seat(seat), .tooSmallLoop(areaM2: UInt32(areaM2))))
  }

  /// Tells a player who has come around to the start of a path that was never far enough away to close there.
  private func tell(ofNeverAway loop: Polygon, _ seat: Int, into outputs: inout [Effect]) {
    guard isLarge(loop) else { return tell(ofSmall: loop, seat, into: &outputs) }
    outputs.append(.path(.seat(seat), .neverAwayLoop(areaM2: UInt32(Arena.doubledAreaMm2(loop) / 2_000_000))))
  }

  /// Ends a path that has closed, and gives its seat the enclosed cells.
  private mutating func take(_ cells: CellMask, _ seat: Int, into outputs: inout [Effect]) -> UInt32? {
    let taken = UInt32((ground?.grid.give(cells, to: seat) ?? 0) * plan.cellAreaM2)
    paths[seat] = nil
    outputs.append(.path(.seat(seat), .closed(areaM2: taken, isEmpty: cells.isEmpty)))
    return taken > 0 ? taken : nil
  }

  private mutating func cutOthers(
    _ seat: Int,
    from last: ArenaPoint,
    to point: ArenaPoint,
    at time: Instant,
    into outputs: inout [Effect]
  ) {
    let step = Box(last, point)
    for other in paths.indices where other != seat && paths[other]?.isNear(step) == true {
      guard let path = paths[other], path.isCrossed(from: last, to: point) else { continue }
      drop(other, path.isTooLong(at: time) ? .tooLong : .cut, into: &outputs)
    }
  }

  private func isOwn(_ point: ArenaPoint, _ seat: Int) -> Bool {
    guard let ground, ground.arena.contains(point) else { return false }
    return ground.grid.owner(row: ground.arena.row(of: point), column: ground.arena.column(of: point)) == seat
  }

  private func isLarge(_ polygon: Polygon) -> Bool {
    Arena.doubledAreaMm2(polygon) >= 2 * Int64(max(Self.areaMinM2, plan.cellAreaM2)) * 1_000_000
  }
}
