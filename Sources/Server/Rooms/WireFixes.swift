// Fixes from the wire, in each form that a client sends: one, in its usual form or any other, or those that it has
// kept. Pure.
import Game
import MadangProtocol

/// A message's fixes lack a field, or its columns don't fit each other.
struct UnfitFixes: Error {
  let text: String
}

extension Fix {
  /// The fix of a `move` in its usual form.
  init(_ move: MoveFix) {
    self.init(
      latE7: move.latE7,
      lngE7: move.lngE7,
      accuracyM: move.accuracyM,
      time: move.timeMs.map(Instant.init(milliseconds:)),
      mocked: move.mocked
    )
  }

  /// The fix of a `move` in any form that its schema allows.
  init(_ move: WireMove) throws(UnfitFixes) {
    guard move.hasLatE7 else { throw UnfitFixes(text: "latE7: missing") }
    guard move.hasLngE7 else { throw UnfitFixes(text: "lngE7: missing") }
    self.init(
      latE7: move.latE7,
      lngE7: move.lngE7,
      accuracyM: move.hasAccuracyM ? move.accuracyM : nil,
      time: move.hasTimeMs ? Instant(milliseconds: move.timeMs) : nil,
      mocked: move.mocked
    )
  }
}

extension Fix {
  /// As `[Fix].decided`, of a fix alone.
  func decided(through judged: Instant?, at now: Instant) -> Instant {
    let judged = judged ?? Instant(milliseconds: 0)
    guard let time, time <= now + .milliseconds(PositionRules.aheadMaxMs) else { return judged }
    return max(judged, time)
  }
}

extension [Fix] {
  /// Reads the columns of a phone's kept fixes.
  init(_ wire: WireMoves) throws(UnfitFixes) {
    let count = wire.afterMs.count
    guard wire.latE7.count == count, wire.lngE7.count == count, wire.accuracyM.count == count else {
      throw UnfitFixes(text: "afterMs, latE7, lngE7, accuracyM: columns of one length")
    }
    guard count > 0 else {
      self = []
      return
    }
    guard wire.hasTimeMs else { throw UnfitFixes(text: "timeMs: missing") }
    guard wire.afterMs[0] == 0 else { throw UnfitFixes(text: "afterMs: 0 for the first fix") }
    var time = wire.timeMs
    self = []
    reserveCapacity(count)
    for index in 0..<count {
      let (sum, isOver) = time.addingReportingOverflow(Int64(wire.afterMs[index]))
      guard !isOver else { throw UnfitFixes(text: "timeMs, afterMs: beyond any time") }
      time = sum
      let accuracyM = wire.accuracyM[index]
      append(
        Fix(
          latE7: wire.latE7[index],
          lngE7: wire.lngE7[index],
          accuracyM: accuracyM == 0 ? nil : accuracyM,
          time: Instant(milliseconds: time),
          mocked: wire.mocked
        )
      )
    }
  }

  /// The time through which a phone may forget its fixes: all that it has told have a final verdict, too old ones and
  /// those outside a game as well, but for those that are still too far ahead. `judged` is the time of the newest
  /// judged fix.
  func decided(through judged: Instant?, at now: Instant) -> Instant {
    let aheadMax = now + .milliseconds(PositionRules.aheadMaxMs)
    let told = lazy.compactMap(\.time).filter { $0 <= aheadMax }.max()
    return Swift.max(judged ?? Instant(milliseconds: 0), told ?? Instant(milliseconds: 0))
  }
}
