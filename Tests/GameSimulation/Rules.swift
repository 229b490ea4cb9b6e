// The rules that hold of a room after every step. A value that remembers only the end of the last step; it sees the
// room from outside, as a server does.
import Game

/// The rules that always hold.
struct Rules {
  private var lastEvent: UInt32 = 0
  private var lastAtMs: UInt32 = 0
  private var lastBroadcast: UInt64 = 0
  /// Seats that had a position after the last step, and those of this game that lost theirs to an erasure.
  private var shownSeats: Set<UInt32> = []
  private(set) var erasedSeats: Set<UInt32> = []
  /// The members after the last step, whether the room was locked then, and the players whom the host has removed.
  private var known: Set<PlayerID> = []
  private var wasLocked = false
  private var kicked: Set<PlayerID> = []

  mutating func check(_ room: Room, after input: Input, _ effects: Effects, at now: Instant) throws(Violation) {
    try checkEvents(room)
    try checkTick(room, after: input, effects)
    try Violation.unless(room.isClosed == effects.outputs.contains(.closed), "closing is reported once")
    guard !room.isClosed else { return }
    try checkMembers(room)
    try checkEntry(room, after: input, effects)
    try checkPhase(room, at: now)
    var rows = Tick()
    room.appendPositions(to: &rows)
    try checkErasures(rows, after: input)
    switch room.configuration.mode {
    case .footprint: try checkFootprints(room, rows)
    case .territory: try checkCells(room, rows, after: effects.tick)
    case .land: break
    }
  }

  private mutating func checkEvents(_ room: Room) throws(Violation) {
    let (events, gap) = room.events(after: lastEvent)
    try Violation.unless(!gap, "an event is already dropped")
    for event in events {
      try Violation.unless(event.number == lastEvent + 1, "event \(event.number) follows \(lastEvent)")
      lastEvent = event.number
      if case .phase(.playing) = event.body {
        lastAtMs = 0
        shownSeats = []
        erasedSeats = []
      }
      try Violation.unless(event.atMs >= lastAtMs, "event \(event.number) goes back to \(event.atMs) ms")
      lastAtMs = event.atMs
    }
    try Violation.unless(lastEvent == room.lastEventNumber, "the newest event is \(room.lastEventNumber)")
  }

  private mutating func checkTick(_ room: Room, after input: Input, _ effects: Effects) throws(Violation) {
    let tick = effects.tick
    let rows = tick.seats.count
    try Violation.unless(
      tick.latE7.count == rows && tick.lngE7.count == rows && tick.points.count == rows,
      "columns of unequal length"
    )
    try Violation.unless(zip(tick.seats, tick.seats.dropFirst()).allSatisfy { $0 < $1 }, "rows out of order")
    try Violation.unless(Set(tick.order).count == tick.order.count && tick.order.count <= 20, "order \(tick.order)")
    let expected = lastBroadcast + (tick.isEmpty ? 0 : 1)
    try Violation.unless(room.broadcastNumber == expected, "broadcast \(room.broadcastNumber), not \(expected)")
    lastBroadcast = room.broadcastNumber
    if case .tick(let last) = input {
      try Violation.unless(!room.hasChanges(through: last) || room.isClosed, "a tick left changes behind")
      try Violation.unless(tick.events.allSatisfy { $0.number <= last }, "a tick carried an event beyond \(last)")
      try Violation.unless(effects.answer == .none, "a tick was answered")
    } else {
      try Violation.unless(tick.isEmpty, "a tick was made without a tick input")
    }
  }

  /// Nobody comes into a locked room, and no player comes back whom the host has removed.
  private mutating func checkEntry(_ room: Room, after input: Input, _ effects: Effects) throws(Violation) {
    let members = Set(room.members.map(\.id))
    if case .kick(_, let id) = input, effects.answer == .ok { kicked.insert(id) }
    try Violation.unless(members.isDisjoint(with: kicked), "a kicked player is in the room")
    try Violation.unless(!wasLocked || members.isSubset(of: known), "somebody came into a locked room")
    (known, wasLocked) = (members, room.isLocked)
  }

  private func checkMembers(_ room: Room) throws(Violation) {
    let members = room.members
    let configuration = room.configuration
    var seats = 0
    var ids: [PlayerID] = []
    var nicknames: [String] = []
    for member in members {
      switch member.place {
      case .seat(let seat):
        try Violation.unless((0..<configuration.capacity).contains(seat), "seat \(seat)")
        try Violation.unless(!member.isWatching, "\(member.id) watches alone, and has seat \(seat)")
        seats += 1
      case .spectator(let number):
        try Violation.unless((0..<configuration.spectatorsMax).contains(number), "spectator \(number)")
      }
      try Violation.unless(!ids.contains(member.id), "\(member.id) is in two places")
      let isErased = member.nickname == ErasedText.text
      try Violation.unless(
        isErased || !nicknames.contains(member.nickname),
        "two members have the nickname \(member.nickname)"
      )
      try Violation.unless(member.readUpTo <= room.lastEventNumber, "read beyond the newest event")
      ids.append(member.id)
      nicknames.append(member.nickname)
    }
    if let host = room.hostSeat {
      try Violation.unless(room.member(at: .seat(host)) != nil, "the host's seat \(host) is empty")
    } else {
      try Violation.unless(seats == 0, "\(seats) players without a host")
    }
    if room.phase == .playing {
      let isWaiting = room.boardAtMs != nil
      let walkers = RoomWalkers.shownMembers(of: room).count - members.count
      let isEnough = seats > 0 && seats + walkers >= configuration.playersMin
      try Violation.unless(isWaiting || isEnough, "\(seats) players continue")
    }
    try checkWalkers(room, beside: members)
    if room.phase == .lobby {
      let isWaiting = members.contains {
        if case .spectator = $0.place { !$0.isHeld && !$0.isWatching } else { false }
      }
      try Violation.unless(!isWaiting || seats == configuration.capacity, "a spectator waits beside a free seat")
    }
  }

  /// Practice opponents sit in free seats, no more than the room has, while a game is on or its board is shown. The
  /// rules against forged positions find nothing in them.
  private func checkWalkers(_ room: Room, beside members: [Member]) throws(Violation) {
    let walkers = RoomWalkers.shownMembers(of: room).filter(\.id.isWalker)
    try Violation.unless(walkers.count <= room.configuration.fill, "\(walkers.count) practice opponents")
    try Violation.unless(room.phase != .lobby || walkers.isEmpty, "practice opponents in the lobby")
    for walker in walkers {
      try Violation.unless(!members.contains { $0.place == walker.place }, "two at \(walker.place)")
      try Violation.unless(!members.contains { $0.nickname == walker.nickname }, "two named \(walker.nickname)")
      guard case .seat(let seat) = walker.place else { throw Violation(description: "a practice opponent watches") }
      try Violation.unless(!room.isSuspect(seat: seat), "a practice opponent is suspect")
    }
  }

  /// Practice opponents have no rank; nobody has won who was alone with them.
  private func checkRanks(_ board: [BoardRow]) throws(Violation) {
    let people = board.filter { !$0.id.isWalker }
    try Violation.unless(people.map(\.rank) == Array(1..<people.count + 1), "ranks \(board.map(\.rank))")
    let walkers = board.filter(\.id.isWalker)
    try Violation.unless(walkers.allSatisfy { $0.rank == 0 && !$0.won }, "a practice opponent with a rank")
    try Violation.unless(people.dropFirst().allSatisfy { !$0.won }, "two have won")
    let isAlone = people.count < 2 && !walkers.isEmpty
    try Violation.unless(!isAlone || people.allSatisfy { !$0.won }, "one who was alone has won")
    try Violation.unless(people.first?.givenRank != 1 || people[0].points > 0, "a first one without points")
  }

  private func checkPhase(_ room: Room, at now: Instant) throws(Violation) {
    if let deadline = room.nextDeadline {
      try Violation.unless(deadline > now, "a deadline was missed")
    }
    try Violation.unless((room.phase == .playing) == (room.endsAtMs != nil), "an end in \(room.phase)")
    if let endsAtMs = room.endsAtMs {
      let lastMs = room.boardAtMs ?? endsAtMs
      try Violation.unless(lastMs > room.clockMs(at: now), "a game past its end")
      try Violation.unless(room.boardAtMs == nil || endsAtMs <= room.clockMs(at: now), "a wait before the end")
    }
    try Violation.unless(room.phase != .playing || room.board.isEmpty, "a board during a game")
    try Violation.unless(room.phase != .ended || !room.board.isEmpty, "no board after a game")
    try checkRanks(room.board)
    // Who left by their own act comes behind all others: the points fall, then they fall once more.
    let rises = zip(room.board, room.board.dropFirst()).enumerated().filter { $1.0.points < $1.1.points }
    try Violation.unless(rises.count <= 1, "the board is out of order")
    let leavers = rises.first.map { room.board[($0.offset + 1)...] } ?? []
    try Violation.unless(leavers.allSatisfy { !$0.completed && !$0.won }, "a leaver has completed the game")
    for row in room.board {
      try Violation.unless(row.time >= .zero && row.time <= room.configuration.duration, "\(row.time) in a game")
      try Violation.unless(row.distanceMm >= 0 && row.calories >= 0, "a negative amount")
    }
    let next = room.nextTick(after: now)
    try Violation.unless(
      next > now && next - now <= room.configuration.tickInterval
        && Int64(room.clockMs(at: next))
          % room.configuration
          .tickInterval.wholeMilliseconds == 0,
      "the next tick is no boundary"
    )
  }

  /// Only an erasure takes a position away.
  private mutating func checkErasures(_ rows: Tick, after input: Input) throws(Violation) {
    let gone = shownSeats.subtracting(rows.seats)
    if case .erase = input {
      erasedSeats.formUnion(gone)
    } else {
      try Violation.unless(gone.isEmpty, "positions of \(gone) are missing")
    }
    shownSeats = Set(rows.seats)
  }

  /// Checks that there is a point for each footprint. An erased player's points stay, and their footprints are gone.
  private func checkFootprints(_ room: Room, _ rows: Tick) throws(Violation) {
    for seat in erasedSeats.subtracting(rows.seats) {
      try Violation.unless(room.footprints(seat: Int(seat)).isEmpty, "footprints of an erased player")
    }
    for (seat, points) in zip(rows.seats, rows.points) {
      let footprints = room.footprints(seat: Int(seat))
      let isRight = erasedSeats.contains(seat) ? points >= footprints.count : points == footprints.count
      try Violation.unless(isRight, "\(points) points for \(footprints.count) footprints")
      for (index, footprint) in footprints.enumerated() {
        // In order of latitude, any footprint that is too near is among the next few.
        for other in footprints[(index + 1)...].prefix(4) {
          try Violation.unless(!Geodesy.isWithin(4_999, footprint, other), "two footprints on one place")
        }
      }
    }
    for row in room.board {
      let count = room.footprints(seat: row.seat).count
      let isRight = erasedSeats.contains(UInt32(row.seat)) ? row.points >= count : row.points == count
      try Violation.unless(isRight, "the board miscounts")
    }
  }
}
