// Honest players with the receivers of real phones: how often the rules take errors for lies. A value; the same seed
// gives the same trial.
import Game
import ReceiverErrors
import SeededRandom

/// A walk of 20 minutes in a room of its own, judged as it happens.
package struct ReceiverTrial {
  /// The outcomes of walks.
  package struct Tally: Sendable {
    package private(set) var minutes = 0
    /// Minutes in which the player was suspect at least once.
    package private(set) var suspectMinutes = 0
    /// Walks in which the player was suspect at least once.
    package private(set) var suspectWalks = 0
    package private(set) var walks = 0
    package private(set) var verdicts: [FixVerdict: Int] = [:]
    fileprivate var fingerprint: UInt64 {
      FixVerdict.allCases.reduce(UInt64(suspectMinutes)) { $0 &* 31 &+ UInt64(verdicts[$1] ?? 0) }
    }

    package init() {}

    package static func += (sum: inout Tally, other: Tally) {
      sum.minutes += other.minutes
      sum.suspectMinutes += other.suspectMinutes
      sum.suspectWalks += other.suspectWalks
      sum.walks += other.walks
      sum.verdicts.merge(other.verdicts, uniquingKeysWith: +)
    }

    mutating func add(minutesSuspect: [Bool]) {
      minutes += minutesSuspect.count
      suspectMinutes += minutesSuspect.count { $0 }
      suspectWalks += minutesSuspect.contains(true) ? 1 : 0
      walks += 1
    }

    mutating func add(_ verdict: FixVerdict) { verdicts[verdict, default: 0] += 1 }

    package var line: String {
      let each = verdicts.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.name) \($0.value)" }
      return "\(minutes) minutes in \(walks) walks: \(suspectMinutes) minutes suspect in \(suspectWalks) walks; "
        + each.joined(separator: ", ")
    }
  }

  /// The outcomes of walks with receivers of each class, with errors as recorded and with doubled ones.
  package struct Tallies: Sendable {
    package private(set) var tallies: [Tally]
    private static let kinds = ReceiverClass.allCases.flatMap { [($0, 1.0), ($0, 2.0)] }

    package init() { tallies = Self.kinds.map { _ in Tally() } }

    fileprivate init(seed: UInt64) throws {
      tallies = try Self.kinds.map { try ReceiverTrial.walk(seed: seed, $0.0, scale: $0.1) }
    }

    package static func += (sum: inout Tallies, other: Tallies) {
      for index in sum.tallies.indices { sum.tallies[index] += other.tallies[index] }
    }

    package var lines: [String] {
      zip(Self.kinds, tallies).map { kind, tally in
        "\(kind.0.rawValue), errors times \(Int(kind.1)): \(tally.line)"
      }
    }

    package var fingerprint: UInt64 {
      tallies.reduce(0) { $0 &* 31 &+ $1.fingerprint }
    }
  }

  private static let minutes = 20

  /// A walk with a receiver of each class, with errors as recorded and with doubled ones.
  package static func run(seed: UInt64) throws -> Tallies { try Tallies(seed: seed) }

  /// A walk with errors that are `scale` times as large as the recorded ones.
  package static func walk(seed: UInt64, _ receiver: ReceiverClass, scale: Double = 1) throws -> Tally {
    var random = SplitMix64(seed: seed)
    let began = Instant(milliseconds: 1_790_000_000_000)
    let durationMs = Int64(minutes) * 60_000
    // Half of the phones give a fix a second, the others as the recorded ones did.
    let isEven = random.chance(50)
    let timesMs =
      isEven
      ? stride(from: 0, to: durationMs, by: 1_000).map { $0 }
      : receiver.timesMs(over: durationMs, using: &random).filter { $0 < durationMs }
    let errors = receiver.errors(atMs: timesMs, scale: scale, using: &random)
    let walk = HonestWalk(
      from: began,
      atMs: timesMs,
      errors: errors,
      speedMPerS: 1 + 7 * random.unit(),
      using: &random
    )
    let configuration = try RoomConfiguration(
      mode: .footprint,
      capacity: 1,
      duration: .seconds(minutes * 60 + 60),
      solo: true
    )
    var room = Room(configuration, seed: seed, at: began)
    var effects = Effects()
    room.apply(.join(PlayerID(1), nickname: "walker"), at: began, into: &effects)
    room.apply(.startGame(.seat(0)), at: began, into: &effects)
    var tally = Tally()
    var minutesSuspect = Array(repeating: false, count: minutes)
    for (fix, timeMs) in zip(walk.fixes, timesMs) {
      room.apply(.move(.seat(0), fix), at: began + .milliseconds(timeMs), into: &effects)
      if case .judged(let verdict) = effects.answer { tally.add(verdict) }
      if room.isSuspect(seat: 0) { minutesSuspect[Int(timeMs / 60_000)] = true }
      if timeMs % 10_000 < 1_000 {
        room.apply(.tick(through: .max), at: began + .milliseconds(timeMs), into: &effects)
      }
    }
    tally.add(minutesSuspect: minutesSuspect)
    return tally
  }
}
