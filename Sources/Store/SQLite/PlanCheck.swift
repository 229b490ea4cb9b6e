// The check of travel plans: part of the check of a store.
import GRDB
import Game

extension StoreCheck {
  func brokenPlans() throws -> [String] {
    var complaints: [String] = []
    let rows = try Row.fetchCursor(db.cachedStatement(sql: "\(StoredPlan.query) ORDER BY plans.number"))
    while let row = try rows.next() {
      guard let stored = try? StoredPlan(row: row) else {
        complaints.append("plan \(try row.value(1, PlanID.self)) can't be read")
        continue
      }
      complaints += try brokenStops(of: stored)
    }
    return try complaints + brokenTakers() + brokenPostPlans()
  }

  /// Holds a plan to its rules, and its stops to their places.
  private func brokenStops(of stored: StoredPlan) throws -> [String] {
    let plan = stored.plan
    var complaints: [String] = []
    if (try? PlanRules.days(plan.days.lowerBound, plan.days.upperBound)) == nil {
      complaints.append("plan \(plan.id) has other days than a plan may have")
    }
    var counts: [Int64: Int64] = [:]
    var bytes = 0
    for row in try db.rows("\(PlanStop.query) WHERE plan = ? ORDER BY day, day_index", stored.number) {
      guard let stop = try? PlanStop(row: row) else {
        complaints.append("a stop of plan \(plan.id) can't be read")
        continue
      }
      if !plan.days.contains(stop.day) { complaints.append("a stop of plan \(plan.id) lies outside of its days") }
      if try row.number(6) != counts[stop.day, default: 0] {
        complaints.append("the stops of plan \(plan.id) are not one behind the other")
      }
      counts[stop.day, default: 0] += 1
      bytes += stop.title.utf8.count + stop.text.utf8.count
    }
    if counts.values.reduce(0, +) != plan.stopCount {
      complaints.append("plan \(plan.id) counts other stops than it has")
    }
    if plan.stopCount > PlanRules.stopsMax || bytes > PlanRules.stopTextsBytesMax {
      complaints.append("plan \(plan.id) has more in its stops than a plan may have")
    }
    return complaints
  }

  private func brokenTakers() throws -> [String] {
    let counts = try db.rows(
      """
      SELECT id FROM plans
      WHERE takers_count <> (SELECT COUNT(*) FROM plan_takers WHERE plan_takers.plan = plans.number)
        OR EXISTS (SELECT 1 FROM plan_takers WHERE plan_takers.plan = plans.number AND player = author)
      """
    )
    let kept = try db.rows(
      """
      SELECT deleted_plans.number FROM deleted_plans
      WHERE EXISTS (SELECT 1 FROM plans WHERE plans.number = deleted_plans.number)
      """
    )
    let strays = try db.rows(
      """
      SELECT plan FROM plan_takers
      WHERE NOT EXISTS (SELECT 1 FROM plans WHERE plans.number = plan_takers.plan)
        AND NOT EXISTS (SELECT 1 FROM deleted_plans WHERE deleted_plans.number = plan_takers.plan)
      UNION SELECT plan FROM post_plans
      WHERE NOT EXISTS (SELECT 1 FROM plans WHERE plans.number = post_plans.plan)
        AND NOT EXISTS (SELECT 1 FROM deleted_plans WHERE deleted_plans.number = post_plans.plan)
      """
    )
    return try counts.map {
      "plan \(try $0.value(0, PlanID.self)) counts others than have taken it over, or its author"
    }
      + kept.map { "plan number \(try $0.number(0)) is there and deleted" }
      + strays.map { "posts or players have plan number \(try $0.number(0)), which is not there" }
  }

  private func brokenPostPlans() throws -> [String] {
    try db.rows(
      """
      SELECT posts.id FROM post_plans JOIN posts ON posts.number = post_plans.post
      JOIN plans ON plans.number = post_plans.plan
      WHERE posts.author <> plans.author
      """
    ).map { "post \(try $0.value(0, PostID.self)) has somebody else's plan" }
  }
}
