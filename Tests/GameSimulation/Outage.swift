// A phone's network during a walk: times without it, and times in which nothing passes. Values, drawn from a
// seed.
import SeededRandom

/// A time in which a phone's messages do not arrive.
struct Outage {
  enum Kind {
    /// The connection is lost: in a tunnel, or because the app or the server was killed.
    case gap
    /// The connection stays, and everything arrives at the end of the outage.
    case stall
  }

  let kind: Kind
  /// Milliseconds behind the beginning of the game.
  let beginMs: Int64
  let endMs: Int64
  /// The time from its beginning until the phone notices that the connection is lost.
  let noticedByPhoneMs: Int64
  /// The time from its beginning until the server notices.
  let noticedByServerMs: Int64
  /// The server is killed and started again while the outage lasts.
  let crashesServer: Bool

  init(stallFromMs beginMs: Int64, lastingMs: Int64) {
    self.init(
      kind: .stall,
      beginMs: beginMs,
      endMs: beginMs + lastingMs,
      noticedByPhoneMs: 0,
      noticedByServerMs: 0,
      crashesServer: false
    )
  }

  private init(
    kind: Kind,
    beginMs: Int64,
    endMs: Int64,
    noticedByPhoneMs: Int64,
    noticedByServerMs: Int64,
    crashesServer: Bool
  ) {
    self.kind = kind
    self.beginMs = beginMs
    self.endMs = endMs
    self.noticedByPhoneMs = noticedByPhoneMs
    self.noticedByServerMs = noticedByServerMs
    self.crashesServer = crashesServer
  }

  func contains(_ ms: Int64) -> Bool { (beginMs..<endMs).contains(ms) }

  /// Outages with time between them, in whole tenths of a second. Gaps last 5 s to `gapMaxMs`, stalls up to 12 s; none
  /// is over later than `untilMs`.
  static func draw(gapMaxMs: Int64, untilMs: Int64, using random: inout SplitMix64) -> [Outage] {
    func drawMs(_ range: ClosedRange<Int64>) -> Int64 {
      Int64(random.draw(Int(range.lowerBound / 100)...Int(range.upperBound / 100))) * 100
    }
    var outages: [Outage] = []
    var nowMs = drawMs(2_000...60_000)
    while true {
      let kind: Kind = random.chance(50) ? .gap : .stall
      let longestMs = kind == .gap ? (random.chance(60) ? min(gapMaxMs, 60_000) : gapMaxMs) : 12_000
      let endMs = nowMs + drawMs((kind == .gap ? 5_000 : 500)...longestMs)
      guard endMs < untilMs else { return outages }
      outages.append(
        Outage(
          kind: kind,
          beginMs: nowMs,
          endMs: endMs,
          noticedByPhoneMs: drawMs(100...min(9_000, endMs - nowMs)),
          noticedByServerMs: drawMs(1_000...25_000),
          crashesServer: kind == .gap && random.chance(10)
        )
      )
      nowMs = endMs + drawMs(500...90_000)
    }
  }
}
