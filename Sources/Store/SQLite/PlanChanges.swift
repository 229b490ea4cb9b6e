// The changes of travel plans, inside a commit. An edit reads the whole plan, has the rules apply it, and writes the
// rows that differ.
// Decisions: 119 (docs/decisions).
import GRDB
import Game

/// The writing of changes of plans.
struct PlanWriting {
  let db: Database
  let progress: ProgressWriting

  func write(_ change: PlanChange) throws -> PlanOutcome {
    switch change {
    case .write(let plan): try write(plan)
    case .edit(let edit): try self.edit(edit)
    case .delete(let id, let author, let version): try delete(id, of: author, version: version)
    case .takeOver(let id, let copy): try takeOver(id, copy)
    case .hide(let id, let isHidden): try hide(id, isHidden: isHidden)
    }
  }

  private func write(_ new: Plan) throws -> PlanOutcome {
    guard try db.knows(new.author) else { return .notFound }
    if let known = try db.storedPlan(new.id) {
      return known.plan.author == new.author ? .written(try db.opened(known, by: new.author)) : .notFound
    }
    guard try !hasTooMany(new.author) else { return .tooMany }
    let plan = Plan(id: new.id, author: new.author, title: new.title, days: new.days, writtenAt: new.writtenAt)
    return .written(try db.opened(try insert(plan), by: new.author))
  }

  private func hasTooMany(_ author: PlayerID) throws -> Bool {
    try db.rows("SELECT COUNT(*) FROM plans WHERE author = ?", author)[0].number(0) >= Plan.authoredMax
  }

  private func insert(_ plan: Plan) throws -> StoredPlan {
    // A deleted plan's number is still that of rows which wait for their deletion.
    let number =
      try db.rows(
        """
        SELECT 1 + COALESCE(MAX(number), 0) FROM (
          SELECT MAX(plans.number) AS number FROM plans
          UNION ALL SELECT MAX(deleted_plans.number) FROM deleted_plans) AS numbers
        """
      )[0].number(0)
    try db.run(
      """
      INSERT INTO plans (number, id, author, title, first_day, last_day, version, written_at, is_hidden, stops_count,
        takers_count, origin, origin_author)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, 0, ?, ?)
      """,
      number,
      plan.id,
      plan.author,
      plan.title,
      plan.days.lowerBound,
      plan.days.upperBound,
      plan.version,
      plan.writtenAt,
      plan.stopCount,
      plan.origin?.plan,
      plan.origin?.author
    )
    return StoredPlan(number: number, plan: plan, isHidden: false)
  }

  private func edit(_ edit: PlanEdit) throws -> PlanOutcome {
    switch try ownPlan(edit.id, of: edit.author, version: edit.version) {
    case .refused(let outcome): return outcome
    case .found(let stored):
      let before = try db.opened(stored, by: edit.author)
      let edited: OpenedPlan
      do throws(PlanFault) {
        guard let changed = try before.applying(edit) else { return .edited(before, isChanged: false) }
        edited = changed
      } catch {
        return .refused(error)
      }
      let plan = edited.seen.plan
      try db.run(
        """
        UPDATE plans SET title = ?, first_day = ?, last_day = ?, version = ?, edited_at = ?, stops_count = ?
        WHERE number = ?
        """,
        plan.title,
        plan.days.lowerBound,
        plan.days.upperBound,
        plan.version,
        plan.editedAt,
        plan.stopCount,
        stored.number
      )
      try PlanStops(db: db, plan: stored.number).replace(before.stops, by: edited.stops)
      return .edited(edited, isChanged: true)
    }
  }

  private func delete(_ id: PlanID, of author: PlayerID, version: Int64?) throws -> PlanOutcome {
    switch try ownPlan(id, of: author, version: version) {
    case .refused(let outcome): return outcome
    case .found(let stored):
      try PlanRemoval(db: db).remove(stored)
      return .deleted
    }
  }

  private func takeOver(_ id: PlanID, _ copy: PlanCopy) throws -> PlanOutcome {
    guard try db.knows(copy.player), let original = try db.storedPlan(id) else { return .notFound }
    switch try db.access(of: copy.player, to: original) {
    case .author, .reader: break
    case .blocked: return .blocked
    case .none: return .notFound
    }
    if let known = try db.storedPlan(copy.id) {
      guard known.plan.author == copy.player else { return .notFound }
      let opened = try db.opened(known, by: copy.player)
      return .takenOver(opened, takenOverCount: original.plan.takenOverCount, isCounted: false)
    }
    guard try !hasTooMany(copy.player) else { return .tooMany }
    let copied: (plan: Plan, stops: [PlanStop])
    let opened = try db.opened(original, by: copy.player)
    do throws(PlanFault) { copied = try opened.copied(copy) } catch { return .refused(error) }
    let stored = try insert(copied.plan)
    try PlanStops(db: db, plan: stored.number).replace([], by: copied.stops)
    let isCounted = try copy.player != original.plan.author && countTaker(copy.player, of: original.number, at: copy.at)
    let count = original.plan.takenOverCount + (isCounted ? 1 : 0)
    if isCounted { try progress.tookOver(planOf: original.plan.author, players: count) }
    return .takenOver(try db.opened(stored, by: copy.player), takenOverCount: count, isCounted: isCounted)
  }

  /// Returns false for a player who is counted already.
  private func countTaker(_ player: PlayerID, of plan: Int64, at moment: Instant) throws -> Bool {
    let isNew =
      try db.run(
        """
        INSERT INTO plan_takers (plan, player, taken_over_at) VALUES (?, ?, ?) ON CONFLICT (plan, player) DO NOTHING
        """,
        plan,
        player,
        moment
      ) > 0
    if isNew { try db.run("UPDATE plans SET takers_count = takers_count + 1 WHERE number = ?", plan) }
    return isNew
  }

  private func hide(_ id: PlanID, isHidden: Bool) throws -> PlanOutcome {
    guard let stored = try db.storedPlan(id) else { return .notFound }
    if stored.isHidden != isHidden {
      try db.run("UPDATE plans SET is_hidden = ? WHERE number = ?", isHidden ? 1 : 0, stored.number)
    }
    return .hidden
  }

  private enum OwnPlan {
    case found(StoredPlan)
    case refused(PlanOutcome)
  }

  /// A plan of this author, of this version where one is given.
  private func ownPlan(_ id: PlanID, of author: PlayerID, version: Int64?) throws -> OwnPlan {
    guard try db.knows(author), let stored = try db.storedPlan(id) else { return .refused(.notFound) }
    switch try db.access(of: author, to: stored) {
    case .author: break
    case .reader, .blocked: return .refused(.notAuthor)
    case .none: return .refused(.notFound)
    }
    guard version ?? stored.plan.version == stored.plan.version else {
      return .refused(.staleVersion(try db.opened(stored, by: author)))
    }
    return .found(stored)
  }
}

/// The rows of one plan's stops.
struct PlanStops {
  private struct Place: Hashable {
    let day: Int64
    let index: Int
  }

  let db: Database
  let plan: Int64

  /// Writes the stops that differ from those before.
  func replace(_ before: [PlanStop], by after: [PlanStop]) throws {
    let (places, oldPlaces) = (Self.places(of: after), Self.places(of: before))
    for stop in before where places[stop.id] == nil {
      try db.run("DELETE FROM plan_stops WHERE plan = ? AND id = ?", plan, stop.id)
    }
    let known = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
    for stop in after {
      guard let place = places[stop.id] else { preconditionFailure("each stop has a place") }
      if let old = known[stop.id], old.isSame(as: stop), oldPlaces[stop.id] == place { continue }
      try db.run(
        """
        INSERT INTO plan_stops (plan, id, day, day_index, title, text, lat_e7, lng_e7) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (plan, id) DO UPDATE SET day = excluded.day, day_index = excluded.day_index,
          title = excluded.title, text = excluded.text, lat_e7 = excluded.lat_e7, lng_e7 = excluded.lng_e7
        """,
        plan,
        stop.id,
        place.day,
        place.index,
        stop.title,
        stop.text,
        stop.place?.latE7,
        stop.place?.lngE7
      )
    }
  }

  private static func places(of stops: [PlanStop]) -> [PlanStopID: Place] {
    var places: [PlanStopID: Place] = [:]
    var counts: [Int64: Int] = [:]
    for stop in stops {
      places[stop.id] = Place(day: stop.day, index: counts[stop.day, default: 0])
      counts[stop.day, default: 0] += 1
    }
    return places
  }
}
