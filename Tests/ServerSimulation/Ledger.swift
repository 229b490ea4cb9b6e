// The history of each room: every event that the server's rooms have raised, copied after each step; the number in the
// store; and the events that players received. A value of one run.
//
// A crash takes back raised events that are not written. Received events are never taken back.
import MadangProtocol
import Net

/// The events of all rooms of a run.
struct Ledger {
  private struct History {
    /// The event numbered n is at n - 1.
    var events: [WireEvent] = []
    /// The number of events in the store.
    var writtenCount: UInt32 = 0
    /// The events by number, as some player received them.
    var sent: [UInt32: WireEvent] = [:]
    /// The numbers of the chat events with a text.
    var chats: [String: [UInt32]] = [:]
    var entry = EntryReferee()
  }

  /// The rooms by code.
  private var rooms: [RoomCode: History] = [:]
  private var budgetUse = BudgetUse()

  var captureCount: Int {
    rooms.values.reduce(0) { $0 + $1.events.count { if case .captured = $0.body { true } else { false } } }
  }
  var eventCount: Int { rooms.values.reduce(0) { $0 + $1.events.count } }

  /// Copies new events. A room's history grows and never changes.
  mutating func observe(_ server: SimulatedServer, at now: Timestamp) throws(BrokenRule) {
    for (code, lastEvent) in server.newestEvents {
      let known = UInt32(rooms[code]?.events.count ?? 0)
      try BrokenRule.unless(lastEvent >= known, .eventsInOrder, "\(code) went back from \(known) to \(lastEvent)")
      guard lastEvent > known else { continue }
      let (newer, gap) = server.events(of: code, after: known)
      try BrokenRule.unless(!gap, .eventsInOrder, "\(code) forgot events after \(known)")
      for event in newer { try append(event, of: code, at: now) }
    }
  }

  private mutating func append(_ event: WireEvent, of code: RoomCode, at now: Timestamp) throws(BrokenRule) {
    let number = UInt32(rooms[code]?.events.count ?? 0) + 1
    try BrokenRule.unless(event.number == number, .eventsInOrder, "\(code) has \(event.number) for \(number)")
    let sent = rooms[code]?.sent[number]
    try BrokenRule.unless(sent == nil || sent == event, .oneMeaning, "event \(number) of \(code) has changed")
    rooms[code, default: History()].events.append(event)
    try rooms[code]?.entry.take(event, of: code)
    try budgetUse.note(event, of: code, at: now)
    if case .chat(let chat) = event.body { rooms[code]?.chats[chat.text, default: []].append(number) }
  }

  // The store.

  /// The store has these events, the next of their room: they must be the ones that the room has raised.
  mutating func write(_ events: [WireEvent], of code: RoomCode, at now: Timestamp) throws(BrokenRule) {
    for event in events {
      let raised = rooms[code]?.events.count ?? 0
      // A room may have closed before the simulation looked.
      if event.number == raised + 1 { try append(event, of: code, at: now) }
      let isNext = event.number == (rooms[code]?.writtenCount ?? 0) + 1
      let own = rooms[code]?.events.element(at: Int(event.number) - 1)
      try BrokenRule.unless(isNext && own == event, .writtenAsRaised, "event \(event.number) of \(code)")
      rooms[code]?.writtenCount += 1
    }
  }

  /// The server was lost, and with it everything not written.
  mutating func crash() throws(BrokenRule) {
    budgetUse.crash()
    for code in Array(rooms.keys) {
      guard var room = rooms[code] else { continue }
      room.events.removeSubrange(Int(room.writtenCount)...)
      room.entry = EntryReferee()
      for event in room.events { try room.entry.take(event, of: code) }
      for text in Array(room.chats.keys) {
        room.chats[text]?.removeAll { $0 > room.writtenCount }
        if room.chats[text]?.isEmpty == true { room.chats[text] = nil }
      }
      rooms[code] = room
    }
  }

  /// Checks that a recovered room has its written events, as far as it keeps them.
  func checkRecovered(_ code: RoomCode, _ events: [WireEvent]) throws(BrokenRule) {
    let written = Int(rooms[code]?.writtenCount ?? 0)
    let kept = events.filter { $0.number <= written }
    let own = rooms[code]?.events.prefix(written).suffix(kept.count) ?? []
    let isWhole = kept.count == min(written, max(kept.count, 1_000))
    try BrokenRule.unless(isWhole && kept.elementsEqual(own), .recoversAll, "\(code) after \(written) events")
  }

  /// Checks that the store has all events of a room up to this one.
  func checkWritten(_ number: UInt32, of code: String) throws(BrokenRule) {
    let written = RoomCode(code).flatMap { rooms[$0]?.writtenCount } ?? 0
    try BrokenRule.unless(
      number <= written,
      .writtenFirst,
      "\(code) was sent up to \(number), \(written) are in the store"
    )
  }

  // Players.

  /// Checks that a received event is the room's own, and in the store.
  mutating func check(_ event: WireEvent, of code: String) throws(BrokenRule) {
    guard let key = RoomCode(code), let own = rooms[key]?.events.element(at: Int(event.number) - 1) else {
      throw BrokenRule(rule: .eventsAreTheRooms, detail: "event \(event.number) of \(code)")
    }
    try BrokenRule.unless(event.isDelivery(of: own), .eventsAreTheRooms, "event \(event.number) of \(code)")
    try checkWritten(event.number, of: code)
    rooms[key]?.sent[event.number] = own
  }

  /// The text of a chat that a player received without it.
  func text(of number: UInt32, in code: String) -> String? {
    RoomCode(code).flatMap { rooms[$0]?.events.element(at: Int(number) - 1)?.chat.text }
  }

  /// The number of events in a range of numbers, and the bytes that they count for when a player has missed them.
  func weight(of code: String, after number: UInt32, through last: UInt32) -> (count: Int, bytes: Int) {
    guard let all = RoomCode(code).flatMap({ rooms[$0]?.events }) else { return (0, 0) }
    let missed = all[min(Int(number), all.count)..<min(Int(last), all.count)]
    return (missed.count, missed.reduce(0) { $0 + $1.chat.text.utf8.count + Limits.eventBytes })
  }

  /// Whether the store has an event of a phase after a number.
  func hasWritten(_ phase: WirePhase, after number: UInt32, in code: String) -> Bool {
    guard let room = RoomCode(code).flatMap({ rooms[$0] }) else { return false }
    return room.events.prefix(Int(room.writtenCount)).dropFirst(Int(number)).contains { event in
      if case .phase(let change) = event.body { change.phase == phase } else { false }
    }
  }

  /// The number of a player's games that have ended and count, by the boards in the store. A game against practice
  /// opponents alone counts for nobody; who went without a point has not played.
  func recordCount(of player: String) -> Int {
    rooms.values.reduce(0) { count, room in
      count
        + room.events.prefix(Int(room.writtenCount)).count { event in
          let board = event.phase.board
          let played = board.count { !$0.walker && ($0.completed || $0.points > 0) }
          return (played >= 2 || !board.contains { $0.walker })
            && board.contains { row in
              row.playerID == player && (row.completed || row.timeS >= 60 && row.distanceM >= 100)
            }
        }
    }
  }

  /// Whether the host of a room has removed a player.
  func hasKicked(_ player: String, from code: String) -> Bool {
    RoomCode(code).flatMap { rooms[$0] }?.entry.hasKicked(player) ?? false
  }

  /// Whether the store has an event that the host has removed a player, whose place is not known any more.
  func hasWrittenKick(from code: String, after number: UInt32) -> Bool {
    guard let room = RoomCode(code).flatMap({ rooms[$0] }) else { return false }
    return room.events.prefix(Int(room.writtenCount)).dropFirst(Int(number)).contains { event in
      if case .kicked = event.hostAct.act { true } else { false }
    }
  }

  /// The players who have joined a room.
  func everIn(_ code: String) -> Set<String> {
    let events = RoomCode(code).flatMap { rooms[$0]?.events } ?? []
    // A practice opponent has no id.
    return Set(events.compactMap { if case .joined(let player) = $0.body { player.playerID } else { nil } })
      .subtracting([""])
  }

  /// The numbers of the chat events with a text in a room.
  func numbers(of text: String, in code: String) -> [UInt32] {
    RoomCode(code).flatMap { rooms[$0]?.chats[text] } ?? []
  }

  /// The number of chats with a text in all rooms.
  func count(of text: String) -> Int {
    rooms.values.reduce(0) { $0 + ($1.chats[text]?.count ?? 0) }
  }
}

extension WireEvent {
  /// Whether a player may receive an event like this: unchanged, or with its text withheld.
  fileprivate func isDelivery(of own: WireEvent) -> Bool {
    guard chat.withheld else { return self == own }
    var withheld = own
    withheld.chat.text = ""
    withheld.chat.withheld = true
    return self == withheld
  }
}

extension Array {
  fileprivate func element(at index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
