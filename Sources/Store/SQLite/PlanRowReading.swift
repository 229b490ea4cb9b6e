// The rows of plans and stops as the contract's values, and who sees a plan. Inside a read, or inside a commit.
import GRDB
import Game

/// A plan with all that is kept beside it, but its stops.
struct StoredPlan {
  let number: Int64
  let plan: Plan
  let isHidden: Bool
}

extension StoredPlan {
  static let query = """
    SELECT plans.number, id, author, title, first_day, last_day, stops_count, version, written_at, edited_at, origin,
      origin_author, takers_count, is_hidden
    FROM plans
    """

  init(row: Row) throws {
    number = try row.number(0)
    let (first, last) = (try row.number(4), try row.number(5))
    guard first <= last else { throw StoreFailure.corrupt("the days of a plan") }
    plan = Plan(
      id: try row.id(1),
      author: try row.id(2),
      title: try row.value(3),
      days: first...last,
      stopCount: Int(try row.number(6)),
      version: try row.number(7),
      writtenAt: Instant(milliseconds: try row.number(8)),
      editedAt: try row.value(9, Instant?.self),
      origin: try row.value(10, PlanID?.self).map { PlanOrigin(plan: $0, author: try row.id(11)) },
      takenOverCount: try row.number(12)
    )
    isHidden = try row.number(13) == 1
  }
}

extension PlanStop {
  static let query = "SELECT id, day, title, text, lat_e7, lng_e7, day_index FROM plan_stops"

  init(row: Row) throws {
    let (latE7, lngE7) = (try row.value(4, Int32?.self), try row.value(5, Int32?.self))
    var place: Coordinate?
    if let latE7, let lngE7 { place = Coordinate(latE7: latE7, lngE7: lngE7) }
    self.init(id: try row.id(0), day: try row.number(1), title: try row.value(2), text: try row.value(3), place: place)
  }
}

/// A player's relation to a plan.
enum PlanAccess {
  case author
  case reader
  /// A reader whom the author has blocked.
  case blocked
  /// To the player the plan does not exist.
  case none
}

extension Database {
  func storedPlan(_ id: PlanID) throws -> StoredPlan? {
    try row("\(StoredPlan.query) WHERE id = ?", id).map(StoredPlan.init(row:))
  }

  func access(of player: PlayerID, to stored: StoredPlan) throws -> PlanAccess {
    let author = stored.plan.author
    if author == player { return .author }
    guard !stored.isHidden, try !finds("SELECT 1 FROM blocks WHERE player = ? AND blocked = ?", player, author),
      try !hasReported(.plan(stored.plan.id), player),
      try finds(
        """
        SELECT 1 FROM post_plans JOIN posts ON posts.number = post_plans.post
        WHERE plan = ? AND posts.is_hidden = 0 AND NOT EXISTS (
          SELECT 1 FROM reports WHERE reporter = ? AND kind = 1 AND subject = posts.id)
        LIMIT 1
        """,
        stored.number,
        player
      )
    else { return .none }
    let isBlocked = try finds("SELECT 1 FROM blocks WHERE player = ? AND blocked = ?", author, player)
    return isBlocked ? .blocked : .reader
  }

  /// The stops in their order.
  func stops(ofPlan number: Int64) throws -> [PlanStop] {
    try rows("\(PlanStop.query) WHERE plan = ?", number)
      .map { (stop: try PlanStop(row: $0), index: try $0.number(6)) }
      .sorted { ($0.stop.day, $0.index) < ($1.stop.day, $1.index) }
      .map(\.stop)
  }

  /// A plan as a player sees it who does.
  func seen(_ stored: StoredPlan, by player: PlayerID) throws -> SeenPlan {
    let plan = stored.plan
    let isTaken = try finds("SELECT 1 FROM plan_takers WHERE plan = ? AND player = ?", stored.number, player)
    return SeenPlan(
      plan: plan,
      authorNickname: try nickname(ofAuthor: plan.author),
      credit: try plan.origin.flatMap { try credit($0, for: player) },
      isTaken: isTaken,
      isHidden: stored.isHidden
    )
  }

  /// Nil where the player has blocked the original's author.
  private func credit(_ origin: PlanOrigin, for player: PlayerID) throws -> PlanCredit? {
    if try finds("SELECT 1 FROM blocks WHERE player = ? AND blocked = ?", player, origin.author) { return nil }
    var plan: PlanID?
    if let original = try storedPlan(origin.plan) {
      switch try access(of: player, to: original) {
      case .author, .reader: plan = origin.plan
      case .blocked, .none: break
      }
    }
    return PlanCredit(author: origin.author, nickname: try nickname(ofAuthor: origin.author), plan: plan)
  }

  private func nickname(ofAuthor player: PlayerID) throws -> String {
    guard let row = try row("SELECT nickname FROM players WHERE id = ?", player) else {
      throw StoreFailure.corrupt("the author of a plan")
    }
    return try row.value(0)
  }

  func opened(_ stored: StoredPlan, by player: PlayerID) throws -> OpenedPlan {
    OpenedPlan(seen: try seen(stored, by: player), stops: try stops(ofPlan: stored.number))
  }
}
