// The removal of plans, by players and with them, and the plans that posts have. Inside a commit, or a piece of
// maintenance. What refers to a removed plan is deleted by maintenance, because there may be any number of rows.
import GRDB
import Game

struct PlanRemoval {
  /// A plan may have 200 stops.
  private static let plansAtOnce = 5

  let db: Database

  func remove(_ stored: StoredPlan) throws {
    let isReferredTo = try db.finds(
      "SELECT 1 FROM plan_takers WHERE plan = ? UNION ALL SELECT 1 FROM post_plans WHERE plan = ? LIMIT 1",
      stored.number,
      stored.number
    )
    if isReferredTo { try db.run("INSERT INTO deleted_plans (number) VALUES (?)", stored.number) }
    try db.run("DELETE FROM plans WHERE number = ?", stored.number)
    try ReportRemoval(db: db).remove(.plan(stored.plan.id))
    try StoryRemoval(db: db).lookAgain(at: stored.plan.author)
    if let origin = stored.plan.origin { try StoryRemoval(db: db).lookAgain(at: origin.author) }
  }

  /// Removes a player's plans and takings over, and their credit in others' copies; returns the number of rows, at most
  /// one piece.
  func forgetPlans(of player: PlayerID, rowsAtOnce: Int) throws -> Int {
    let plans = try db.rows("\(StoredPlan.query) WHERE author = ? LIMIT ?", player, Self.plansAtOnce)
    for row in plans { try remove(StoredPlan(row: row)) }
    guard plans.isEmpty else { return plans.count }
    let taken = try db.rows("SELECT plan FROM plan_takers WHERE player = ? LIMIT ?", player, rowsAtOnce)
    for row in taken {
      let plan = try row.number(0)
      try db.run("DELETE FROM plan_takers WHERE plan = ? AND player = ?", plan, player)
      try db.run("UPDATE plans SET takers_count = takers_count - 1 WHERE number = ?", plan)
    }
    guard taken.isEmpty else { return taken.count }
    return try db.run(
      """
      UPDATE plans SET origin = NULL, origin_author = NULL
      WHERE number IN (SELECT plans.number FROM plans WHERE origin_author = ? LIMIT ?)
      """,
      player,
      rowsAtOnce
    )
  }
}

/// The plan that a post has.
struct PostPlan {
  let db: Database

  /// Has a post refer to one of the author's plans, or to none. False, and nothing changes, for a plan that is not
  /// there or not the author's.
  func set(_ id: PlanID?, ofPost post: Int64, author: PlayerID) throws -> Bool {
    guard let id else {
      try db.run("DELETE FROM post_plans WHERE post = ?", post)
      return true
    }
    guard let plan = try number(of: id, author: author) else { return false }
    try db.run(
      """
      INSERT INTO post_plans (post, plan) VALUES (?, ?) ON CONFLICT (post) DO UPDATE SET plan = excluded.plan
      """,
      post,
      plan
    )
    return true
  }

  /// Whether a post of this author may have the plan.
  func mayHave(_ id: PlanID?, author: PlayerID) throws -> Bool {
    guard let id else { return true }
    return try number(of: id, author: author) != nil
  }

  private func number(of id: PlanID, author: PlayerID) throws -> Int64? {
    try db.row("SELECT number FROM plans WHERE id = ? AND author = ?", id, author)?.number(0)
  }
}

extension Forgetting {
  /// Deletes takings over of deleted plans, and what posts had of them; returns the number of rows, at most one piece.
  func dropPlanRows() throws -> Int {
    guard let plan = try db.row("SELECT number FROM deleted_plans LIMIT 1")?.number(0) else { return 0 }
    let takers = try db.rows("SELECT player FROM plan_takers WHERE plan = ? LIMIT ?", plan, Self.rowsAtOnce)
    for row in takers {
      let player: PlayerID = try row.id(0)
      try db.run("DELETE FROM plan_takers WHERE plan = ? AND player = ?", plan, player)
      try StoryRemoval(db: db).lookAgain(at: player)
    }
    let posts = try db.run(
      "DELETE FROM post_plans WHERE post IN (SELECT post FROM post_plans WHERE plan = ? LIMIT ?)",
      plan,
      Self.rowsAtOnce
    )
    if takers.count < Self.rowsAtOnce && posts < Self.rowsAtOnce {
      try db.run("DELETE FROM deleted_plans WHERE number = ?", plan)
    }
    return takers.count + posts + 1
  }
}
