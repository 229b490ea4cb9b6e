// Practice opponents in a room: they sit down when a game starts, move once a second, and leave with the return to the
// lobby. Functions over a `Room`, which has no place for them among its members: nobody connects or is lost with them.
// Decisions: 152 (docs/decisions).

/// The practice opponents of a room.
package enum RoomWalkers {
  /// The members of a room and its practice opponents: seats, then spectators, by number.
  package static func shownMembers(of room: borrowing Room) -> [Member] {
    var members = room.members
    guard let seats = room.game.walkers?.seats, !seats.isEmpty else { return members }
    for seat in seats {
      let nickname = room.game.runners[seat].nickname
      members.append(Member(id: .walker(inSeat: seat), place: .seat(seat), nickname: nickname))
    }
    return members.sorted { order(of: $0.place) < order(of: $1.place) }
  }

  private static func order(of place: Place) -> Int {
    switch place {
    case .seat(let seat): seat
    case .spectator(let number): RoomConfiguration.capacityRange.upperBound + number
    }
  }

  /// Seats them behind the start of a game: in the smallest free seats. Event: `joined` for each.
  static func sitDown(in room: inout Room, at now: Instant) {
    guard room.game.walkers != nil else { return }
    let free = (0..<room.configuration.capacity).filter { room.roster[.seat($0)] == nil }
    var others = Set(room.roster.occupants.map(\.occupant.nickname))
    for (index, seat) in free.prefix(room.configuration.fill).enumerated() {
      let nickname = name(index + 1, beside: others)
      others.insert(nickname)
      room.game.sitDown(in: seat, nickname, game: room.gameNumber, at: now)
      room.record(.joined(Member(id: .walker(inSeat: seat), place: .seat(seat), nickname: nickname)), at: now)
    }
  }

  /// A name that says what they are; a person may have it already.
  private static func name(_ number: Int, beside others: Set<String>) -> String {
    var name = "Practice \(number)"
    while others.contains(name) { name += "*" }
    return name
  }

  /// Takes them out of a room that is back in its lobby. Event: `left` for each.
  static func leave(_ room: inout Room, at time: Instant) {
    guard let seats = room.game.walkers?.seats else { return }
    room.game.walkers?.reset()
    for seat in seats { room.record(.left(.seat(seat)), at: time) }
  }

  /// Moves each by a second's way, by the rules of any player's fix.
  @inline(never)
  static func move(in room: inout Room, at time: Instant, into outputs: inout [Effect]) {
    room.game.passSecond(host: room.hostSeat)
    guard let walkers = room.game.walkers else { return }
    for seat in walkers.seats where room.phase == .playing {
      guard let walk = walkers.walk(inSeat: seat, seed: room.seed) else { return }
      var own: [Effect] = []
      let score = room.game.walk(walk, at: time, into: &own)
      // Nobody is there to be notified of their own.
      outputs += own.filter { $0.seat.map { !walkers.seats.contains($0) } ?? true }
      guard case .captured(let capture, let endsGame) = score else { continue }
      room.record(.captured(seat: seat, capture), at: time)
      if endsGame { room.endGame(at: time, into: &outputs) }
    }
  }
}

extension RoomConfiguration {
  /// Whether a game may start with this many seats taken: practice opponents count.
  func canStart(with players: Int) -> Bool {
    players > 0 && players + min(fill, capacity - players) >= playersMin
  }
}

extension RoomGame {
  /// Whether a game goes on with the players in their seats: practice opponents count, but not alone.
  func goesOn(_ roster: Roster, of playersMin: Int) -> Bool {
    let players = roster.seatedCount
    return players > 0 && players + (walkers?.seats.count ?? 0) >= playersMin
  }

  /// Whether practice opponents play, and fewer than two people: then nobody wins, and no result counts. A person who
  /// has gone without a point has not played.
  var isPractice: Bool {
    guard let walkers, !walkers.seats.isEmpty else { return false }
    return runners.indices.count { seat in
      guard let id = runners[seat].id, !id.isWalker else { return false }
      return runners[seat].isPresent || mode.points(of: seat) > 0
    } < 2
  }

  fileprivate mutating func sitDown(in seat: Int, _ nickname: String, game: UInt32, at now: Instant) {
    makeSeat(seat)
    let id = PlayerID.walker(inSeat: seat)
    let walker = Occupant(id: id, nickname: nickname, arrival: 0, enteredAt: now, isWatching: false)
    runners[seat].start(walker, at: now)
    walkers?.sitDown(in: seat, game: game)
  }

  /// A second of the game has passed. Practice opponents begin to walk where the host is, or the first other player
  /// who has a position.
  fileprivate mutating func passSecond(host: Int?) {
    let first = host.flatMap { runners[$0].position } ?? runners.first { $0.position != nil }?.position
    let origin = walkers?.origin == nil ? mode.walkingOrigin(near: first) : nil
    walkers?.pass(around: origin)
  }

  /// Moves a practice opponent to the place where the walk has led.
  fileprivate mutating func walk(_ walk: Walk, at time: Instant, into outputs: inout [Effect]) -> Score {
    let place = mode.place(of: walk)
    let fix = Fix(latE7: place.latE7, lngE7: place.lngE7, accuracyM: Self.walkerAccuracyM)
    return take(fix, of: walk.seat, isHost: false, time: time, at: time, .live, into: &outputs).score
  }

  private static let walkerAccuracyM: UInt32 = 3
}

extension Effect {
  /// The seat whose player is notified; nil where none is.
  fileprivate var seat: Int? {
    switch self {
    case .verdict(.seat(let seat), _, _), .path(.seat(let seat), _), .run(.seat(let seat), _): seat
    default: nil
    }
  }
}
