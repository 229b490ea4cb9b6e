// The errors of real phones' receivers, drawn from a seed, for walks of simulations and bots. The model and its figures
// are those of docs/receiver-errors.md; `simulate_errors` of scripts/fit-receiver-errors is the same in Python.
import Foundation
import SeededRandom

/// How well a receiver sees the sky, by the accuracy that it claims.
package enum ReceiverClass: String, CaseIterable, Sendable {
  /// It claims up to 6 m.
  case open
  /// It claims up to 15 m.
  case city
  /// It claims more: streets between high houses, indoors.
  case canyon

  package var figures: ReceiverFigures {
    switch self {
    case .open: .open
    case .city: .city
    case .canyon: .canyon
    }
  }
}

/// The error of one fix.
package struct ReceiverError: Sendable {
  /// How far the fix is north of the truth, metres.
  package var northM: Double
  /// How far the fix is east of the truth, metres.
  package var eastM: Double
  /// The accuracy that the receiver claims, metres.
  package var accuracyM: Double

  package init(northM: Double = 0, eastM: Double = 0, accuracyM: Double) {
    self.northM = northM
    self.eastM = eastM
    self.accuracyM = accuracyM
  }
}

extension ReceiverClass {
  /// Times of fixes over at least this long, milliseconds from 0: with the intervals and gaps of the recordings.
  package func timesMs(over durationMs: Int64, using random: inout SplitMix64) -> [Int64] {
    var times: [Int64] = [0]
    // A receiver keeps its interval for a walk.
    let intervalMs = max(200, figures.intervalMs.value(at: random.unit()))
    while times[times.count - 1] < durationMs {
      let isGap = random.unit() < Double(figures.gapsPerMillionFixes) / 1_000_000
      let step = isGap ? figures.gapMs.value(at: random.unit()) : intervalMs
      times.append(times[times.count - 1] + Int64(step))
    }
    return times
  }

  /// Draws the errors of one walk's fixes, whose times rise. With `scale` the errors are so many times larger than in
  /// the figures; claimed accuracies stay.
  package func errors(
    atMs timesMs: [Int64],
    scale: Double = 1,
    using random: inout SplitMix64
  ) -> [ReceiverError] {
    var walk = ReceiverWalk(figures, timesMs, using: &random)
    walk.wander(using: &random)
    walk.jump(using: &random)
    return walk.errors.map {
      ReceiverError(northM: $0.northM * scale, eastM: $0.eastM * scale, accuracyM: max(0.5, $0.accuracyM))
    }
  }
}

/// The errors of one walk, while they are drawn.
private struct ReceiverWalk {
  /// A longer step than this, and than five usual ones, is a jump, metres.
  private static let jumpLeastM = 2.5
  private static let jumpSigmas = 5.0
  /// An axis' claim is the claimed radius divided by this.
  private static let radialToAxis = 1.515

  private let figures: ReceiverFigures
  private let timesMs: [Int64]
  var errors: [ReceiverError]
  private let levelM: Double
  /// A rough receiver is rough in its steps, its white part and its jumps.
  private let roughness: Double

  init(_ figures: ReceiverFigures, _ timesMs: [Int64], using random: inout SplitMix64) {
    self.figures = figures
    self.timesMs = timesMs
    levelM = figures.accuracyLevelMm.value(at: random.unit()) / 1_000
    errors = []
    let correlation = Double(figures.accuracyCorrelationPermille) / 1_000
    var latent = random.gaussian()
    for index in timesMs.indices {
      if index > 0 { latent = correlation * latent + (1 - correlation * correlation).squareRoot() * random.gaussian() }
      let ratio = figures.accuracyWithinWalkPermille.value(at: Self.share(below: latent)) / 1_000
      errors.append(ReceiverError(accuracyM: levelM * ratio))
    }
    roughness = random.unit()
  }

  /// The slow error, and the white one.
  mutating func wander(using random: inout SplitMix64) {
    let stdM = figures.wanderPermilleOfAxis.value(at: random.unit()) / 1_000 * levelM / Self.radialToAxis
    let usualM = figures.stepUsualMmPerRootS.value(at: roughness) / 1_000
    let whiteM = figures.stepTurnPermille < 0 ? figures.whiteMm.value(at: roughness) / 1_000 : 0
    let burst = Double(figures.stepBurstPermille) / 1_000
    let turn = Double(max(0, figures.stepTurnPermille)) / 1_000
    let limitM = max(Self.jumpLeastM, Self.jumpSigmas * usualM / 1.18)
    var size = random.gaussian()
    var way = (north: random.gaussian(), east: random.gaussian())
    var steps: [(northM: Double, eastM: Double)] = []
    var squares = 0.0
    for index in timesMs.indices {
      if index > 0 {
        size = burst * size + (1 - burst * burst).squareRoot() * random.gaussian()
        let rest = (1 - turn * turn).squareRoot()
        way = (turn * way.north + rest * random.gaussian(), turn * way.east + rest * random.gaussian())
      }
      var lengthM = usualM * figures.stepPermilleOfUsual.value(at: Self.share(below: size)) / 1_000
      // A longer step would be a jump. It is drawn anew between the usual step and that limit.
      if lengthM > limitM { lengthM = usualM + (limitM - usualM) * random.unit() }
      squares += lengthM * lengthM
      let norm = max(1e-9, (way.north * way.north + way.east * way.east).squareRoot())
      steps.append((lengthM * way.north / norm, lengthM * way.east / norm))
    }
    // The pull back to the truth is set so that the wander keeps its standard deviation.
    let spread = squares / Double(timesMs.count) / 2 * (1 + turn) / (1 - turn)
    let tauS = min(1_200, max(4, 2 * stdM * stdM / max(spread, 1e-6)))
    var north = stdM * random.gaussian()
    var east = stdM * random.gaussian()
    for index in timesMs.indices {
      if index > 0 {
        let seconds = Double(timesMs[index] - timesMs[index - 1]) / 1_000
        let pull = exp(-seconds / tauS)
        north = pull * north + seconds.squareRoot() * steps[index].northM
        east = pull * east + seconds.squareRoot() * steps[index].eastM
      }
      errors[index].northM = north + whiteM * random.gaussian()
      errors[index].eastM = east + whiteM * random.gaussian()
    }
  }

  /// Jumps between houses, which are undone at once or fade away.
  mutating func jump(using random: inout SplitMix64) {
    let rate = figures.jumpsPerMillionFixes.value(at: roughness) / 1_000_000
    var index = 1
    while index < errors.count {
      guard random.unit() < rate else {
        index += 1
        continue
      }
      let sizeM = figures.jumpMm.value(at: random.unit()) / 1_000
      let lasts = max(1, Int(figures.jumpLastsFixes.value(at: random.unit()).rounded()))
      let angle = random.unit() * 2 * .pi
      let isUndoneAtOnce = random.unit() < Double(figures.jumpUndoneAtOncePermille) / 1_000
      let end = isUndoneAtOnce ? min(errors.count, index + lasts) : errors.count
      for affected in index..<end {
        let fade = isUndoneAtOnce ? 1 : pow(0.5, Double(affected - index) / Double(lasts))
        errors[affected].northM += sizeM * cos(angle) * fade
        errors[affected].eastM += sizeM * sin(angle) * fade
      }
      let claim = figures.jumpAccuracyPermilleOfBefore.value(at: random.unit()) / 1_000
      for affected in index..<min(errors.count, index + lasts) { errors[affected].accuracyM *= claim }
      index += lasts
    }
  }

  /// The share of a normal distribution that lies below a value.
  private static func share(below value: Double) -> Double { 0.5 * (1 + erf(value / 2.0.squareRoot())) }
}

extension SplitMix64 {
  /// From 0 up to, but without, 1.
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Of a normal distribution, by Box and Muller.
  package mutating func gaussian() -> Double {
    (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit())
  }
}
