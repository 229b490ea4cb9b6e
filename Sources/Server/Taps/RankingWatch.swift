// Who watches the ranking, as a request and as a seat among those who see the same.
//
// On the shard's thread. The answer is the ranking as it is; news of it follow with the ranking's ticks.
import Game
import MadangProtocol
import Net

extension PlayService {
  func watchRanking(_ request: WireWatchRanking, _ id: UInt32?, _ session: PlaySession) {
    let asked = request.hasTop ? request.top : nil
    let (range, standard) = (Limits.schoolRankingTop, Limits.schoolRankingTopDefault)
    guard let top = rows(asked, "top", in: range, default: standard, id, session) else { return }
    session.state.rankingTop = UInt8(top)
    let shown = commons.tally.committedRanking
    watch(session, shown)
    var message = WireRanking()
    message.season = shown.season
    message.top = shown.top(top)
    if let school = session.rankingSeat?.audience.watched.school {
      let place = shown.place(of: school)
      message.mine = shown.mine(school, at: place)
      message.neighbours = shown.neighbours(at: place)
    }
    session.reply(to: id, .ranking(message))
  }

  func unwatchRanking(_ id: UInt32?, _ session: PlaySession) {
    ranking.remove(session)
    session.state.rankingTop = nil
    session.reply(to: id, .ok(WireOk()))
  }

  /// Gives a session that watches its seat on this shard.
  func watch(_ session: PlaySession, _ shown: @autoclosure () -> CommittedRanking) {
    guard let top = session.state.rankingTop, let player = session.state.identity?.player else { return }
    ranking.remove(session)
    ranking.add(session, school: commons.tally.standing(of: player).standing?.school, top: Int(top), shown())
    guard !isRankingTimerSet else { return }
    isRankingTimerSet = true
    _ = core.setTimer(Self.rankingTimer, at: nextRankingTick)
  }

  /// Publishes the ranking to this shard's watchers, and goes on as long as there are any.
  func tickRanking() {
    isRankingTimerSet = false
    guard !ranking.isEmpty else { return }
    ranking.publish(commons.tally.committedRanking) { statistics.rankings += $0 }
    isRankingTimerSet = true
    _ = core.setTimer(Self.rankingTimer, at: nextRankingTick)
  }

  /// All shards tick at the same times: the half seconds of the server's clock.
  private var nextRankingTick: Timestamp {
    let intervalMs = Limits.rankingIntervalMs
    return core.now.advanced(milliseconds: intervalMs - core.now.milliseconds % intervalMs)
  }
}
