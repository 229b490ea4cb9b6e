// The results of a run: its counts, and its fingerprint. A value; reports add up.

package struct Report: Sendable {
  package var runs = 0
  package var steps = 0
  package var events = 0
  /// Games started.
  package var games = 0
  /// Ground captures in all journals.
  package var captures = 0
  package var answers = 0
  package var ticks = 0
  package var mergedTicks = 0
  /// Arrivals that waited for a tick to be read.
  package var arrivalsDeferred = 0
  package var chats = 0
  package var resumes = 0
  package var missedEvents = 0
  package var gaps = 0
  /// The number of times that a player's copy was found equal to the server's state.
  package var comparisons = 0
  package var crashes = 0
  package var drains = 0
  /// Rooms that were recovered.
  package var recoveries = 0
  /// Batches that the store has written.
  package var batches = 0
  package var storeFailures = 0
  /// Answers that refused for an unavailable store.
  package var unavailable = 0
  /// Finished games that were played again.
  package var replays = 0
  /// Pages of results.
  package var pages = 0
  /// Answers with a player's records.
  package var records = 0
  /// Players found in two rooms of the store at a start.
  package var separations = 0
  /// Chats without their text.
  package var withheld = 0
  /// Batches of taps that counted.
  package var batchesCounted = 0
  /// Batches that were sent again and answered as before.
  package var batchesAgain = 0
  /// Batches and choices that were refused, and those that were too much.
  package var tapRefusals = 0
  /// Choices of a school.
  package var choices = 0
  /// Rankings received.
  package var rankings = 0
  /// The number of times that a ranking was found to be the newest.
  package var rankingComparisons = 0
  /// The number of times that all taps were counted again.
  package var tapChecks = 0
  /// The number of times that a room, a room's state or a welcome was refused for an exhausted budget.
  package var budgetsSpent = 0
  /// Accounts deleted.
  package var deletions = 0
  /// The operators' actions; players refused by a ban or a mute; players whose room was closed; and players who
  /// received an announcement.
  package var operatorActions = 0
  package var bans = 0
  package var mutes = 0
  package var roomsClosed = 0
  package var announcementsReceived = 0
  /// Watches of places that began, and refused requests about places and capsules.
  package var placeWatches = 0
  package var placeRefusals = 0
  package var fenceChanges = 0
  /// Capsules buried, their acknowledged changes, openings, and lists of a player's own ones.
  package var capsulesBuried = 0
  package var capsulesChanged = 0
  package var capsulesOpened = 0
  package var capsuleLists = 0
  /// Notices of a capsule that can be opened.
  package var openables = 0
  /// The number of times that a player who stands still was found to know all of it.
  package var placeChecks = 0
  /// Posts that were written, and other changes of posts.
  package var postsWritten = 0
  package var postsChanged = 0
  package var comments = 0
  /// Likes, given and taken back, as they were answered.
  package var likes = 0
  package var storyLists = 0
  package var storyWatches = 0
  package var storyNews = 0
  package var storyRefusals = 0
  /// Times that the store's posts were compared with what players wrote, and watchers with the store.
  package var storyChecks = 0
  package var newsChecks = 0
  /// Events that were written for the backend, requests that it received, and requests that failed.
  package var webhookEvents = 0
  package var webhookDeliveries = 0
  package var webhookFailures = 0
  /// Lobbies that moved to another shard before their games.
  package var roomsMoved = 0
  /// Players whom hosts have removed, those of them who were told, and locks that were answered.
  package var kicks = 0
  package var kicksTold = 0
  package var locks = 0
  package var virtualSeconds: Int64 = 0
  package var faults = FaultCounts()
  /// The number of closes by the server, by code.
  package var closes: [UInt16: Int] = [:]
  /// The fingerprint of one run.
  package var fingerprint: UInt64 = 0

  package init() {}

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.runs += right.runs
    sum.steps += right.steps
    sum.events += right.events
    sum.games += right.games
    sum.captures += right.captures
    sum.answers += right.answers
    sum.ticks += right.ticks
    sum.mergedTicks += right.mergedTicks
    sum.arrivalsDeferred += right.arrivalsDeferred
    sum.chats += right.chats
    sum.resumes += right.resumes
    sum.missedEvents += right.missedEvents
    sum.gaps += right.gaps
    sum.comparisons += right.comparisons
    sum.crashes += right.crashes
    sum.drains += right.drains
    sum.recoveries += right.recoveries
    sum.batches += right.batches
    sum.storeFailures += right.storeFailures
    sum.unavailable += right.unavailable
    sum.replays += right.replays
    sum.pages += right.pages
    sum.records += right.records
    sum.separations += right.separations
    sum.withheld += right.withheld
    sum.batchesCounted += right.batchesCounted
    sum.batchesAgain += right.batchesAgain
    sum.tapRefusals += right.tapRefusals
    sum.choices += right.choices
    sum.rankings += right.rankings
    sum.rankingComparisons += right.rankingComparisons
    sum.tapChecks += right.tapChecks
    sum.budgetsSpent += right.budgetsSpent
    sum.deletions += right.deletions
    sum.operatorActions += right.operatorActions
    sum.bans += right.bans
    sum.mutes += right.mutes
    sum.roomsClosed += right.roomsClosed
    sum.announcementsReceived += right.announcementsReceived
    sum.placeWatches += right.placeWatches
    sum.placeRefusals += right.placeRefusals
    sum.fenceChanges += right.fenceChanges
    sum.capsulesBuried += right.capsulesBuried
    sum.capsulesChanged += right.capsulesChanged
    sum.capsulesOpened += right.capsulesOpened
    sum.capsuleLists += right.capsuleLists
    sum.openables += right.openables
    sum.placeChecks += right.placeChecks
    sum.postsWritten += right.postsWritten
    sum.postsChanged += right.postsChanged
    sum.comments += right.comments
    sum.likes += right.likes
    sum.storyLists += right.storyLists
    sum.storyWatches += right.storyWatches
    sum.storyNews += right.storyNews
    sum.storyRefusals += right.storyRefusals
    sum.storyChecks += right.storyChecks
    sum.newsChecks += right.newsChecks
    sum.webhookEvents += right.webhookEvents
    sum.webhookDeliveries += right.webhookDeliveries
    sum.webhookFailures += right.webhookFailures
    sum.roomsMoved += right.roomsMoved
    sum.kicks += right.kicks
    sum.kicksTold += right.kicksTold
    sum.locks += right.locks
    sum.virtualSeconds += right.virtualSeconds
    sum.faults = left.faults + right.faults
    sum.closes.merge(right.closes, uniquingKeysWith: +)
    sum.fingerprint = left.fingerprint &* 31 &+ right.fingerprint
    return sum
  }

  /// A line for each kind of count, for human readers.
  package var lines: [String] {
    let codes = closes.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    return [
      "\(runs) simulated games, \(steps) steps, \(virtualSeconds) s of the server's time",
      "\(games) starts, \(roomsMoved) rooms moved, \(events) events (\(captures) of ground), \(ticks) ticks received (\(mergedTicks) of them merged), \(arrivalsDeferred) arrivals deferred, \(answers) answers",
      "\(kicks) players removed by hosts, \(kicksTold) of them told, \(locks) locks answered",
      "\(chats) chats acknowledged, \(comparisons) copies compared",
      "\(resumes) resumes, \(missedEvents) missed events sent, \(gaps) gaps, "
        + "\(budgetsSpent) budgets used up",
      "faults: \(faults.cuts) cut, \(faults.resets) reset, \(faults.vanishings) vanished, \(faults.stalls) stalled, "
        + "\(faults.drips) dripping, \(faults.storms) storms",
      "\(crashes) crashes, \(drains) clean shutdowns, \(recoveries) rooms restored, \(separations) players found "
        + "in two",
      "\(batches) commits, \(storeFailures) failures of the store, \(unavailable) times unavailable",
      "\(replays) finished games replayed, \(pages) pages of results, \(records) times records, "
        + "\(withheld) chats withheld",
      "\(batchesCounted) batches of taps, \(batchesAgain) answered again, \(tapRefusals) refused, \(choices) schools "
        + "chosen, \(deletions) accounts deleted, \(tapChecks) full recounts",
      "\(rankings) rankings sent, \(rankingComparisons) found to be the newest",
      "\(operatorActions) actions of operators: \(bans) bans, \(mutes) mutes, \(roomsClosed) notices of a closed "
        + "room, \(announcementsReceived) announcements received",
      "\(placeWatches) watches of places, \(fenceChanges) changes of fences, \(capsulesBuried) capsules buried, "
        + "\(capsulesChanged) changed, \(capsulesOpened) opened, \(openables) openable, \(capsuleLists) lists, "
        + "\(placeRefusals) refusals, \(placeChecks) players who know all",
      "\(postsWritten) posts, \(postsChanged) changed, \(comments) comments, \(likes) likes, \(storyLists) lists, "
        + "\(storyWatches) watches, \(storyNews) news, \(storyRefusals) refusals, \(storyChecks) comparisons with the "
        + "store, \(newsChecks) watchers who know all",
      "\(webhookEvents) events for webhooks in \(webhookDeliveries) deliveries, \(webhookFailures) requests failed",
      "closed by the server: \(codes.isEmpty ? "none" : codes)",
    ]
  }
}
