// The input of the codecs of inputs and states: the records of a chunk, with its texts. A value over bytes that may be
// damaged. While it reads a state it knows the bounds for the rest: the room's settings, newest input and newest event.

/// The records of a chunk, and its texts.
struct RecordReader: Sendable {
  var bytes: ByteReader
  private var texts: [JournalText] = []
  /// The latest moment that a state may contain.
  var latest = Instant(milliseconds: 0)
  /// The newest event that a state may contain.
  var lastEvent: UInt32 = 0
  /// The version of the rules that wrote the state. States of version 5 are still read: rooms outlive a new release.
  var rulesVersion = RulesVersion.current
  /// Whether the state is a game's beginning.
  var isBeginning = false

  /// The greatest number of milliseconds of a time or a span, and the greatest value of a counter.
  static let greatest: Int64 = 1 << 52

  init() {
    bytes = ByteReader([])
  }

  /// Continues with a chunk.
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

  /// A text that must be there.
  mutating func text() throws(JournalFault) -> JournalText {
    guard let text = try textIfAny() else { throw fault(.impossible("missing text")) }
    return text
  }

  /// The places that follow, of this many: see `RecordWriter.places`.
  mutating func places(of count: Int) throws(JournalFault) -> Range<Int> {
    isBeginning ? 0..<(try bytes.count(max: count, "number of places")) : 0..<count
  }

  mutating func textIfAny() throws(JournalFault) -> JournalText? {
    let number = try bytes.number(in: 0...UInt64(texts.count), "number of a text")
    return number == 0 ? nil : texts[Int(number) - 1]
  }

  /// The text of this player.
  mutating func text(of id: PlayerID) throws(JournalFault) -> String {
    let text = try text()
    try require(text.author == id, "author of a text")
    return text.text
  }

  /// A moment that is neither after `latest` nor before 1970.
  mutating func past() throws(JournalFault) -> Instant {
    latest - .milliseconds(try bytes.number(in: 0...latest.milliseconds, "time"))
  }

  mutating func pastIfAny() throws(JournalFault) -> Instant? {
    try bytes.flag() ? past() : nil
  }

  /// A moment that is neither further after `latest` than a fix's own time may be, nor before 1970.
  mutating func near() throws(JournalFault) -> Instant {
    let newest = latest + .milliseconds(PositionRules.aheadMaxMs)
    return newest - .milliseconds(try bytes.number(in: 0...newest.milliseconds, "time"))
  }

  /// A moment at most this long after `latest`.
  mutating func futureIfAny(within spanMs: Int64) throws(JournalFault) -> Instant? {
    guard try bytes.flag() else { return nil }
    return latest + .milliseconds(try bytes.signed(in: 1...spanMs, "deadline"))
  }

  mutating func id() throws(JournalFault) -> PlayerID {
    PlayerID(try bytes.fixed128())
  }

  /// A place that any room may have.
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

  /// A coordinate on the map, which every coordinate of a state is.
  mutating func coordinateOnMap() throws(JournalFault) -> Coordinate {
    let coordinate = try coordinate()
    try require(PositionRules.isOnMap(coordinate), "coordinate")
    return coordinate
  }

  /// A counter.
  mutating func tally(_ what: StaticString) throws(JournalFault) -> Int64 {
    try bytes.number(in: 0...Self.greatest, what)
  }

  /// The number of a past event, or 0.
  mutating func eventNumber() throws(JournalFault) -> UInt32 {
    try bytes.number(in: 0...lastEvent, "number of an event")
  }
}
