// The outcome of a phone's game, compared with the expected one.
//
// Values: each shard of phones fills its own, the command puts them together.
import MadangProtocol

package struct PhoneOutcome: Sendable {
  var room: Int
  var bot: Int
  var name: String
  var expected: ExpectedResult
  // The result as the server tells it; nil where it told none.
  var points: UInt32?
  var distanceM: UInt32?
  var latePercent: UInt32 = 0
  var withheldPercent: UInt32 = 0
  /// The time of the ranked run.
  var runMs: UInt32?
  /// The vertices that the newest message about the run had.
  var visited: UInt32?
  /// How often the player became suspect.
  var suspicions = 0
  /// From the first lie to the first suspicion, milliseconds.
  var suspectAfterMs: Int64?
  /// How many fixes the server did not take, by their verdicts.
  var refused: [WireFixVerdict: UInt32] = [:]
  var kills = 0
  var losses = 0
  var stalls = 0
  /// How often the server ended the connection.
  var breaks = 0
  /// The greatest number of fixes that were kept.
  var keptMax = 0

  mutating func note(_ result: WireGameResult) {
    points = result.points
    distanceM = result.distanceM
    latePercent = result.latePercent
    withheldPercent = result.withheldPercent
  }

  mutating func note(_ moved: WireMoved) {
    for reason in moved.reasons { refused[reason.verdict, default: 0] += reason.count }
    if moved.setAside > 0 { refused[.setAside, default: 0] += moved.setAside }
  }

  var text: String {
    let run = runMs.map { ", a run of \($0) ms" } ?? ""
    return "\(points.map(String.init) ?? "no") points, \(distanceM ?? 0) m\(run)"
  }
}

extension Results {
  /// Compares every result with the phone's own calculation, and with that of its twin, `rooms` rooms further, which
  /// walked the same way without gaps.
  mutating func judgePhones(rooms: Int, hasTwins: Bool, mode: WalkMode) {
    personas.formUnion([.ownResult, .neverSuspect])
    if hasTwins { personas.insert(.asWithoutGaps) }
    var twins: [[Int]: PhoneOutcome] = [:]
    for phone in phones where phone.room >= rooms { twins[[phone.room - rooms, phone.bot]] = phone }
    for phone in phones {
      let place = "room \(phone.room + 1), phone \(phone.bot + 1), \(phone.name)"
      expectations.note(.neverSuspect, phone.suspicions == 0, "\(place): suspect \(phone.suspicions) times")
      judgeOwn(phone, mode, place)
      guard hasTwins, phone.room < rooms else { continue }
      guard let twin = twins[[phone.room, phone.bot]] else { continue }
      let isSame =
        phone.distanceM == twin.distanceM && phone.runMs == twin.runMs
        && (mode == .territory || phone.points == twin.points)
        && (phone.runMs != nil || mode != .land || phone.visited == twin.visited)
      let visits = mode == .land ? ", visited \(phone.visited ?? 0) and \(twin.visited ?? 0)" : ""
      expectations.note(.asWithoutGaps, isSame, "\(place): \(phone.text) instead of \(twin.text)\(visits)")
    }
  }

  private mutating func judgeOwn(_ phone: PhoneOutcome, _ mode: WalkMode, _ place: String) {
    var isMet = phone.points != nil
    if let points = phone.expected.points, mode == .footprint { isMet = isMet && phone.points == points }
    if let distanceM = phone.expected.distanceM { isMet = isMet && distanceM.contains(Double(phone.distanceM ?? 0)) }
    if let runMs = phone.expected.runMs { isMet = isMet && phone.runMs.map { runMs.contains(Int64($0)) } == true }
    expectations.note(.ownResult, isMet, "\(place): \(phone.text) instead of \(phone.expected)")
  }

  /// The lines about the phones' networks.
  var phoneLines: [String] {
    guard !phones.isEmpty else { return [] }
    func sum(_ count: (PhoneOutcome) -> Int) -> Int { phones.reduce(0) { $0 + count($1) } }
    let late = phones.count { $0.latePercent > 0 }
    var refused: [WireFixVerdict: UInt32] = [:]
    for phone in phones { refused.merge(phone.refused, uniquingKeysWith: +) }
    let reasons = refused.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key)" }
    return [
      "phones \(phones.count): \(sum(\.losses)) connections lost, \(sum(\.stalls)) stalled, \(sum(\.kills)) apps killed, "
        + "\(sum(\.breaks)) connections ended by the server",
      "  up to \(phones.map(\.keptMax).max() ?? 0) fixes kept, \(late) results with late fixes, "
        + "\(phones.count { $0.withheldPercent > 0 }) with withheld ones, \(sum(\.suspicions)) suspicions",
      "  fixes not taken at once: \(reasons.isEmpty ? "none" : reasons.joined(separator: ", "))",
    ]
  }
}
