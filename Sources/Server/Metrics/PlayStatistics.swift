// What the service of one shard has done since it began.
//
// A value of one shard, of plain numbers that are only ever added to; others get copies.
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
}

/// What the rules against forged positions told a player.
enum SpoofVerdict: Int, CaseIterable, Sendable {
  case notAfterLast, tooFarAhead, tooOld, offTheMap, mocked, tooFast
  /// A suspicion is over.
  case cleared
}

/// What became of a batch of taps.
enum TapOutcome: Int, CaseIterable, Sendable {
  case counted, again, past, gap, abnormal, tooFast, noSchool, schoolClosed, outOfRange
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
  var verdicts = Counts<SpoofVerdict>()

  /// Batches of taps that have come, and those among them that were abnormal.
  package var tapBatches = 0
  package var abnormalBatches = 0
  var tapOutcomes = Counts<TapOutcome>()
  /// Taps in batches that counted.
  var taps = 0
  /// Rankings that were published to watchers' connections.
  package var rankings = 0
  /// How long publishing the ranking took, each shard by itself.
  package var rankingTicks = Durations()

  /// Stands for an end without a code.
  static let noCloseCode: UInt16 = 0

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
    sum.verdicts = left.verdicts + right.verdicts
    sum.tapBatches += right.tapBatches
    sum.abnormalBatches += right.abnormalBatches
    sum.tapOutcomes = left.tapOutcomes + right.tapOutcomes
    sum.taps += right.taps
    sum.rankings += right.rankings
    sum.rankingTicks = left.rankingTicks + right.rankingTicks
    return sum
  }
}

extension SpoofVerdict {
  init(_ refusal: FixRefusal?) {
    self =
      switch refusal {
      case .notAfterLast: .notAfterLast
      case .tooFarAhead: .tooFarAhead
      case .tooOld: .tooOld
      case .offTheMap: .offTheMap
      case .mocked: .mocked
      case .tooFast: .tooFast
      case nil: .cleared
      }
  }
}

extension TapOutcome {
  init(_ decision: TapDecision) {
    self =
      switch decision {
      case .counted: .counted
      case .again: .again
      case .past: .past
      case .gap: .gap
      case .abnormal, .againAbnormal: .abnormal
      case .tooFast: .tooFast
      case .noSchool: .noSchool
      case .schoolClosed: .schoolClosed
      case .outOfRange: .outOfRange
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
}
