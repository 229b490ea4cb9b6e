// What the codecs of inputs and states read from: the records of a chunk, with its texts. A value over bytes that anything may
// have happened to. Of a state it knows what the rest is held against: the room's settings, its newest input and event.

/// The records of a chunk, and its texts.
struct RecordReader: Sendable {
  var bytes: ByteReader
  private var texts: [JournalText] = []
  /// The newest moment that a state may know of.
  var latest = Instant(milliseconds: 0)
  /// The newest event that a state may know of.
  var lastEvent: UInt32 = 0
  /// The state is a game's beginning.
  var isBeginning = false

  /// The greatest number of milliseconds that a time or a span may have, and of what is only counted up.
  static let greatest: Int64 = 1 << 52

  init() {
    bytes = ByteReader([])
  }

  /// Goes on with a chunk.
  mutating func open(_ chunk: JournalChunk) throws(JournalFault) {
    bytes = chunk.records
    texts.removeAll(keepingCapacity: true)
    var rest = chunk.texts
    while !rest.isAtEnd {
      texts.append(try JournalText(from: &rest))
    }
  }

  func fault(_ reason: JournalFault.Reason) -> JournalFault {
    bytes.fault(reason)
  }

  func require(_ isPossible: Bool, _ what: StaticString) throws(JournalFault) {
    try bytes.require(isPossible, what)
  }

  /// A text that is there.
  mutating func text() throws(JournalFault) -> JournalText {
    guard let text = try textIfAny() else { throw fault(.impossible("missing text")) }
    return text
  }

  /// Which places of so many follow: see `RecordWriter.places`.
  mutating func places(of count: Int) throws(JournalFault) -> Range<Int> {
    isBeginning ? 0..<(try bytes.count(max: count, "number of places")) : 0..<count
  }

  mutating func textIfAny() throws(JournalFault) -> JournalText? {
    let number = try bytes.number(in: 0...UInt64(texts.count), "number of a text")
    return number == 0 ? nil : texts[Int(number) - 1]
  }

  /// The text that belongs to a player.
  mutating func text(of id: PlayerID) throws(JournalFault) -> String {
    let text = try text()
    try require(text.author == id, "author of a text")
    return text.text
  }

  /// A moment that is not after `latest`, nor before 1970.
  mutating func past() throws(JournalFault) -> Instant {
    latest - .milliseconds(try bytes.number(in: 0...latest.milliseconds, "time"))
  }

  mutating func pastIfAny() throws(JournalFault) -> Instant? {
    try bytes.flag() ? past() : nil
  }

  /// A moment that may be at most so long after `latest`.
  mutating func futureIfAny(within spanMs: Int64) throws(JournalFault) -> Instant? {
    guard try bytes.flag() else { return nil }
    return latest + .milliseconds(try bytes.signed(in: 1...spanMs, "deadline"))
  }

  mutating func id() throws(JournalFault) -> PlayerID {
    PlayerID(try bytes.fixed128())
  }

  /// A place of any room.
  mutating func place() throws(JournalFault) -> Place {
    let number = try bytes.number(in: 0...0xFFFF, "place") as Int
    return number & 1 == 0 ? .seat(number >> 1) : .spectator(number >> 1)
  }

  /// Any two numbers.
  mutating func coordinate() throws(JournalFault) -> Coordinate {
    Coordinate(
      latE7: Int32(bitPattern: try bytes.fixed32()),
      lngE7: Int32(bitPattern: try bytes.fixed32())
    )
  }

  /// A coordinate on the map, as every one is that a state knows.
  mutating func coordinateOnMap() throws(JournalFault) -> Coordinate {
    let coordinate = try coordinate()
    try require(PositionRules.isOnMap(coordinate), "coordinate")
    return coordinate
  }

  /// A number that was only counted up.
  mutating func tally(_ what: StaticString) throws(JournalFault) -> Int64 {
    try bytes.number(in: 0...Self.greatest, what)
  }

  /// The number of an event that has been, or 0.
  mutating func eventNumber() throws(JournalFault) -> UInt32 {
    try bytes.number(in: 0...lastEvent, "number of an event")
  }
}
