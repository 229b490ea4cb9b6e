// A room out of its journal: the newest state that was written, and every input behind it. Part of `Room`.
// Decisions: 050 (docs/decisions).

/// A room as its journal left it.
package struct RoomRecovery: Sendable {
  package let room: Room
  /// Of the rules that the newest state in the journal was written by.
  package let rulesVersion: UInt32
  /// The number of the chunk that the journal goes on with.
  package let nextChunk: UInt64
  /// Where the journal can be followed no further, for a chunk is damaged or missing: the room is as it was before that, at
  /// a moment that has been, and what is behind is lost. Nil when nothing is.
  package let loss: JournalFault?
  /// Who is in the newest state, or has come in since: the journal from there on may tell where they have been.
  package let visitors: Set<PlayerID>

  /// Nil when the room had closed, or nothing of it was written.
  ///
  /// Ticks that are not in the journal have not been for this room; `Input.restart`, which is to be the next input, makes
  /// that of no account.
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
  /// Applies an input out of a journal.
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
  /// Reads to the journal's end: each state that comes is the room, and each input behind one is applied to it. Beginnings of
  /// games are passed over: they lack texts, and the inputs lead there, too.
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

  /// Reads to the journal's end, or to a state for which `isBeyond` holds, and gives back the last state for which
  /// `isMeant` holds, with a reader that goes on behind it.
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
