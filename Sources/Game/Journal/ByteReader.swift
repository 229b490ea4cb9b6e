// Decodes a journal's numbers. A value over bytes that may be damaged: every step checks the bounds, invalid bytes are
// a `JournalFault`, and no count allocates before it was checked against the bytes left.

/// A position in bytes, and the reads from there.
struct ByteReader: Sendable {
  let bytes: [UInt8]
  private(set) var position: Int
  private(set) var end: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = 0
    end = bytes.count
  }

  /// A reader of a part of the same bytes.
  private init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { position == end }

  func fault(_ reason: JournalFault.Reason) -> JournalFault {
    JournalFault(reason, at: position)
  }

  /// Throws unless the read value is possible.
  func require(_ isPossible: Bool, _ what: StaticString) throws(JournalFault) {
    guard isPossible else { throw fault(.impossible(what.description)) }
  }

  mutating func byte() throws(JournalFault) -> UInt8 {
    guard position < end else { throw fault(.truncated) }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func flag() throws(JournalFault) -> Bool {
    let value = try byte()
    try require(value <= 1, "flag")
    return value == 1
  }

  mutating func number() throws(JournalFault) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      // The tenth byte has one bit left, and every number has only one spelling.
      guard shift < 63 || byte <= 1, byte != 0 || shift == 0 else { throw fault(.impossible("number")) }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  /// A number in a range.
  mutating func number<Number: FixedWidthInteger>(
    in range: ClosedRange<Number>,
    _ what: StaticString
  ) throws(JournalFault) -> Number {
    guard let value = Number(exactly: try number()), range.contains(value) else {
      throw fault(.impossible(what.description))
    }
    return value
  }

  mutating func signed() throws(JournalFault) -> Int64 {
    let value = try number()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  mutating func signed(in range: ClosedRange<Int64>, _ what: StaticString) throws(JournalFault) -> Int64 {
    let value = try signed()
    try require(range.contains(value), what)
    return value
  }

  mutating func fixed32() throws(JournalFault) -> UInt32 {
    guard end - position >= 4 else { throw fault(.truncated) }
    defer { position += 4 }
    return UInt32(bytes[position]) | UInt32(bytes[position + 1]) << 8
      | UInt32(bytes[position + 2]) << 16 | UInt32(bytes[position + 3]) << 24
  }

  mutating func fixed128() throws(JournalFault) -> UInt128 {
    var value: UInt128 = 0
    for shift in stride(from: 0 as UInt128, to: 128, by: 32) {
      value |= UInt128(try fixed32()) << shift
    }
    return value
  }

  /// The number of elements that follow, of at least `bytesEach` bytes each: never more than the bytes left allow.
  mutating func count(bytesEach: Int = 1, max most: Int = .max, _ what: StaticString) throws(JournalFault) -> Int {
    let count = try number(in: 0...Int.max, what)
    guard count <= most else { throw fault(.impossible(what.description)) }
    guard count <= (end - position) / bytesEach else { throw fault(.truncated) }
    return count
  }

  /// The next bytes as a reader of their own; this one continues behind them.
  mutating func part(_ count: Int) throws(JournalFault) -> ByteReader {
    guard count >= 0, count <= end - position else { throw fault(.truncated) }
    defer { position += count }
    return ByteReader(bytes, position..<position + count)
  }

  /// The unread bytes.
  var rest: ArraySlice<UInt8> { bytes[position..<end] }
}
