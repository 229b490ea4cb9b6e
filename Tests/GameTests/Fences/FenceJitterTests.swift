// A day of fixes around a fence's edge by receivers with an accuracy of 5, 20 and 50 m, as counts of what is told,
// beside those of a plain test of the distance. At the edge that one changes sides 43,000 times a day with independent
// errors, 5,000 times with such that are forgotten after a minute, and 2,300 times with five minutes.
// Decisions: 109 (docs/decisions).

import Foundation
import Game
import SeededRandom
import Testing

@Suite("Fences: a day of jitter")
struct FenceJitterTests {
  struct Counts: CustomStringConvertible {
    var entered = 0
    var left = 0
    var dwelled = 0
    /// Changes of side by the distance of the centre alone.
    var plain = 0

    var description: String { "\(entered) entered, \(left) left, \(dwelled) dwelled, \(plain) by plain distance" }
  }

  /// The receiver's errors: independent, or forgotten after so many seconds.
  static let kinds: [Double?] = [nil, 60, 300]
  private static let ground = TestGround()

  /// Feeds one fix a second with errors on a true path; its place is given in metres.
  private func counts(
    of fence: Fence,
    accuracyM: Double,
    forgottenAfterS: Double?,
    seconds: Int,
    seed: UInt64,
    path: (Int) -> (Double, Double)
  ) -> Counts {
    var random = SplitMix64(seed: seed)
    var errors = TestErrors(accuracyM: accuracyM, forgottenAfterS: forgottenAfterS, using: &random)
    let catalogue = FenceCatalogue([fence], generation: 1)
    var watch = FenceWatch()
    var counts = Counts()
    var wasInside: Bool?
    for second in 0..<seconds {
      let (eastM, northM) = path(second)
      let error = errors.next(using: &random)
      let place = Self.ground.at(eastM + error.eastM, northM + error.northM)
      let isInside = fence.shape.depthMm(of: place) >= 0
      if let wasInside, wasInside != isInside { counts.plain += 1 }
      wasInside = isInside
      for event in watch.take(place, accuracyM: UInt32(accuracyM), at: .seconds(second), in: catalogue) {
        if event.kind == .entered { counts.entered += 1 }
        if event.kind == .left { counts.left += 1 }
        if event.kind == .dwelled { counts.dwelled += 1 }
      }
    }
    return counts
  }

  @Test(
    "Who stays a day near the edge enters and leaves once at most",
    arguments: [5.0, 20, 50],
    kinds
  )
  func staying(accuracyM: Double, forgottenAfterS: Double?) throws {
    let circle = try Self.ground.circle(1, radiusM: 600)
    let small = try Self.ground.circle(2, radiusM: 2 * accuracyM)
    let square = try Self.ground.polygon(3, [(-300, -300), (300, -300), (300, 300), (-300, 300)])
    // At the edge, at the distance of the jitter to either side, and in the middle between the rule's two lines.
    let cases: [(Fence, Double)] =
      [(circle, 600), (circle, 600 - accuracyM), (circle, 600 + accuracyM), (circle, 605 + 2 * accuracyM)]
      + [(square, 300), (small, 2 * accuracyM), (small, 4 * accuracyM)]
    for (number, (fence, eastM)) in cases.enumerated() {
      let counts = counts(
        of: fence,
        accuracyM: accuracyM,
        forgottenAfterS: forgottenAfterS,
        seconds: 86_400,
        seed: 20_261_300 + UInt64(number)
      ) { _ in (eastM, 0) }
      #expect(counts.entered <= 1 && counts.left <= 1, "\(fence.name), \(eastM) m east: \(counts)")
      // At the edge itself.
      if number == 0 { #expect(counts.plain > (forgottenAfterS == nil ? 40_000 : 1_000)) }
    }
  }

  @Test("Who walks along the edge for a day enters and leaves once at most", arguments: [5.0, 20, 50], kinds)
  func along(accuracyM: Double, forgottenAfterS: Double?) throws {
    let fence = try Self.ground.circle(1, radiusM: 600)
    for (number, offsetM) in [0, -accuracyM, accuracyM].enumerated() {
      let counts = counts(
        of: fence,
        accuracyM: accuracyM,
        forgottenAfterS: forgottenAfterS,
        seconds: 86_400,
        seed: 20_261_400 + UInt64(number)
      ) { second in
        let angle = Double(second) * 1.3 / 600
        return ((600 + offsetM) * cos(angle), (600 + offsetM) * sin(angle))
      }
      #expect(counts.entered <= 1 && counts.left <= 1, "\(offsetM) m outside: \(counts)")
    }
  }

  @Test("Who walks in, stays an hour and walks away enters once and leaves once", arguments: [5.0, 20, 50], kinds)
  func crossing(accuracyM: Double, forgottenAfterS: Double?) throws {
    let fences = [
      try Self.ground.circle(1, radiusM: 600, dwellS: 1_800),
      try Self.ground.circle(2, radiusM: 2 * accuracyM, dwellS: 1_800),
      try Self.ground.polygon(3, [(-200, -200), (200, -200), (200, 200), (-200, 200)], dwellS: 1_800),
    ]
    for (number, fence) in fences.enumerated() {
      let counts = counts(
        of: fence,
        accuracyM: accuracyM,
        forgottenAfterS: forgottenAfterS,
        seconds: 3_600 + 2 * 1_500,
        seed: 20_261_500 + UInt64(number)
      ) { second in
        (second < 1_500 ? Double(second - 1_500) : Double(max(0, second - 5_100)), 0)
      }
      #expect(counts.entered == 1 && counts.left == 1 && counts.dwelled == 1, "\(fence.name): \(counts)")
    }
  }

  @Test(
    "Who enters and stays a day at the edge dwells once, at the moment when the seconds are over",
    arguments: [5.0, 20, 50],
    kinds
  )
  func dwelling(accuracyM: Double, forgottenAfterS: Double?) throws {
    let dwellS: Int64 = 3_600
    let fence = try Self.ground.circle(1, radiusM: 600, dwellS: dwellS)
    let catalogue = FenceCatalogue([fence], generation: 1)
    for (number, offsetM) in [0, -accuracyM, accuracyM].enumerated() {
      var random = SplitMix64(seed: 20_261_600 + UInt64(number))
      var errors = TestErrors(accuracyM: accuracyM, forgottenAfterS: forgottenAfterS, using: &random)
      var watch = FenceWatch()
      var events: [FenceEvent] = []
      for second in 0..<86_400 {
        // Five minutes in the middle, then at the edge.
        let eastM = second < 300 ? 0 : 600 + offsetM
        let error = errors.next(using: &random)
        let place = Self.ground.at(eastM + error.eastM, error.northM)
        events += watch.take(place, accuracyM: UInt32(accuracyM), at: .seconds(second), in: catalogue)
      }
      let entered = try #require(events.first)
      #expect(entered.kind == .entered && entered.at < .seconds(300))
      // Nobody dwells before the time, or twice; who stays has dwelled.
      #expect(events.dropFirst().first?.kind == .dwelled, "\(offsetM) m outside: \(events)")
      #expect(events.count { $0.kind == .dwelled } == 1 && events.count <= 3, "\(offsetM) m outside: \(events)")
      let dwelled = try #require(events.first { $0.kind == .dwelled })
      #expect(dwelled.at == entered.at + .seconds(dwellS))
    }
  }
}
