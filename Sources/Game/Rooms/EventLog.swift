// A room's numbered events, kept for connections that fell behind, join or resume. A value, owned by the room, bounded
// by count and by bytes. It never forgets an event that no tick has carried yet, and never reuses a number.
import DequeModule

/// The newest events of a room and its newest chats.
struct EventLog: Sendable {
  /// The number of the newest event; 0 before the first.
  private(set) var lastNumber: UInt32 = 0
  /// The number of the newest event that a tick has carried.
  private(set) var carriedNumber: UInt32 = 0
  /// The size of the kept events; see `EventRules`.
  private(set) var bytes = 0
  private var events: Deque<Event> = []
  /// The size of the kept chats' texts, in bytes.
  private(set) var chatTextBytes = 0
  /// Oldest first. The oldest may have lost their texts; the rules use all of them, since a text may be erased anyway.
  private var allChats: Deque<Event> = []
  /// The number of chats without their texts: they come before all others.
  private var textlessChats = 0

  /// The chats with texts, oldest first.
  var chats: Deque<Event>.SubSequence { allChats.dropFirst(textlessChats) }

  /// Gives an event its number. A full room's 400 members, each chatting once a second, use up 32 bits in 124 days; the
  /// room closes before.
  mutating func append(_ body: Event.Body, atMs: UInt32) {
    precondition(lastNumber < .max, "event numbers are not exhausted")
    lastNumber += 1
    let event = Event(number: lastNumber, atMs: atMs, body: body)
    events.append(event)
    bytes += body.estimatedBytes
    guard case .chat = body else { return }
    append(chat: event)
    if allChats.count > EventRules.chatsMax {
      chatTextBytes -= allChats.removeFirst().body.chatTextBytes
      textlessChats = max(0, textlessChats - 1)
    }
  }

  private mutating func append(chat: Event) {
    allChats.append(chat)
    chatTextBytes += chat.body.chatTextBytes
    while chatTextBytes > EventRules.chatTextBytesMax {
      dropOldestText()
    }
  }

  private mutating func dropOldestText() {
    chatTextBytes -= allChats[textlessChats].body.chatTextBytes
    allChats[textlessChats].body = allChats[textlessChats].body.withoutChatText
    textlessChats += 1
  }

  /// Whether a tick that carries events numbered up to `last` has any.
  func hasUncarried(through last: UInt32) -> Bool {
    carriedNumber < min(last, lastNumber)
  }

  /// Begins a new tick: appends the events that no tick has carried, up to number `last`. Events beyond the bound of
  /// their number are forgotten. The bound of bytes forgets only events of earlier ticks, so that a connection that was
  /// behind gets this tick merged, however long its texts are.
  mutating func carry(through last: UInt32, into carried: inout [Event]) {
    let last = max(carriedNumber, min(last, lastNumber))
    forget(bytesMax: EventRules.bytesMax)
    append(after: carriedNumber, through: last, to: &carried)
    carriedNumber = last
    forget(bytesMax: .max)
  }

  /// Marks all events as carried: nobody is there to receive a tick.
  mutating func skipTicks() {
    carriedNumber = lastNumber
    forget(bytesMax: EventRules.bytesMax)
  }

  /// Skips this many numbers, which lost events may have had. A client that knows one of them, or an earlier event, has
  /// missed something.
  mutating func skipNumbers(_ count: UInt32, max: UInt32) {
    guard lastNumber < max else { return }
    lastNumber += min(count, max - lastNumber)
    carriedNumber = lastNumber
    events.removeAll()
    bytes = 0
  }

  /// Forgets the oldest events beyond the bounds, but none that no tick has carried, and never the newest one: a board
  /// alone may be large.
  private mutating func forget(bytesMax: Int) {
    let carried = events.count - Int(lastNumber - carriedNumber)
    var surplus = 0
    while surplus < min(carried, events.count - 1),
      events.count - surplus > EventRules.eventsMax || bytes > bytesMax
    {
      bytes -= events[surplus].body.estimatedBytes
      surplus += 1
    }
    if surplus > 0 { events.removeFirst(surplus) }
  }

  /// Calls `body` with every kept event and chat; with some chats twice.
  func forEach(_ body: (Event.Body) -> Void) {
    for event in events { body(event.body) }
    for chat in chats { body(chat.body) }
  }

  /// Changes the texts of events, which keep their numbers, times and places.
  mutating func rewrite(_ body: (inout Event.Body) -> Void) {
    for index in events.indices {
      body(&events[index].body)
    }
    for index in allChats.indices.dropFirst(textlessChats) {
      body(&allChats[index].body)
    }
    bytes = events.reduce(0) { $0 + $1.body.estimatedBytes }
    chatTextBytes = allChats.reduce(0) { $0 + $1.body.chatTextBytes }
  }

  /// Whether no event numbered after `number` has been forgotten.
  func keepsAll(after number: UInt32) -> Bool {
    number >= forgottenNumber
  }

  /// Appends the kept events numbered in `after + 1 ... through`.
  func append(after number: UInt32, through last: UInt32, to list: inout [Event]) {
    guard number < last else { return }
    let from = Int(max(number, forgottenNumber) - forgottenNumber)
    let to = Int(max(last, forgottenNumber) - forgottenNumber)
    list.append(contentsOf: events[from..<to])
  }

  /// The number of the newest forgotten event; 0 without one.
  private var forgottenNumber: UInt32 {
    lastNumber - UInt32(events.count)
  }
}

// In a journal: the state that the rules use, and separately the events that ticks have carried. A game's beginning has
// chats without their texts, and no events: the game does not depend on earlier ones.
extension EventLog {
  func write(to state: inout RecordWriter) {
    state.bytes.number(lastNumber)
    state.bytes.number(allChats.count)
    var number: UInt32 = 0
    for var chat in allChats {
      state.bytes.number(chat.number - number)
      number = chat.number
      if state.isBeginning { chat.body = chat.body.withoutChatText }
      chat.write(to: &state)
    }
  }

  /// Fills an empty log.
  mutating func read(
    in configuration: RoomConfiguration,
    numberMax: UInt32,
    from state: inout RecordReader
  ) throws(JournalFault) {
    lastNumber = try state.bytes.number(in: 0...numberMax, "number of an event")
    carriedNumber = lastNumber
    state.lastEvent = lastNumber
    var number: UInt32 = 0
    for _ in 0..<(try state.bytes.count(max: EventRules.chatsMax, "number of chats")) {
      let step = try state.bytes.number(in: 0...lastNumber - number, "number of a chat")
      try state.require(step > 0, "number of a chat")
      number += step
      let event = try Event(number: number, in: configuration, from: &state)
      guard case .chat(_, _, let text) = event.body else { throw state.fault(.impossible("chat")) }
      append(chat: event)
      // All chats before one without its text have lost theirs, too.
      if text.isEmpty {
        while textlessChats < allChats.count { dropOldestText() }
      }
    }
  }

  func writeTicks(to state: inout RecordWriter) {
    state.bytes.number(lastNumber - carriedNumber)
    state.bytes.number(events.count)
    for event in events {
      event.write(to: &state)
    }
  }

  /// An older journal may have more events than are kept: they are forgotten with the next tick.
  mutating func readTicks(in configuration: RoomConfiguration, from state: inout RecordReader) throws(JournalFault) {
    let uncarried = try state.bytes.number(in: 0...lastNumber, "number of events")
    carriedNumber = lastNumber - uncarried
    let count = try state.bytes.count(bytesEach: 2, max: Int(lastNumber), "number of events")
    // No event is forgotten before a tick has carried it.
    try state.require(count >= uncarried, "number of events")
    for number in lastNumber - UInt32(count)..<lastNumber {
      let event = try Event(number: number + 1, in: configuration, from: &state)
      events.append(event)
      bytes += event.body.estimatedBytes
    }
  }
}
