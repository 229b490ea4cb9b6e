// The fixes that an overloaded shard leaves out: those that come together, near each other in time.
import Game
import Server
import Testing

@Suite("An overloaded shard takes one fix of those that come together")
struct FixSpacingTests {
  private func fix(_ milliseconds: Int64?) -> Fix {
    Fix(latE7: 375_000_000, lngE7: 1_270_000_000, accuracyM: 5, time: milliseconds.map { Instant(milliseconds: $0) })
  }

  /// Which fixes are taken: each with the time at which it comes.
  private func taken(_ fixes: [(fix: Int64?, at: Int64)]) -> [Bool] {
    var spacing = FixSpacing()
    return fixes.map { spacing.takes(fix($0.fix), at: Instant(milliseconds: $0.at)) }
  }

  @Test("The first of a read is taken, and those within 400 ms of it are not, without a time too")
  func together() {
    #expect(taken([(1_000, 1_200), (1_100, 1_200), (1_399, 1_200), (1_400, 1_200)]) == [true, false, false, true])
    #expect(taken([(nil, 1_200), (nil, 1_200)]) == [true, false])
    #expect(taken([(1_000, 1_200), (700, 1_200)]) == [true, false])
  }

  @Test("A fix of the next read is taken, however near in time")
  func nextRead() {
    #expect(taken([(1_000, 1_200), (1_100, 1_300), (1_200, 1_400)]) == [true, true, true])
  }

  @Test("A phone that sends one a second loses none that its line has held back")
  func heldBack() {
    #expect(taken((0..<30).map { ($0 * 1_000, 30_000) }).allSatisfy { $0 })
  }

  @Test("Times at the ends of their range are compared all the same", arguments: [Int64.min, -1, 0, .max])
  func anyTime(_ time: Int64) {
    #expect(taken([(time, 5), (0, 5), (.max, 5), (.min, 5)]).first == true)
  }
}
