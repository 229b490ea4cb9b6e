// A bot's own calculation of its run around a land, compared with the server's messages.
//
// A value. A second implementation of the rules on purpose: in floating point, each vertex against each step. It
// separates vertices visited for sure from those that a hand's breadth or a moment decides.

package struct ExpectedRun: Sendable {
  package let ring: LandRing
  /// The start, in seconds on the bot's clock.
  package let beganAt: Double
  private var surely: Set<Int> = []
  private var perhaps: Set<Int> = []
  private var last: Spot
  private var lastAt: Double

  private static let visitM = 5.0
  private static let stepMaxSeconds = 3.0
  /// The possible difference between the bot's and the server's time between two fixes.
  private static let unclearSeconds = 1.0

  /// A run that begins with a fix.
  package init(around ring: LandRing, from spot: Spot, at seconds: Double) {
    self.ring = ring
    beganAt = seconds
    last = spot
    lastAt = seconds
  }

  package var surelyVisited: Int { surely.count }
  package var perhapsVisited: Int { perhaps.count }

  /// Takes the next fix.
  package mutating func walk(to spot: Spot, at seconds: Double) {
    defer { (last, lastAt) = (spot, seconds) }
    let elapsed = seconds - lastAt
    guard elapsed <= Self.stepMaxSeconds + Self.unclearSeconds else { return }
    let step = Segment(last, spot)
    for (index, vertex) in ring.vertices.enumerated() {
      let metres = step.metres(to: vertex)
      guard metres <= Self.visitM + LandRing.unclearM else { continue }
      perhaps.insert(index)
      guard metres <= Self.visitM - LandRing.unclearM, elapsed <= Self.stepMaxSeconds - Self.unclearSeconds else {
        continue
      }
      surely.insert(index)
    }
  }

  /// Whether the server must have (true), can't have (false) or may have (nil) counted a capture by now.
  package func isCaptured(at seconds: Double, speedMaxM: Double) -> Bool? {
    let leastSeconds = ring.lengthM / speedMaxM
    let elapsed = seconds - beganAt
    if perhaps.count < ring.needed || elapsed < leastSeconds - Self.unclearSeconds { return false }
    return surely.count >= ring.needed && elapsed > leastSeconds + Self.unclearSeconds ? true : nil
  }
}
