// A room out of its journal: the newest state that was written, and every input behind it. Part of `Room`.

/// A room as its journal left it.
package struct RoomRecovery: Sendable {
  package let room: Room
  /// Of the rules that the newest state in the journal was written by.
  package let rulesVersion: UInt32

  /// Nil when the room had closed, or nothing of it was written.
  ///
  /// Ticks that are not in the journal have not been for this room; `Input.restart`, which is to be the next input, makes
  /// that of no account.
  package init?(from journal: [UInt8]) throws(JournalFault) {
    var reader = JournalReader(journal)
    guard let beginning = try reader.skip(toLast: { _ in true }) else { return nil }
    reader = beginning.reader
    var room = beginning.room
    var effects = Effects()
    while let record = try reader.next() {
      guard case .input(let input, let time) = record else { continue }
      try room.replay(input, at: time, into: &effects, from: reader)
    }
    guard !room.isClosed else { return nil }
    self.room = room
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
  /// Reads to the journal's end, or to a state for which `isBeyond` holds, and gives back the last state for which
  /// `isMeant` holds, with a reader that goes on behind it.
  mutating func skip(
    toLast isMeant: (Room) -> Bool,
    before isBeyond: (Room) -> Bool = { _ in false }
  ) throws(JournalFault) -> (room: Room, reader: JournalReader)? {
    var found: (room: Room, reader: JournalReader)?
    while let record = try next() {
      let room: Room
      switch record {
      case .created(let configuration, let seed, let time): room = Room(configuration, seed: seed, at: time)
      case .snapshot(let snapshot): room = snapshot
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
