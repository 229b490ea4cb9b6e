// The feature of moderation on one shard: players' reports, what they hide, and operators' warnings.
//
// Owned by one shard and used on its queue. The store decides what a report hides, in its commit; here who watches is
// told of it. Operators' decisions come through operations.
import Game
import Gateway
import MadangProtocol
import Net
import Store

package final class Moderation: Feature {
  package unowned let gateway: ShardGateway
  let stories: Stories
  let places: Places
  private let networks: ReportNetworks
  private let find: @Sendable (ShardCore) -> Moderation
  package private(set) var statistics = ModerationStatistics()

  /// Makes the feature. `stories` and `places` take away what is hidden from those who watch.
  init(
    _ gateway: ShardGateway,
    _ context: ServerContext,
    stories: Stories,
    places: Places,
    _ find: @escaping @Sendable (ShardCore) -> Moderation
  ) {
    self.gateway = gateway
    self.stories = stories
    self.places = places
    self.find = find
    networks = ReportNetworks(key: context.media.key)
    gateway.handle { [unowned self] in report($0, $1) }
    gateway.handle { [unowned self] in seeWarning($0, $1) }
  }

  package static let name: String? = "moderation"
  package static var metrics: [Metric] { Metric.ofModeration }
  package static var budgets: [Budget] { Budget.ofModeration }

  package var shards: ServiceShards<Moderation> { ServiceShards(gateway.core.siblings, find) }

  // Reports.

  /// The bytes of a report's rows without its text.
  private static let reportBytes: Int64 = 400

  private func report(_ wire: WireReport, _ request: PlayerRequest) {
    let report: Report
    do throws(ReportRefusal) {
      let subject = try ReportField.subject(wire)
      report = Report(
        subject,
        by: request.player,
        reasons: try ReportField.reasons(wire.reasons),
        text: try ReportField.text(wire.text),
        network: networks.digest(of: request.session.connection.address.ip, reporting: subject),
        at: gateway.now
      )
    } catch {
      return request.refuse(error.code, error.text)
    }
    guard gateway.payForChange(request, .reports, ofAddress: .reportsOfAddress) else { return }
    gateway.chargeJournal(of: request.session, bytes: Self.reportBytes + Int64(report.text.utf8.count))
    // The connection waits for the outcome; without it nothing else would be answered.
    let giveUp = { request.session.refuseUnwritten(request.id, andClose: true) }
    awaitOutcome(of: ModerationChange.report(report), for: request.session, orElse: giveUp) { [self] outcome, session in
      note(outcome)
      guard let session else { return }
      switch outcome {
      case .reported(let thing, isNew: _, hides: _):
        hide(thing.subject, from: session, request)
        request.reply(.ok(WireOk()))
      case .own: request.refuse(.ownSubject)
      case .tooMany: request.refuse(.tooManyReports)
      case .unavailable: request.refuseForStore()
      case .notFound, .decided, .warned, .seen: request.refuse(report.subject.kind.missing)
      }
    }
  }

  /// Counts a report, and tells who watches what it has hidden from everybody.
  private func note(_ outcome: ModerationOutcome) {
    guard case .reported(let thing, isNew: true, let hides) = outcome else { return }
    statistics.reports[thing.subject.kind] += 1
    guard hides else { return }
    statistics.hidings += 1
    tell(thing, isHidden: true)
  }

  /// Takes what a player has reported from what they watch.
  private func hide(_ subject: ReportSubject, from session: Session, _ request: PlayerRequest) {
    switch subject.kind {
    case .post, .comment: hide(subject, fromWatchesOf: session)
    case .capsule: places.remove(CapsuleID(subject.id), for: request)
    case .plan, .profile: break
    }
  }

  // Warnings.

  private func seeWarning(_ wire: WireSeeWarning, _ request: PlayerRequest) {
    guard let id = WarningID(wire.warningID) else { return request.refuse(.warningNotFound) }
    guard gateway.refuseWithoutJournal(request), gateway.payForQuery(request) else { return }
    let giveUp = { request.session.refuseUnwritten(request.id, andClose: true) }
    awaitOutcome(of: ModerationChange.seeWarning(id, request.player), for: request.session, orElse: giveUp) {
      outcome,
      session in
      guard session != nil else { return }
      switch outcome {
      case .seen: request.reply(.ok(WireOk()))
      case .unavailable: request.refuseForStore()
      default: request.refuse(.warningNotFound)
      }
    }
  }

  /// Tells a player of warnings that they have not seen.
  func tell(_ warnings: [PlayerWarning], to session: Session) {
    for warning in warnings { session.send(.warning(WireWarning(warning))) }
  }
}
