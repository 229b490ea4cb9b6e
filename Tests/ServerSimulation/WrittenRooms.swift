// The store's rooms, built up batch by batch with the rules themselves: at any moment the result of a recovery. A value
// of one run.
//
// It knows batches and nothing of the server, so that the server's state can be compared with it.
import Game
import MadangProtocol
import Server
import Store

struct WrittenRooms {
  struct Entry {
    let row: RoomRow
    var room: Room?
    var isOpen = true
    /// The number that its journal's next chunk must have, over all lives of the server.
    var nextChunk: UInt64? = 0
  }

  private(set) var rooms: [RoomCode: Entry] = [:]
  /// The result of each game that has ended, by its journal.
  private(set) var results: [GameID: GameResult] = [:]
  /// The stored games of each player: points by game, in the wire's form.
  private(set) var points: [String: [String: UInt32]] = [:]
  /// The number of each player's games that count.
  private(set) var records: [String: Int] = [:]
  private var codes: [RoomID: RoomCode] = [:]
  private var effects = Effects()

  /// Takes a written batch; returns the new events by room, in order.
  mutating func take(_ batch: Batch) throws(BrokenRule) -> [(code: RoomCode, room: RoomID, events: [Event])] {
    var newEvents: [(code: RoomCode, room: RoomID, events: [Event])] = []
    for case .room(.open(let row)) in batch.changes {
      let code = RoomCode(drawing: row.code)
      codes[row.id] = code
      rooms[code] = Entry(row: row)
    }
    for segment in batch.segments {
      var chunks: [(room: RoomID, bytes: [UInt8])] = []
      do {
        try segment.forEach { chunks.append(($0, Array($1))) }
      } catch {
        throw BrokenRule(rule: .journalsWhole, detail: "\(error)")
      }
      for chunk in chunks {
        guard let code = codes[chunk.room] else {
          throw BrokenRule(rule: .journalsWhole, detail: "a journal of no room")
        }
        newEvents.append((code, chunk.room, try take(chunk.bytes, of: code, chunk.room)))
      }
    }
    for change in batch.changes { try take(change) }
    return newEvents
  }

  private mutating func take(_ chunk: [UInt8], of code: RoomCode, _ id: RoomID) throws(BrokenRule) -> [Event] {
    guard var entry = rooms[code] else { return [] }
    // Taken out, so that it is changed in place.
    rooms[code] = nil
    let before = entry.room?.lastEventNumber ?? 0
    var reader = JournalReader(chunk, nextChunk: entry.nextChunk)
    while let record = try next(&reader, of: code) {
      switch record {
      case .created(let configuration, let seed, let time):
        try BrokenRule.unless(entry.room == nil, .journalsWhole, "\(code) was made twice")
        entry.room = Room(configuration, seed: seed, at: time)
      case .snapshot(let snapshot):
        let isSame = entry.room?.lastEventNumber == snapshot.lastEventNumber
        try BrokenRule.unless(isSame, .journalsWhole, "a snapshot of \(code) differs from its journal's state")
        try Self.checkBounds(snapshot, bytesMax: 256 * 1_024, code) { $0.append(snapshotOf: $1, at: $1.latest) }
        entry.room = snapshot
      case .beginning(let beginning):
        let isSame = entry.room?.lastEventNumber == beginning.lastEventNumber
        try BrokenRule.unless(isSame, .journalsWhole, "a beginning in \(code) differs from its journal's state")
        try Self.checkBounds(beginning, bytesMax: 16 * 1_024, code) { $0.append(beginningOf: $1, at: $1.latest) }
      case .input(let input, let time):
        guard let isClosed = entry.room?.isClosed, !isClosed else {
          throw BrokenRule(rule: .journalsWhole, detail: "an input to \(code), which is not there")
        }
        entry.room?.apply(input, at: time, into: &effects)
        try note(effects, of: id)
      }
    }
    entry.nextChunk = reader.nextChunk
    rooms[code] = entry
    guard let (events, isGap) = entry.room?.events(after: before) else { return [] }
    try BrokenRule.unless(!isGap, .journalsWhole, "events of \(code) are missing")
    return events
  }

  /// Checks that after any number of chats and games a state is within its length, with no more chats than are kept.
  private static func checkBounds(
    _ room: Room,
    bytesMax: Int,
    _ code: RoomCode,
    _ write: (inout JournalWriter, Room) -> Void
  ) throws(BrokenRule) {
    var writer = JournalWriter()
    var bytes: [UInt8] = []
    write(&writer, room)
    writer.take(into: &bytes)
    let isBounded = bytes.count <= bytesMax && room.eventBytes.chats <= EventRules.chatTextBytesMax
    try BrokenRule.unless(isBounded, .statesBounded, "\(code): \(bytes.count) bytes")
  }

  private func next(_ reader: inout JournalReader, of code: RoomCode) throws(BrokenRule) -> JournalRecord? {
    do throws(JournalFault) {
      return try reader.next()
    } catch {
      throw BrokenRule(rule: .journalsWhole, detail: "\(code): \(error)")
    }
  }

  private mutating func note(_ effects: Effects, of room: RoomID) throws(BrokenRule) {
    for case .gameEnded(let result) in effects.outputs {
      let game = GameID(room: room, number: result.number)
      try BrokenRule.unless(results[game] == nil, .resultsKept, "\(game) has ended twice")
      results[game] = result
    }
  }

  private mutating func take(_ change: Change) throws(BrokenRule) {
    switch change {
    case .game(.end(let row, let rows)):
      let result = results[row.id]
      let isSame =
        result?.rows(of: row) == rows && result?.startedAt == row.startedAt
        && result?.fingerprint == row.fingerprint
      try BrokenRule.unless(isSame, .resultsKept, "\(row.id) was stored otherwise than it ended")
      for row in rows {
        let known = points[row.player.description, default: [:]].updateValue(row.points, forKey: row.game.description)
        try BrokenRule.unless(known == nil, .resultsKept, "\(row.game) was stored twice")
        if row.counts { records[row.player.description, default: 0] += 1 }
      }
    case .room(.close(let id)):
      guard let code = codes[id] else { return }
      try BrokenRule.unless(rooms[code]?.room?.isClosed == true, .roomsKept, "\(code) was closed, and is open")
      rooms[code]?.isOpen = false
    default:
      break
    }
  }

  /// The rooms that a recovery brings back, in an order that is the same in every process.
  var open: [(code: RoomCode, room: Room)] {
    rooms.filter { $0.value.isOpen }.sorted { $0.value.row.id < $1.value.row.id }
      .compactMap { code, entry in entry.room.map { (code, $0) } }
  }

  /// The players that have entered a newer room, by the room that a recovery takes them out of.
  var leavers: [RoomCode: Set<PlayerID>] {
    var newest: [PlayerID: (code: RoomCode, enteredAt: Instant)] = [:]
    var leavers: [RoomCode: Set<PlayerID>] = [:]
    for (code, room) in open where !room.isClosed {
      for (player, enteredAt) in room.entrances {
        let other = newest[player]
        if let other, other.enteredAt > enteredAt {
          leavers[code, default: []].insert(player)
          continue
        }
        if let other { leavers[other.code, default: []].insert(player) }
        newest[player] = (code, enteredAt)
      }
    }
    return leavers
  }

  /// Whether a player is in a room.
  func has(_ player: String, in code: String) -> Bool {
    guard let code = RoomCode(code), let player = PlayerID(player), let entry = rooms[code], entry.isOpen else {
      return false
    }
    return entry.room?.place(of: player) != nil
  }
}
