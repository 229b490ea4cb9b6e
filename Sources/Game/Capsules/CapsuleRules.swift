// The numbers of the rules of capsules, and the checks of what a player writes. Pure. The content of a text is not
// judged.

/// The numbers of the rules of capsules.
package enum CapsuleRules {
  package static let titleCharactersMax = 15
  /// Bounds the bytes too, since a character may have any length.
  package static let titleBytesMax = 240
  package static let textCharactersMax = 1_000
  package static let textBytesMax = 4_000
  package static let picturesMax = 10
  /// A capsule opens at this distance of the fix's centre or nearer.
  package static let openingMm: Int64 = 100_000
  /// An older fix opens nothing.
  package static let fixAgeMaxMs: Int64 = 30_000
  /// A watch knows the capsules within this distance of its centre, metres.
  package static let watchedWithinM = 1_000
  /// The nearest capsules that are watched.
  package static let watchedMax = 256

  /// A title as it is kept, in normal form C: one line of 1 to 15 characters and at most 240 bytes, not only white
  /// space, no control characters.
  ///
  /// - Throws: `title`.
  package static func title(_ typed: String) throws(CapsuleFault) -> String {
    let title = typed.normalFormC
    do throws(TextFault) {
      try TextFault.checkIsLine(title)
      try TextFault.checkSize(title, charactersMax: titleCharactersMax, bytesMax: titleBytesMax)
      try TextFault.check(title, charactersMax: titleCharactersMax, bytesMax: titleBytesMax)
    } catch { throw .title(error) }
    return title
  }

  /// A text as it is kept, in normal form C: 1 to 1,000 characters and at most 4,000 bytes, not only white space; line
  /// feeds are its only control characters.
  ///
  /// - Throws: `text`.
  package static func text(_ typed: String) throws(CapsuleFault) -> String {
    let text = typed.normalFormC
    do throws(TextFault) {
      try TextFault.checkSize(text, charactersMax: textCharactersMax, bytesMax: textBytesMax)
      // A line feed is as good as a space here.
      let line = String(decoding: text.utf8.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
      try TextFault.check(line, charactersMax: textCharactersMax, bytesMax: textBytesMax)
    } catch { throw .text(error) }
    return text
  }

  /// Checks the number of pictures.
  ///
  /// - Throws: `tooManyPictures`.
  package static func check(pictures count: Int) throws(CapsuleFault) {
    guard count <= picturesMax else { throw .tooManyPictures(count) }
  }

  /// Checks that a memory's day, counted from 1970, is not after the latest day that it is anywhere on Earth at `now`,
  /// 14 hours ahead of UTC.
  ///
  /// - Throws: `dateInFuture`.
  package static func check(memoryDay: Int64, at now: Instant) throws(CapsuleFault) {
    let hourMs: Int64 = 3_600_000
    let (day, rest) = (now.milliseconds + 14 * hourMs).quotientAndRemainder(dividingBy: 24 * hourMs)
    guard memoryDay <= (rest < 0 ? day - 1 : day) else { throw .dateInFuture }
  }

  /// Whether a fix may open a capsule: accepted, and at most 30 s old.
  package static func isFresh(fixOf time: Instant, at now: Instant) -> Bool {
    now.milliseconds - time.milliseconds <= fixAgeMaxMs
  }

  /// Whether a capsule opens from this place, both on the map.
  package static func opens(_ capsule: Coordinate, from place: Coordinate) -> Bool {
    Geodesy.isWithin(openingMm, capsule, place)
  }
}

/// The reason why a capsule is refused.
package enum CapsuleFault: Error, Hashable, Sendable, CustomStringConvertible {
  case title(TextFault)
  case text(TextFault)
  case tooManyPictures(Int)
  case dateInFuture

  package var description: String {
    switch self {
    case .title(let fault): "its title: \(fault)"
    case .text(let fault): "its text: \(fault)"
    case .tooManyPictures(let count): "\(count) pictures, more than \(CapsuleRules.picturesMax)"
    case .dateInFuture: "the date of the memory is in the future"
    }
  }
}
