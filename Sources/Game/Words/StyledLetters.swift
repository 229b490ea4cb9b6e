// Letters and digits that are others in another style: circled, mathematical, small, raised, of full or half width.
// Immutable: any thread may ask it.
//
// The text is the program's own, so a fault in it is a broken invariant. It is read at the first list that has words.
// Decisions: 144 (docs/decisions).

/// The table of styled letters that ships with the program.
struct StyledLetters: Sendable {
  /// The first and the last character of each run, in order, and what the first one is. Of a run it is one character,
  /// which goes up by one with each.
  private let firsts: [UInt32]
  private let lasts: [UInt32]
  private let plain: [[Unicode.Scalar]]

  static let shipped = StyledLetters(PackageResources.letters_tsv)

  private init(_ text: [UInt8]) {
    var (firsts, lasts, plain): ([UInt32], [UInt32], [[Unicode.Scalar]]) = ([], [], [])
    for line in text.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      let fields = line.split(separator: UInt8(ascii: "\t"))
      let ends = fields[0].split(separator: UInt8(ascii: "-")).map {
        UInt32(String(decoding: $0, as: UTF8.self), radix: 16)
      }
      guard fields.count == 2, let first = ends.first ?? nil, let last = ends.last ?? nil else {
        preconditionFailure("a row has a character, or two, and what it is")
      }
      precondition(lasts.last.map { $0 < first } ?? true && first <= last, "rows are in order")
      firsts.append(first)
      lasts.append(last)
      plain.append(Array(String(decoding: fields[1], as: UTF8.self).unicodeScalars))
    }
    (self.firsts, self.lasts, self.plain) = (firsts, lasts, plain)
  }

  /// Adds a character to a text: without its style, if it has one.
  func append(_ scalar: Unicode.Scalar, to text: inout String.UnicodeScalarView) {
    guard let row = row(of: scalar.value) else { return text.append(scalar) }
    if firsts[row] == lasts[row] { return text.append(contentsOf: plain[row]) }
    // Runs have been made of characters, so that there is one.
    text.append(Unicode.Scalar(plain[row][0].value + scalar.value - firsts[row]) ?? scalar)
  }

  private func row(of value: UInt32) -> Int? {
    guard value >= firsts[0] else { return nil }
    // The last row that begins at the character or before.
    var (low, high) = (0, firsts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if firsts[middle] <= value { low = middle } else { high = middle }
    }
    return value <= lasts[low] ? low : nil
  }
}
