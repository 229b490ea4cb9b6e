// The output of the codecs of inputs and states: the records of a chunk, and beside them its texts. A value, owned by a
// journal's writer.

/// The records and texts of an unfinished chunk.
struct RecordWriter: Sendable {
  var bytes = ByteWriter()
  private(set) var texts = ByteWriter()
  private var textCount = 0
  /// The base of a state's times, which are written as distances before it.
  var latest = Instant(milliseconds: 0)
  /// Whether the state is a game's beginning: without texts of events, and only with seats that were ever taken.
  var isBeginning = false
  /// Whether texts are written; without them, states that differ only in texts are equal.
  private let hasTexts: Bool

  init(hasTexts: Bool = true) {
    self.hasTexts = hasTexts
  }

  /// Appends a text and writes its number, from 1.
  mutating func text(_ text: String, _ kind: JournalText.Kind, by author: PlayerID) {
    guard hasTexts else { return }
    JournalText.write(text, kind, by: author, to: &texts)
    textCount += 1
    bytes.number(textCount)
  }

  /// Writes that the text is absent.
  mutating func noText() {
    guard hasTexts else { return }
    bytes.number(0 as UInt64)
  }

  /// The places to write, out of this many: all, or in a beginning only those ever taken, after their number. The other
  /// places are as new.
  mutating func places(taken: Int, of count: Int) -> Range<Int> {
    guard isBeginning else { return 0..<count }
    bytes.number(taken)
    return 0..<taken
  }

  /// The number of bytes.
  var count: Int { bytes.bytes.count + texts.bytes.count }

  /// A moment that is not after `latest`.
  mutating func past(_ instant: Instant) {
    bytes.number(latest.milliseconds - instant.milliseconds)
  }

  mutating func past(_ instant: Instant?) {
    bytes.flag(instant != nil)
    if let instant { past(instant) }
  }

  /// A moment that may be as far after `latest` as a fix's own time.
  mutating func near(_ instant: Instant) {
    bytes.number(latest.milliseconds + PositionRules.aheadMaxMs - instant.milliseconds)
  }

  /// A moment that may be after `latest`.
  mutating func future(_ instant: Instant?) {
    bytes.flag(instant != nil)
    if let instant { bytes.signed(instant.milliseconds - latest.milliseconds) }
  }

  mutating func id(_ id: PlayerID) {
    bytes.fixed(id.value)
  }

  mutating func place(_ place: Place) {
    switch place {
    case .seat(let seat): bytes.number(seat << 1)
    case .spectator(let number): bytes.number(number << 1 | 1)
    }
  }

  mutating func coordinate(_ coordinate: Coordinate) {
    bytes.fixed(UInt64(UInt32(bitPattern: coordinate.latE7)) | UInt64(UInt32(bitPattern: coordinate.lngE7)) << 32)
  }

  mutating func removeAll() {
    bytes.removeAll()
    texts.removeAll()
    textCount = 0
  }
}
