// Requests to watch the ranking, and watchers' seats.
//
// On the shard's queue. The answer is the present ranking; changes follow with the ranking's ticks.
import Game
import Gateway
import MadangProtocol
import Net

extension Taps {
  func watchRanking(_ wire: WireWatchRanking, _ request: PlayerRequest) {
    let asked = wire.hasTop ? wire.top : nil
    let (range, standard) = (Limits.schoolRankingTop, Limits.schoolRankingTopDefault)
    guard let top = request.rows(asked, "top", in: range, default: standard) else { return }
    guard gateway.payForQuery(request) else { return }
    let session = request.session
    session.part(orAdd: Tapper()).rankingTop = UInt8(top)
    let shown = tally.committedRanking
    seat(session, top: top, shown)
    let subprotocol = session.subprotocol
    let head = subprotocol.rankingHead(season: shown.season, top: shown.topRows(top, subprotocol)[...])
    let tail = session.tapper?.school.map { shown.ownPart(at: shown.place(of: $0), subprotocol) } ?? []
    var bytes: [UInt8] = []
    subprotocol.appendRanking(head, tail, timeMs: gateway.core.now.milliseconds, replyTo: request.id, to: &bytes)
    bytes.withUnsafeBytes { session.connection.send(session.messageKind, $0) }
  }

  func unwatchRanking(_: WireUnwatchRanking, _ request: PlayerRequest) {
    rankingTicks.remove(request.session)
    request.session.tapper?.rankingTop = nil
    request.reply(.ok(WireOk()))
  }

  /// Gives a session from another shard its seat here. It may have missed a change on its way, so it gets the ranking
  /// at the next tick.
  func resumeWatching(_ session: Session) {
    guard let top = session.tapper?.rankingTop else { return }
    seat(session, top: Int(top), tally.committedRanking)
    rankingTicks.fallBehind(session)
  }

  /// Sets the committed school of the session's player, if any; a watcher gets the ranking for it at the next tick.
  func confirm(_ school: SchoolID?, of session: Session) {
    guard let school, school != session.tapper?.school else { return }
    session.part(orAdd: Tapper()).school = school
    resumeWatching(session)
  }

  private func seat(_ session: Session, top: Int, _ shown: CommittedRanking) {
    if rankingTicks.add(session, top: top, shown, at: gateway.core.now) { awaitRankingTick() }
  }

  /// Publishes the ranking to this shard's watchers whose turn it is, and continues while there are any.
  func tickRanking() {
    repeat {
      let began = gateway.core.readClock()
      let sent = rankingTicks.takeTurn(at: gateway.core.now, tally.committedRanking)
      guard sent > 0 else { continue }
      statistics.rankings += sent
      statistics.rankingTicks.record(microseconds: gateway.core.readClock().microseconds(since: began))
    } while rankingTicks.next.map { $0.due <= gateway.core.now } ?? false
    awaitRankingTick()
  }

  private func awaitRankingTick() {
    if let (due, _) = rankingTicks.next { _ = gateway.core.setTimer(rankingTimer, at: due) }
  }
}
