// The fixes of a phone, by the time of the game, and the messages that tell them.
//
// Values.
import MadangProtocol

/// A fix as a receiver gives it.
package struct PhoneFix: Equatable, Codable, Sendable {
  /// Milliseconds since the start of the game.
  package var atMs: Int64
  package var latE7: Int32
  package var lngE7: Int32
  /// Metres, rounded up; 0: unknown.
  package var accuracyM: UInt32

  package init(atMs: Int64, _ place: Coordinate, accuracyM: UInt32) {
    self.atMs = atMs
    latE7 = place.latE7
    lngE7 = place.lngE7
    self.accuracyM = accuracyM
  }

  /// The place as sent.
  package var place: Coordinate { Coordinate(latitude: Double(latE7) / 1e7, longitude: Double(lngE7) / 1e7) }
}

extension WireMove {
  /// A fix of a game that began at `startMs` on the server's clock.
  init(_ fix: PhoneFix, startMs: Int64) {
    self.init()
    timeMs = startMs + fix.atMs
    latE7 = fix.latE7
    lngE7 = fix.lngE7
    accuracyM = fix.accuracyM
  }
}

extension WireMoves {
  /// Fixes in the order of their times, of a game that began at `startMs` on the server's clock.
  package init(_ fixes: some Collection<PhoneFix>, startMs: Int64, more: Bool) {
    self.init()
    self.more = more
    guard let first = fixes.first else { return }
    timeMs = startMs + first.atMs
    var beforeMs = first.atMs
    for fix in fixes {
      afterMs.append(UInt32(clamping: fix.atMs - beforeMs))
      beforeMs = fix.atMs
    }
    latE7 = fixes.map(\.latE7)
    lngE7 = fixes.map(\.lngE7)
    accuracyM = fixes.map(\.accuracyM)
  }

  /// All fixes, 60 a message.
  static func batches(_ fixes: [PhoneFix], startMs: Int64) -> [WireMoves] {
    stride(from: 0, to: fixes.count, by: 60).map { begin in
      let end = min(begin + 60, fixes.count)
      return WireMoves(fixes[begin..<end], startMs: startMs, more: end < fixes.count)
    }
  }
}
