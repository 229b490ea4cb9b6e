// The console's history of a day: its making, its first read from the store, and the answers about it.
//
// On the operators' one shard. The store is read once, for the first who asks; what it can't give is asked for anew.
import ConsoleProtocol
import Game
import Net
import Store

extension Console {
  /// Takes a look at the whole server into the histories. Consoles are told of the minute that has ended with it, and
  /// the first shard commits it.
  func keep(_ survey: ServerSurvey) {
    let look = FeedOverview(survey, withShards: false)
    history.add(look)
    guard let minute = minutes.take(look, load: survey.shards.map(\.load).max() ?? 0) else { return }
    for feed in feeds.values where feed.isReady { feed.send(.with { $0.minute = minute.message }) }
    server.services[0].post { $0.operations.keep(minute) }
  }

  /// Reads the minutes after a moment, of the last day. `completion` is called once, on this shard.
  func readMinutes(after moment: Instant?, _ completion: @escaping @Sendable (Console, [FeedMinute]) -> Void) {
    let oldest = Instant(core.now) - HistoryMinute.retention
    let first = moment.map { max($0, oldest) } ?? oldest
    guard !minutes.hasStored else { return completion(self, messages(after: first)) }
    let back = back()
    server.context.gateway.store.minutes(after: oldest, through: Instant(core.now)) { found in
      back { console in
        if case .success(let stored) = found { console.minutes.take(stored: stored) }
        completion(console, console.messages(after: first))
      }
    }
  }

  private func messages(after moment: Instant) -> [FeedMinute] { minutes.minutes(after: moment).map(\.message) }

  func answerMinutes(after moment: Instant?, _ id: Int32, _ feed: ConsoleFeed) {
    let token = feed.connection.token
    readMinutes(after: moment) { console, minutes in
      console.feeds[token]?.reply(id) { $0.minutes = minutes }
    }
  }
}

extension FeedAskMinutes {
  /// The moment that was asked for; nil without one.
  var moment: Instant? {
    get throws(ConsoleFieldFault) {
      guard hasAfterMs else { return nil }
      guard afterMs >= 0 else { throw ConsoleFieldFault("afterMs: milliseconds since 1970") }
      return Instant(milliseconds: afterMs)
    }
  }
}
