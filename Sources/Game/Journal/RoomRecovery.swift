// A room's recovery from its journal: the newest written state, and every input after it. Part of `Room`.
// Decisions: 050 (docs/decisions).

/// A room recovered from its journal.
package struct RoomRecovery: Sendable {
  package let room: Room
  /// The version of the rules that the newest state in the journal was written by.
  package let rulesVersion: UInt32
  /// The number of the journal's next chunk.
  package let nextChunk: UInt64
  /// The fault of a damaged or missing chunk; nil without one. The room is then as it was before that chunk, at a
  /// moment that existed, and everything later is lost.
  package let loss: JournalFault?
  /// The players in the newest state or who came in since: the journal may have their positions from there on.
  package let visitors: Set<PlayerID>

  /// Nil when the room had closed, or nothing of it was written.
  ///
  /// This room has seen only the ticks in the journal; `Input.restart`, which must be the next input, makes the others
  /// irrelevant.
  package init?(from journal: [UInt8]) throws(JournalFault) {
    var reader = JournalReader(journal)
    var newest: Room?
    var visitors: Set<PlayerID> = []
    var loss: JournalFault?
    do throws(JournalFault) {
      try reader.follow(&newest, &visitors)
    } catch {
      guard reader.isBrokenOff, newest != nil else { throw error }
      loss = error
    }
    guard let room = newest, !room.isClosed, let nextChunk = reader.nextChunk else { return nil }
    self.room = room
    self.nextChunk = nextChunk
    self.loss = loss
    self.visitors = visitors
    rulesVersion = reader.rulesVersion
  }
}

extension Room {
  /// Applies an input of a journal.
  mutating func replay(
    _ input: Input,
    at time: Instant,
    into effects: inout Effects,
    from reader: JournalReader
  ) throws(JournalFault) {
    guard !isClosed else { throw JournalFault(.impossible("input to a closed room"), at: reader.position) }
    guard time >= latest else { throw JournalFault(.impossible("time of an input"), at: reader.position) }
    apply(input, at: time, into: &effects)
  }
}

extension JournalReader {
  /// Reads to the journal's end: each state replaces the room, and each later input is applied to it. Beginnings of
  /// games are skipped: they lack texts, and the inputs lead to the same state.
  fileprivate mutating func follow(
    _ room: inout Room?,
    _ visitors: inout Set<PlayerID>
  ) throws(JournalFault) {
    var effects = Effects()
    while let record = try next() {
      switch record {
      case .created(let configuration, let seed, let time): room = Room(configuration, seed: seed, at: time)
      case .snapshot(let snapshot):
        room = snapshot
        visitors.removeAll()
        snapshot.forEachShown { visitors.insert($0) }
      case .beginning: continue
      case .input(let input, let time):
        try room?.replay(input, at: time, into: &effects, from: self)
        for case .placed(let player, _) in effects.outputs { visitors.insert(player) }
      }
    }
  }

  /// Reads to the journal's end, or to a state for which `isBeyond` holds. Returns the last state for which `isMeant`
  /// holds, with a reader that continues after it.
  mutating func skip(
    toLast isMeant: (Room) -> Bool,
    before isBeyond: (Room) -> Bool
  ) throws(JournalFault) -> (room: Room, reader: JournalReader)? {
    var found: (room: Room, reader: JournalReader)?
    while let record = try next() {
      let room: Room
      switch record {
      case .created(let configuration, let seed, let time): room = Room(configuration, seed: seed, at: time)
      case .snapshot(let state), .beginning(let state): room = state
      case .input: continue
      }
      if isBeyond(room) { break }
      if isMeant(room) {
        found = (room, self)
      }
    }
    return found
  }
}
