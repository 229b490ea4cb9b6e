// What the service of one shard has done since it began.
//
// A value of one shard, of plain numbers that are only ever added to; others get copies. What has a code of the wire is called
// by it outside, anything else in the same form.
import Game
import MadangProtocol

/// What became of a `resume`.
enum ResumeOutcome: Int, CaseIterable, Sendable {
  /// Back in the room that the player was in.
  case inRoom
  /// The session goes on; the player is in no room, or no longer.
  case withoutRoom
  case badToken, sessionEnded, sessionExpired, banned
  /// A newer connection of the player's was there first.
  case replaced
  /// The store could not be asked.
  case storeUnavailable
  /// The player or the address came back too often.
  case rateLimited
}

/// What became of a batch of taps.
enum TapOutcome: Int, CaseIterable, Sendable {
  case counted
  /// It has the number of the newest one, whether that counted or was abnormal, and its answer once more.
  case again
  case past, gap, abnormal, tooFast, noSchool, schoolClosed, outOfRange
}

package struct PlayStatistics: Sendable {
  /// Tick frames that were handed to players' connections.
  package var tickFrames = 0
  /// Ticks that were compressed, each once for a room and a size of window.
  package var compressedTicks = 0
  /// How late ticks left.
  package var lateness = Durations()

  /// WebSockets that were opened, and closed by their codes.
  var opened = 0
  var closed: [UInt16: Int] = [:]
  var resumes = Counts<ResumeOutcome>()

  /// Players who took a place in a room.
  var joins = 0
  var joinsRefused: [WireErrorCode: Int] = [:]
  /// Players who were told that a fix of theirs was refused, by why; and those who were told that a suspicion is over.
  var refusals = Counts<FixRefusal>()
  var clearances = 0

  var tapOutcomes = Counts<TapOutcome>()
  /// Taps in batches that counted.
  var taps = 0
  /// Rankings that were published to watchers' connections.
  package var rankings = 0
  /// How long publishing the ranking took, each shard by itself.
  package var rankingTicks = Durations()

  /// Stands for an end without a code.
  static let noCloseCode: UInt16 = 0

  /// Batches of taps that have come.
  package var tapBatches: Int { tapOutcomes.total }
  /// Those among them that were abnormal, each once however often it came.
  package var abnormalBatches: Int { tapOutcomes[.abnormal] }

  /// A player is told that a fix was refused, or, without a refusal, that a suspicion is over.
  mutating func note(verdict refusal: FixRefusal?) {
    if let refusal { refusals[refusal] += 1 } else { clearances += 1 }
  }

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.tickFrames += right.tickFrames
    sum.compressedTicks += right.compressedTicks
    sum.lateness = left.lateness + right.lateness
    sum.opened += right.opened
    sum.closed = left.closed + right.closed
    sum.resumes = left.resumes + right.resumes
    sum.joins += right.joins
    sum.joinsRefused = left.joinsRefused + right.joinsRefused
    sum.refusals = left.refusals + right.refusals
    sum.clearances += right.clearances
    sum.tapOutcomes = left.tapOutcomes + right.tapOutcomes
    sum.taps += right.taps
    sum.rankings += right.rankings
    sum.rankingTicks = left.rankingTicks + right.rankingTicks
    return sum
  }
}

extension TapOutcome {
  init(_ decision: TapDecision) {
    self =
      switch decision {
      case .counted: .counted
      case .again, .againAbnormal: .again
      case .past: .past
      case .gap: .gap
      case .abnormal: .abnormal
      case .tooFast: .tooFast
      case .noSchool: .noSchool
      case .schoolClosed: .schoolClosed
      case .outOfRange: .outOfRange
      }
  }

  /// What it is called outside: a refusal by its code on the wire.
  var name: String {
    switch self {
    case .counted: "COUNTED"
    case .again: "AGAIN"
    case .past: "PAST"
    case .gap: WireErrorCode.batchGap.name
    case .abnormal: WireErrorCode.abnormalTaps.name
    case .tooFast: WireErrorCode.rateLimited.name
    case .noSchool: WireErrorCode.schoolNeeded.name
    case .schoolClosed: WireErrorCode.schoolClosed.name
    case .outOfRange: WireErrorCode.outOfRange.name
    }
  }
}

extension ResumeOutcome {
  /// Of a resume that was refused.
  init(_ code: WireErrorCode) {
    self =
      switch code {
      case .sessionEnded: .sessionEnded
      case .sessionExpired: .sessionExpired
      case .banned: .banned
      default: .badToken
      }
  }

  /// What it is called outside: a refusal by its code on the wire.
  var name: String {
    switch self {
    case .inRoom: "IN_ROOM"
    case .withoutRoom: "WITHOUT_ROOM"
    case .badToken: WireErrorCode.badToken.name
    case .sessionEnded: WireErrorCode.sessionEnded.name
    case .sessionExpired: WireErrorCode.sessionExpired.name
    case .banned: WireErrorCode.banned.name
    case .replaced: "REPLACED"
    case .storeUnavailable: WireErrorCode.storeUnavailable.name
    case .rateLimited: WireErrorCode.rateLimited.name
    }
  }
}
