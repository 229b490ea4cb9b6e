// What the codecs of inputs and states write into: the records of a chunk, and beside them its texts. A value, owned by a
// journal's writer.

/// The records and texts of a chunk in the making.
struct RecordWriter: Sendable {
  var bytes = ByteWriter()
  private(set) var texts = ByteWriter()
  private var textCount = 0
  /// Times of a state are written as how long before this they were.
  var latest = Instant(milliseconds: 0)
  /// The state is a game's beginning: without texts of events, and of seats those alone that have been taken.
  var isBeginning = false
  /// Without texts, states are equal whose texts alone differ.
  private let hasTexts: Bool

  init(hasTexts: Bool = true) {
    self.hasTexts = hasTexts
  }

  /// Puts a text among the texts and writes its number, from 1.
  mutating func text(_ text: String, _ kind: JournalText.Kind, by author: PlayerID) {
    guard hasTexts else { return }
    JournalText.write(text, kind, by: author, to: &texts)
    textCount += 1
    bytes.number(textCount)
  }

  /// Writes that there is no text.
  mutating func noText() {
    guard hasTexts else { return }
    bytes.number(0 as UInt64)
  }

  /// How many places are written of so many, the rest of which are as they were made: all, or in a beginning those that
  /// have been taken, told first.
  mutating func places(taken: Int, of count: Int) -> Range<Int> {
    guard isBeginning else { return 0..<count }
    bytes.number(taken)
    return 0..<taken
  }

  /// How many bytes there are.
  var count: Int { bytes.bytes.count + texts.bytes.count }

  /// A moment that is not after `latest`.
  mutating func past(_ instant: Instant) {
    bytes.number(latest.milliseconds - instant.milliseconds)
  }

  mutating func past(_ instant: Instant?) {
    bytes.flag(instant != nil)
    if let instant { past(instant) }
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
    bytes.fixed(UInt32(bitPattern: coordinate.latE7))
    bytes.fixed(UInt32(bitPattern: coordinate.lngE7))
  }

  mutating func removeAll() {
    bytes.removeAll()
    texts.removeAll()
    textCount = 0
  }
}
