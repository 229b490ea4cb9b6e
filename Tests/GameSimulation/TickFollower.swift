// A follower of a room: the copy that ticks alone keep, as on every phone. A value. It takes one whole state from the
// room and then only ticks, and reports a tick that does not fit.
//
// `RoomCopy` in Tests/ClientModel reads the messages of the wire. This one takes the ticks of the rules: the simulation
// of the rules imports no wire.
import Game

/// The violation of a rule.
package struct Violation: Error, CustomStringConvertible {
  package let description: String

  /// Throws unless a rule holds.
  static func unless(_ holds: Bool, _ rule: @autoclosure () -> String) throws(Violation) {
    if !holds {
      throw Violation(description: rule())
    }
  }
}

/// A copy of a room by its ticks.
struct TickFollower: Equatable {
  private struct Row: Equatable {
    var latE7: Int32
    var lngE7: Int32
    var points: UInt32
  }

  private(set) var lastEvent: UInt32 = 0
  private var phase = Phase.lobby
  private var host: Int?
  private var isLocked: Bool
  private var endsAtMs: UInt32?
  private var boardAtMs: UInt32?
  private var members: [Place: Member] = [:]
  private var rows: [UInt32: Row] = [:]
  private var order: [UInt32] = []
  private var arena: ArenaPlan?
  /// The holder of each cell, as the seat plus one, 0 for nobody; empty as long as no cell is held.
  private var cells: [UInt32] = []
  private var chats: [Event] = []
  private var board: [BoardRow] = []

  /// Takes the whole state of a room: the beginning of a client that joins, resumes or fell too far behind.
  init(stateOf room: Room) {
    lastEvent = room.lastEventNumber
    phase = room.phase
    host = room.hostSeat
    isLocked = room.isLocked
    endsAtMs = room.endsAtMs
    boardAtMs = room.boardAtMs
    members = Dictionary(uniqueKeysWithValues: RoomWalkers.shownMembers(of: room).map { ($0.place, $0) })
    chats = room.chats
    board = room.board
    var tick = Tick()
    room.appendPositions(to: &tick)
    room.appendCells(to: &tick)
    arena = room.arena
    order = ToldOrder.seats(in: room)
    takeRows(tick)
    takeCells(tick)
  }

  /// Takes a tick: first its events, except those of the whole state, then its rows and cursors.
  mutating func take(_ tick: Tick) throws(Violation) {
    for event in tick.events where event.number > lastEvent {
      try Violation.unless(event.number == lastEvent + 1, "event \(event.number) came after \(lastEvent)")
      lastEvent = event.number
      try take(event)
    }
    takeRows(tick)
    if !tick.order.isEmpty { order = tick.order }
    takeCells(tick)
    for cursor in tick.cursors {
      try Violation.unless(members[cursor.place] != nil, "a cursor without a member at \(cursor.place)")
      members[cursor.place]?.readUpTo = cursor.upTo
    }
  }

  private mutating func takeRows(_ tick: Tick) {
    for index in tick.seats.indices {
      rows[tick.seats[index]] = Row(latE7: tick.latE7[index], lngE7: tick.lngE7[index], points: tick.points[index])
    }
  }

  private mutating func takeCells(_ tick: Tick) {
    arena = tick.arena ?? arena
    guard let arena, !tick.cellStarts.isEmpty else { return }
    if cells.isEmpty { cells = Array(repeating: 0, count: arena.cells * arena.cells) }
    for run in tick.cellStarts.indices {
      for cell in tick.cellStarts[run]..<tick.cellStarts[run] + tick.cellCounts[run] {
        cells[Int(cell)] = tick.cellSeats[run] + 1
      }
    }
  }

  private mutating func take(_ event: Event) throws(Violation) {
    switch event.body {
    case .joined(let member):
      try Violation.unless(members[member.place] == nil, "two at \(member.place)")
      members[member.place] = member
    case .left(let place):
      try Violation.unless(members.removeValue(forKey: place) != nil, "nobody left \(place)")
    case .held(let place):
      try Violation.unless(members[place]?.isHeld == false, "\(place) can't be held")
      members[place]?.isHeld = true
    case .back(let place):
      try Violation.unless(members[place]?.isHeld == true, "\(place) can't be back")
      members[place]?.isHeld = false
    case .host(let seat):
      // No practice opponent is the host.
      let people = members.filter { !$0.value.id.isWalker }
      let seated = people.keys.filter { if case .seat = $0 { true } else { false } }
      let isPossible = seat.map { seated.contains(.seat($0)) } ?? seated.isEmpty
      try Violation.unless(isPossible && host != seat, "seat \(seat ?? -1) can't become the host")
      host = seat
    case .phase(let change):
      try take(change, atMs: event.atMs)
    case .timeUp(let boardAtGameMs):
      try Violation.unless(phase == .playing && boardAtGameMs >= event.atMs, "the time is up in \(phase)")
      endsAtMs = min(endsAtMs ?? event.atMs, event.atMs)
      boardAtMs = boardAtGameMs
    case .kicked(let place):
      try Violation.unless(members[place] != nil, "nobody to remove from \(place)")
    case .locked(let isLocked):
      try Violation.unless(self.isLocked != isLocked, "locked \(isLocked) again")
      self.isLocked = isLocked
    case .chat(let place, _, _):
      try Violation.unless(members[place]?.isHeld == false, "nobody chats from \(place)")
      chats.append(event)
      chats.removeFirst(max(0, chats.count - 200))
    case .captured(let seat, _):
      try Violation.unless(phase == .playing && members[.seat(seat)] != nil, "nobody captures from seat \(seat)")
    }
  }

  private mutating func take(_ change: PhaseChange, atMs: UInt32) throws(Violation) {
    endsAtMs = nil
    boardAtMs = nil
    order = []
    switch change {
    case .lobby:
      try Violation.unless(phase == .ended, "a lobby came after \(phase)")
      phase = .lobby
    case .playing(_, let endsAtGameMs):
      try Violation.unless(phase == .lobby && atMs == 0, "a game began in \(phase) at \(atMs) ms")
      phase = .playing
      endsAtMs = endsAtGameMs
      rows = [:]
      cells = []
      arena = try? arena.map { try ArenaPlan(cellM: $0.cellM, cells: $0.cells) }
      board = []
    case .ended(let board):
      try Violation.unless(phase == .playing, "a game ended in \(phase)")
      phase = .ended
      self.board = board
    }
  }
}
