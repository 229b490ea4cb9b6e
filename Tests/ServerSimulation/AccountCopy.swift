// A player's knowledge of their own account: the nickname, the blocked players, badges and totals. A value of one
// player; it outlives connections.
import Game
import MadangProtocol

struct AccountCopy {
  /// The possible nicknames: more than one while a request to change it is unanswered.
  private var nicknames: Set<String> = []
  /// The players that it has blocked, by number, and those that may be blocked or not.
  private var blocked: Set<Int> = []
  private var maybeBlocked: Set<Int> = []
  /// The subjects of requests that were under way when a connection was lost: they may still be done.
  private var unsureNicknames: Set<String> = []
  private var unsureBlocked: Set<Int> = []
  private var badges: Set<UInt32> = []
  /// The totals of the last answer.
  private(set) var totals = WireTotals()

  // Requests.

  func hasBlocked(_ other: Int) -> Bool { blocked.contains(other) }

  mutating func beginNaming(_ nickname: String) {
    nicknames.insert(nickname)
  }

  mutating func beginBlocking(_ other: Int) {
    maybeBlocked.insert(other)
  }

  mutating func beginUnblocking(_ other: Int) {
    blocked.remove(other)
    maybeBlocked.insert(other)
  }

  /// The connection is lost before the answer to a request.
  mutating func lose(_ request: PlayerRequest) {
    switch request {
    case .block(let other), .unblock(let other): unsureBlocked.insert(other)
    case .setNickname(let nickname), .hello(let nickname): unsureNicknames.insert(nickname)
    default: break
    }
  }

  /// A request is done.
  mutating func finish(_ request: PlayerRequest) {
    switch request {
    case .setNickname(let nickname):
      nicknames = [nickname]
    case .block(let other):
      blocked.insert(other)
      maybeBlocked.remove(other)
    case .unblock(let other):
      maybeBlocked.remove(other)
    default:
      break
    }
  }

  /// A request had no effect.
  mutating func undo(_ request: PlayerRequest) {
    switch request {
    case .block(let other):
      maybeBlocked.remove(other)
    case .unblock(let other):
      blocked.insert(other)
      maybeBlocked.remove(other)
    default:
      break
    }
  }

  /// The player is deleted, and comes back as another.
  mutating func forgetNickname() {
    nicknames = []
  }

  // The server's messages.

  /// Takes the nickname in a welcome.
  mutating func take(nickname: String) throws(BrokenRule) {
    let isCalled = nicknames.isEmpty || nicknames.union(unsureNicknames).contains(nickname)
    try BrokenRule.unless(isCalled, .accountsKept, "\(nickname), not \(nicknames)")
    nicknames = [nickname]
  }

  /// Takes the blocked players in a welcome of player `number`; nil for a player who is not in the run.
  mutating func take(blocked reported: [Int?], of number: Int) throws(BrokenRule) {
    let known = Set(reported.compactMap { $0 })
    let isRight =
      known.count == reported.count && blocked.subtracting(unsureBlocked).isSubset(of: known)
      && known.isSubset(of: blocked.union(maybeBlocked).union(unsureBlocked))
    try BrokenRule.unless(isRight, .accountsKept, "player \(number) has blocked \(known), not \(blocked)")
    blocked = known
    maybeBlocked = []
  }

  /// Checks a chat, whose text names its author, that player `number` got with or without the text.
  func check(_ text: String, isWithheld: Bool, to number: Int) throws(BrokenRule) {
    guard !blocked.isEmpty || !maybeBlocked.isEmpty || isWithheld else { return }
    let isRight = Int(text.prefix { $0 != "-" }).map { author in
      let mayBe = maybeBlocked.contains(author) || unsureBlocked.contains(author)
      return mayBe || isWithheld == blocked.contains(author)
    }
    try BrokenRule.unless(isRight ?? false, .accountsKept, "player \(number) got \(text)")
  }

  /// Takes a badge; each is awarded once.
  mutating func take(_ badge: WireBadge, of number: Int) throws(BrokenRule) {
    let isNew = badges.insert(badge.badge).inserted
    try BrokenRule.unless(isNew, .onlyOwn, "player \(number) was awarded badge \(badge.badge) twice")
  }

  /// Takes records. They count stored games, each once, at least those that were stored at the request; a counted game
  /// stays counted.
  mutating func take(_ records: WireRecords, stored: Int, now countMax: Int, of number: Int) throws(BrokenRule) {
    let (total, before) = (records.total, totals)
    let isCounted = (stored...max(stored, countMax)).contains(Int(total.count))
    try BrokenRule.unless(isCounted, .resultsKept, "player \(number) has \(total.count) of \(countMax) records")
    let isMore =
      total.count >= before.count && total.distanceM >= before.distanceM && total.timeS >= before.timeS
      && total.calories >= before.calories
    try BrokenRule.unless(isMore, .resultsKept, "player \(number) had \(before), and has \(total)")
    // No run takes a week.
    let days = records.days.map(\.count)
    let isWhole = days.count == 7 && days.reduce(0, +) == total.count
    try BrokenRule.unless(isWhole, .resultsKept, "player \(number) has \(total.count) records on days with \(days)")
    let reported = Set(records.badges.map(\.badge))
    let isAwarded =
      badges.isSubset(of: reported)
      && (Self.badgeCount(Int(total.count))...Self.badgeCount(countMax)).contains(records.badges.count)
    try BrokenRule.unless(isAwarded, .resultsKept, "player \(number) has badges \(reported) for \(total.count) records")
    totals = total
  }

  private static func badgeCount(_ records: Int) -> Int { BadgeRules.thresholds.count { $0 <= records } }
}
