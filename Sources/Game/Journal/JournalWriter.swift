// Writes a room's journal: records go in, chunks come out. A value beside its room, used only by the room's owner; a
// warm one takes an input without an allocation. It does not know where chunks go.

/// Gathers records until they are taken as one chunk.
package struct JournalWriter: Sendable {
  private var records = RecordWriter()
  /// The time of the newest record in this chunk; the first is written in full.
  private var newest = Instant(milliseconds: 0)
  package private(set) var nextChunk: UInt64
  /// The bytes of this chunk that are snapshots.
  private var snapshotBytes = 0

  /// Begins a journal, or continues one with this chunk number.
  package init(nextChunk: UInt64 = 0) {
    self.nextChunk = nextChunk
  }

  package var isEmpty: Bool { records.bytes.isEmpty }

  /// The number of bytes gathered for the next chunk.
  package var byteCount: Int { records.count }

  /// The bytes among them that requests cause: inputs, the room's making, a game's beginning.
  package var inputBytes: Int { records.count - snapshotBytes }

  /// The room was made: the first record of its journal.
  package mutating func create(_ configuration: RoomConfiguration, seed: UInt64, at time: Instant) {
    begin(RecordKind.created, at: time)
    records.bytes.number(RulesVersion.current)
    configuration.write(to: &records)
    records.bytes.number(seed)
  }

  /// Appends an input before it reaches the room. `author` is the player in the input's place, connected or held; a
  /// chat needs it. Without an author the text is not kept, since the room refuses it in any case.
  package mutating func append(_ input: Input, from author: PlayerID?, at time: Instant) {
    begin(input.recordKind, at: time)
    input.write(to: &records, from: author, at: time)
  }

  /// Appends an input that the room has refused. Its text is not kept, and the room refuses it again without the text.
  package mutating func append(refused input: Input, at time: Instant) {
    begin(input.recordKind, at: time)
    switch input {
    case .join(let id, _), .watch(let id, _):
      records.id(id)
      records.noText()
    default: input.write(to: &records, from: nil, at: time)
    }
  }

  /// The current room, between two inputs; not a closed one. Recovery begins with the newest snapshot.
  package mutating func append(snapshotOf room: Room, at time: Instant) {
    let before = records.count
    append(RecordKind.snapshot, room, at: time)
    snapshotBytes += records.count - before
  }

  /// The approximate length of a snapshot of a room in its lobby, rather too long than too short; bytes.
  package static func bytesExpected(ofSnapshot room: Room) -> Int {
    let vertices = room.configuration.lands.reduce(0) { $0 + $1.vertices.count }
    let texts = room.log.bytes + room.log.chatTextBytes + EventRules.chatsMax * EventRules.eventBytes
    let members = room.configuration.capacity * 64 + room.roster.occupantCount * 512 + room.roster.barred.count * 16
    return 4_096 + texts + members + vertices * 8
  }

  /// The room at the beginning of a game, for the game's replay only: without the texts of earlier events.
  package mutating func append(beginningOf room: Room, at time: Instant) {
    records.isBeginning = true
    append(RecordKind.beginning, room, at: time)
    records.isBeginning = false
  }

  private mutating func append(_ kind: UInt8, _ room: Room, at time: Instant) {
    begin(kind, at: time)
    records.bytes.number(RulesVersion.current)
    room.write(to: &records)
  }

  /// Appends the gathered records to `bytes` as one chunk, and empties the writer.
  package mutating func take(into bytes: inout [UInt8]) {
    guard !isEmpty else { return }
    JournalChunk.write(nextChunk, records: records.bytes.bytes[...], texts: records.texts.bytes[...], into: &bytes)
    nextChunk += 1
    records.removeAll()
    snapshotBytes = 0
    newest = Instant(milliseconds: 0)
  }

  private mutating func begin(_ kind: UInt8, at time: Instant) {
    precondition(time >= newest, "time does not run backwards")
    records.bytes.byte(kind)
    records.bytes.number(time.milliseconds - newest.milliseconds)
    newest = time
  }
}
