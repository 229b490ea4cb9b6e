// The network of a phone: gaps, stalls, reconnects, and times for which the app is killed, drawn from a seed.
//
// Values.
import ArgumentParser
import Foundation

/// The lengths of gaps, by the words that `--dead-zones` takes.
package enum DeadZones: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// Gaps of 5 to 20 s, one after the other.
  case short
  /// Gaps of 5 s to 10 min.
  case long

  /// A gap in a shared game is shorter than this, and than the time left; seconds.
  private static let sharedMaxSeconds = 95.0
  /// The time that a phone needs behind its last gap in a shared game to tell all; seconds.
  private static let sharedRestSeconds = 5.0

  /// Draws the acts of a game's network.
  package func acts(seconds: Int, isShared: Bool, seed: UInt64) -> [PhoneScript.Step] {
    var random = SplitMix64(seed)
    var steps: [PhoneScript.Step] = []
    let end = Double(seconds)
    var time = random.fraction(in: 2...(self == .short ? 6 : 30))
    while time < end - Self.sharedRestSeconds {
      let act = Self.acts[Int(random.next() % UInt64(Self.acts.count))]
      var length = length(of: act, &random)
      if isShared { length = min(length, Self.sharedMaxSeconds, end - Self.sharedRestSeconds - time) }
      steps.append(PhoneScript.Step(atMs: Int64(time * 1_000), act))
      steps.append(PhoneScript.Step(atMs: Int64((time + length) * 1_000), .comeBack))
      time += length + random.fraction(in: self == .short ? 1...8 : 5...40)
    }
    return steps
  }

  /// The acts to draw from, some more often.
  private static let acts: [PhoneScript.Act] = [
    .lose(isSilent: false), .lose(isSilent: true), .lose(isSilent: false), .stall, .stall, .kill, .reconnect,
  ]

  private func length(of act: PhoneScript.Act, _ random: inout SplitMix64) -> Double {
    switch act {
    case .stall: return random.fraction(in: 1...9)
    case .reconnect: return 0
    default:
      guard self == .long else { return random.fraction(in: 5...20) }
      // As many of 5 to 50 s as of 50 to 500.
      return 5 * pow(120, random.fraction(in: 0...1))
    }
  }
}
