// A player's copy of their room, kept by PROTOCOL.md's rules ("Keeping a copy of the room") from the wire's messages
// alone. A value. It reports a tick that does not fit instead of adapting.
import MadangProtocol

package struct RoomCopy {
  package struct Row: Equatable {
    package var latE7: Int32
    package var lngE7: Int32
    package var points: UInt32
  }

  /// A message that does not fit the copy.
  package struct Fault: Error, CustomStringConvertible {
    package enum Rule {
      /// Each tick is later than the one before.
      case ticksInOrder
      /// Events are numbered by one upwards, without gaps or repeats.
      case eventsInOrder
      /// A message fits what came before.
      case copiesConverge
    }

    package let rule: Rule
    package let description: String

    fileprivate static func unless(
      _ holds: Bool,
      _ rule: Rule,
      _ description: @autoclosure () -> String
    ) throws(Fault) {
      if !holds { throw Fault(rule: rule, description: description()) }
    }
  }

  package let code: String
  package private(set) var lastEvent: UInt32
  package private(set) var you: Spot
  package private(set) var phase: WirePhase
  package private(set) var members: [Spot: WirePlayer]
  private var host: UInt32?
  package private(set) var isLocked: Bool
  private var gameID: String
  private var endsAtGameMs: UInt32?
  private var boardAtGameMs: UInt32?
  package private(set) var rows: [UInt32: Row] = [:]
  /// The seats of the best players, best first.
  package private(set) var order: [UInt32] = []
  package private(set) var chats: [WireEvent]
  package private(set) var board: [WireBoardRow]
  /// In territory mode: the holders of cells, and the place of the grid.
  package private(set) var holders: [UInt32: UInt32] = [:]
  private var arena: WireArena?
  /// Whether the player's own path is open.
  private var hasPath = false
  private var lastTick: UInt32
  /// The time of the last tick on the room's clock; nil before the first.
  private var lastTickMs: UInt32?
  /// The copy from a whole state.
  package init(_ room: WireRoom) throws(Fault) {
    code = room.code
    lastEvent = room.lastEvent
    you = Spot(room.you)
    phase = room.phase
    members = [:]
    host = room.hasHost ? room.host : nil
    isLocked = room.locked
    gameID = room.gameID
    endsAtGameMs = room.hasEndsAtGameMs ? room.endsAtGameMs : nil
    boardAtGameMs = room.hasBoardAtGameMs ? room.boardAtGameMs : nil
    chats = room.chats
    board = room.board
    lastTick = room.tick
    for player in room.players {
      try add(player)
    }
    try takeRows(room.seats, room.latE7, room.lngE7, room.points)
    order = room.order
    arena = room.hasArena ? room.arena : nil
    hasPath = !room.pathLatE7.isEmpty
    try takeCells(room.cellStarts, room.cellCounts, room.cellSeats)
  }

  package var chatCount: Int { chats.count }

  /// Whether the host sits in a place.
  package func isHost(_ spot: Spot) -> Bool { host.map(Spot.seat) == spot }

  /// Takes a tick as the player with this id; an operator, who is no player, has none.
  package mutating func take(_ tick: WireTick, as playerID: String?) throws(Fault) {
    let begins = tick.events.contains { $0.number > lastEvent && $0.phase.phase == .playing }
    // The first tick of a game may be number 0, on the clock's way to its first boundary.
    // An operator is shown what is committed, so two messages may be of one moment.
    let gameMsMin = playerID == nil ? lastTickMs ?? 0 : (lastTickMs ?? 0) + 1
    let isLater = begins || tick.tick >= lastTick && tick.gameMs >= gameMsMin
    try Fault.unless(isLater, .ticksInOrder, "tick \(tick.tick) at \(tick.gameMs) ms came after \(lastTick)")
    lastTick = tick.tick
    lastTickMs = tick.gameMs
    for event in tick.events {
      guard event.number > lastEvent else {
        throw Fault(rule: .eventsInOrder, description: "event \(event.number) came again")
      }
      try Fault.unless(
        event.number == lastEvent + 1,
        .eventsInOrder,
        "event \(event.number) came after \(lastEvent)"
      )
      lastEvent = event.number
      try take(event, as: playerID)
    }
    try takeRows(tick.seats, tick.latE7, tick.lngE7, tick.points)
    if !tick.order.isEmpty { order = tick.order }
    if tick.hasArena { arena = tick.arena }
    try takeCells(tick.cellStarts, tick.cellCounts, tick.cellSeats)
    for cursor in tick.cursors {
      let spot = Spot(cursor)
      try Fault.unless(members[spot] != nil, .copiesConverge, "a cursor without a member at \(spot)")
      members[spot]?.readUpTo = cursor.upTo
    }
  }

  /// Takes a message about the player's own path.
  package mutating func take(_ path: WirePath) {
    hasPath = path.state == .open || path.state == .looped
  }

  private mutating func takeRows(
    _ seats: [UInt32],
    _ latE7: [Int32],
    _ lngE7: [Int32],
    _ points: [UInt32]
  ) throws(Fault) {
    let isWhole = latE7.count == seats.count && lngE7.count == seats.count && points.count == seats.count
    try Fault.unless(isWhole, .copiesConverge, "columns of unequal length")
    for index in seats.indices {
      rows[seats[index]] = Row(latE7: latE7[index], lngE7: lngE7[index], points: points[index])
    }
  }

  private mutating func takeCells(_ starts: [UInt32], _ counts: [UInt32], _ seats: [UInt32]) throws(Fault) {
    let isWhole = counts.count == starts.count && seats.count == starts.count
    try Fault.unless(isWhole, .copiesConverge, "columns of cells of unequal length")
    guard !starts.isEmpty else { return }
    let cellCount = arena.map { $0.cells * $0.cells } ?? 0
    for index in starts.indices {
      let isInside = counts[index] > 0 && starts[index] < cellCount && counts[index] <= cellCount - starts[index]
      try Fault.unless(isInside, .copiesConverge, "cells outside the arena")
      for cell in starts[index]..<starts[index] + counts[index] { holders[cell] = seats[index] }
    }
  }

  private mutating func take(_ event: WireEvent, as playerID: String?) throws(Fault) {
    switch event.body {
    case .joined(let player):
      try add(player)
      if player.playerID == playerID { you = Spot(player) }
    case .left(let place):
      let spot = Spot(place)
      try Fault.unless(members.removeValue(forKey: spot) != nil, .copiesConverge, "nobody left \(spot)")
    case .held(let place):
      try hold(Spot(place), true)
    case .back(let place):
      try hold(Spot(place), false)
    case .host(let place):
      switch place.place {
      case .seat(let seat): host = seat
      case .spectator: throw Fault(rule: .copiesConverge, description: "a host without a seat")
      case nil: host = nil
      }
    case .phase(let change):
      take(change)
    case .timeUp(let timeUp):
      boardAtGameMs = timeUp.boardAtGameMs
      endsAtGameMs = min(endsAtGameMs ?? event.atMs, event.atMs)
    case .chat:
      chats.append(event)
      chats.removeFirst(max(0, chats.count - 200))
    case .captured:
      try Fault.unless(arena != nil, .copiesConverge, "a capture in footprint mode")
    case .hostAct(let act):
      try take(act)
    case nil:
      throw Fault(rule: .copiesConverge, description: "event \(event.number) has no body")
    }
  }

  private mutating func add(_ player: WirePlayer) throws(Fault) {
    let spot = Spot(player)
    try Fault.unless(members[spot] == nil, .copiesConverge, "two at \(spot)")
    if case .seat? = player.place {
      try Fault.unless(!player.watching, .copiesConverge, "\(player.nickname) watches alone, and has \(spot)")
    }
    members[spot] = player
  }

  private mutating func take(_ act: WireHostAct) throws(Fault) {
    switch act.act {
    case .kicked(let place):
      try Fault.unless(members[Spot(place)] != nil, .copiesConverge, "nobody to remove from \(Spot(place))")
    case .locked(let isLocked):
      try Fault.unless(self.isLocked != isLocked, .copiesConverge, "locked \(isLocked) again")
      self.isLocked = isLocked
    case nil:
      throw Fault(rule: .copiesConverge, description: "an act of the host without content")
    }
  }

  private mutating func hold(_ spot: Spot, _ isHeld: Bool) throws(Fault) {
    try Fault.unless(members[spot]?.held == !isHeld, .copiesConverge, "held \(isHeld) at \(spot)")
    members[spot]?.held = isHeld
  }

  private mutating func take(_ change: WirePhaseChanged) {
    phase = change.phase
    endsAtGameMs = change.hasEndsAtGameMs ? change.endsAtGameMs : nil
    boardAtGameMs = nil
    order = []
    switch change.phase {
    case .playing:
      gameID = change.gameID
      rows = [:]
      board = []
      holders = [:]
      hasPath = false
      arena?.clearLatE7()
      arena?.clearLngE7()
    case .ended:
      board = change.board
      hasPath = false
    default:
      break
    }
  }

  /// Whether the server may no longer keep this number of the oldest chats: with one more they are too much text.
  private func mayLack(_ count: Int) -> Bool {
    let withOneMore = chats[max(0, count - 1)...]
    return count == 0 || withOneMore.contains { $0.chat.withheld }
      || withOneMore.reduce(0) { $0 + $1.chat.text.utf8.count } > Limits.missedEventBytesMax
  }

  /// The difference from the server's own state, given as a copy; nil when there is none.
  package func difference(from state: RoomCopy) -> String? {
    if lastEvent != state.lastEvent { return "lastEvent \(lastEvent), not \(state.lastEvent)" }
    if phase != state.phase { return "phase \(phase), not \(state.phase)" }
    if host != state.host { return "host \(String(describing: host)), not \(String(describing: state.host))" }
    if gameID != state.gameID { return "gameId \(gameID), not \(state.gameID)" }
    if isLocked != state.isLocked { return "locked \(isLocked)" }
    if you != state.you { return "you \(you), not \(state.you)" }
    if endsAtGameMs != state.endsAtGameMs { return "endsAtGameMs" }
    if boardAtGameMs != state.boardAtGameMs { return "boardAtGameMs" }
    if members != state.members { return "members" }
    if arena != state.arena { return "arena \(arena as Any), not \(state.arena as Any)" }
    if hasPath != state.hasPath { return "a path that is\(state.hasPath ? "" : " not") open" }
    if holders != state.holders { return "\(holders.count) cells held otherwise than \(state.holders.count)" }
    if order != state.order { return "order \(order), not \(state.order)" }
    if rows != state.rows { return "rows \(rows), not \(state.rows)" }
    // A player blocked now may not have been when the chat came, and the other way round.
    let kept = chats.suffix(state.chats.count)
    let areSame = kept.elementsEqual(state.chats) {
      $0 == $1 || $0.number == $1.number && ($0.chat.withheld || $1.chat.withheld)
    }
    if !areSame || !mayLack(chats.count - kept.count) {
      return "chats \(chats.map(\.number)), not \(state.chats.map(\.number))"
    }
    if board != state.board { return "board of \(board.count)" }
    return nil
  }
}
