// The layout of one fuzzed input: choices first, then the bytes of a peer. A value over the driver's memory; it reads
// nothing else, so the same bytes do the same on every machine.
//
//     a byte for each choice of the target, by its remainder: "0" is the first of 2, 3, 4, 6, 8, 12 or 16
//     a byte whose low four bits are the count of piece sizes, then a byte for each size
//     the stream, cut into pieces of those sizes in turn; of one piece without sizes
//
// So a seed that begins with 000 is a whole stream under the target's first choices, and can be written by hand.

/// The choices in front of a stream, and the stream.
package struct FuzzInput {
  /// The bytes that no choice has taken yet.
  package private(set) var rest: UnsafeRawBufferPointer

  package init(_ bytes: UnsafeRawBufferPointer) {
    rest = bytes
  }

  /// The next choice; the first of `choices` when the bytes are at their end.
  package mutating func choose<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int(takeByte()) % choices.count]
  }

  /// The stream, cut by the bytes in front of it. Pieces may be empty, but not all of them.
  package mutating func takePieces() -> [UnsafeRawBufferPointer] {
    let sizes = (0..<takeByte() & 0x0F).map { _ in Int(takeByte()) }
    guard sizes.contains(where: { $0 > 0 }) else { return [rest] }
    var pieces: [UnsafeRawBufferPointer] = []
    var start = 0
    while start < rest.count {
      let end = min(start + sizes[pieces.count % sizes.count], rest.count)
      pieces.append(UnsafeRawBufferPointer(rebasing: rest[start..<end]))
      start = end
    }
    return pieces
  }

  private mutating func takeByte() -> UInt8 {
    guard let byte = rest.first else { return 0 }
    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
    return byte
  }
}

/// All ways in which a target feeds one stream.
struct Feedings {
  let whole: [UnsafeRawBufferPointer]
  let dripped: [UnsafeRawBufferPointer]
  let chosen: [UnsafeRawBufferPointer]

  /// Takes the cuts from the input; its rest is then the stream.
  init(_ input: inout FuzzInput) {
    chosen = input.takePieces()
    let stream = input.rest
    whole = [stream]
    dripped = stream.indices.map { UnsafeRawBufferPointer(rebasing: stream[$0...$0]) }
  }

  /// The result of `feed` for the whole stream; every other way must give the same.
  func expectSame<Outcome: Equatable>(_ feed: ([UnsafeRawBufferPointer]) -> Outcome) -> Outcome {
    let outcome = feed(whole)
    mustHold(feed(dripped) == outcome, "the result is the same byte by byte")
    mustHold(feed(chosen) == outcome, "the result is the same in the chosen pieces")
    return outcome
  }
}
