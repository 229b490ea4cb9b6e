// The rules of stories that look at the store: behind each acknowledgement, when the server has begun anew, and at the
// end; and the rule for players who watch something at the end.
import Net

extension World: StoryWorld {
  func checkStored(post id: String) throws(BrokenRule) {
    try stories.check(id, in: StoredStories(store: store.inner))
  }

  func checkStories() throws(BrokenRule) {
    try stories.checkAll(in: StoredStories(store: store.inner))
    report.storyChecks += 1
  }

  /// Checks what watchers know when news of the last changes have arrived.
  func checkNews() throws(BrokenRule) {
    try checkStories()
    try pass(until: now.advanced(milliseconds: 3_000)) { () throws(BrokenRule) in false }
    for player in players where player.state == .ready && !stories.mayHaveBlocked(player.playerID ?? "") {
      try player.storyClient.checkNews(StoredStories(store: store.inner))
    }
  }
}
