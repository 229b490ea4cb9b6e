// The questions of consoles and of the API about the whole list of schools.
//
// On the operators' one shard. The search is that of players: one walk through the names in memory, of some tenths of a
// millisecond.
import ConsoleProtocol

extension Console {
  func answerSchools(matching query: SchoolsQuery, _ id: Int32, _ feed: ConsoleFeed) {
    guard let page = findSchools(matching: query) else { return feed.refuse(id, ConsoleFieldFault.notNext.text) }
    feed.reply(id) { $0.schools = page }
  }

  /// Finds schools, also for the API; nil for a place behind a school that is in no list.
  func findSchools(matching query: SchoolsQuery) -> FeedSchoolPage? {
    server.context.tally.committedRanking.page(of: query)
  }
}
