// What has happened in each room: every event that the server's rooms have raised, copied out after each step, so that what
// players are told and what was acknowledged to them can be held against it. A value of one run.
import MadangProtocol

/// The events of all rooms of a run.
struct Ledger {
  /// By code; the event numbered n is at n - 1.
  private var events: [RoomCode: [WireEvent]] = [:]
  /// How often each text was said, by code and text.
  private var chats: [RoomCode: [String: Int]] = [:]
  private(set) var eventCount = 0

  /// Copies what is new. A room's history grows and never changes.
  mutating func observe(_ server: SimulatedServer) throws(BrokenRule) {
    for (code, lastEvent) in server.newestEvents {
      let known = UInt32(events[code]?.count ?? 0)
      try BrokenRule.unless(lastEvent >= known, .eventsInOrder, "\(code) went back from \(known) to \(lastEvent)")
      guard lastEvent > known else { continue }
      let (newer, gap) = server.events(of: code, after: known)
      try BrokenRule.unless(!gap, .eventsInOrder, "\(code) forgot events after \(known)")
      for (index, event) in newer.enumerated() {
        let number = known + UInt32(index) + 1
        try BrokenRule.unless(event.number == number, .eventsInOrder, "\(code) has \(event.number) for \(number)")
        if case .chat(let chat) = event.body { chats[code, default: [:]][chat.text, default: 0] += 1 }
      }
      events[code, default: []] += newer
      eventCount += newer.count
    }
  }

  /// An event that a player was told is the room's own.
  func check(_ event: WireEvent, of code: String) throws(BrokenRule) {
    let own = RoomCode(code).flatMap { events[$0] }?.element(at: Int(event.number) - 1)
    try BrokenRule.unless(own == event, .eventsAreTheRooms, "event \(event.number) of \(code)")
  }

  /// How many events there are in a range of numbers, and what they are reckoned at when somebody has missed them.
  func weight(of code: String, after number: UInt32, through last: UInt32) -> (count: Int, bytes: Int) {
    guard let all = RoomCode(code).flatMap({ events[$0] }) else { return (0, 0) }
    let missed = all[min(Int(number), all.count)..<min(Int(last), all.count)]
    return (missed.count, missed.reduce(0) { $0 + $1.chat.text.utf8.count + Limits.eventBytes })
  }

  /// How often a text was said in a room.
  func count(of text: String, in code: String) -> Int {
    RoomCode(code).flatMap { chats[$0]?[text] } ?? 0
  }

  /// How often a text was said in any room.
  func count(of text: String) -> Int {
    chats.values.reduce(0) { $0 + ($1[text] ?? 0) }
  }
}

extension Array {
  fileprivate func element(at index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
