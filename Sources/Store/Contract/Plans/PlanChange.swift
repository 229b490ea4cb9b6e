// Changes of travel plans by their authors, and by those who take them over. Plain values.
//
// An edit names the version that it changes. So an edit of something that its author has not seen is refused, and
// brings the newest version.
import Game

/// A change of plans. Each is refused with `.notFound` for a player who is unknown, or whose deletion has begun, and
/// for a plan that the player does not see; a change of somebody else's plan with `.notAuthor`.
package enum PlanChange: Hashable, Sendable {
  /// Makes a plan without stops, which is nobody's copy. A known plan of the same author stays as it is. Outcome
  /// `.written`; `.tooMany` where the author has `Plan.authoredMax` already; `.notFound` for another author's
  /// identifier.
  case write(Plan)
  /// Edits a plan. Outcome `.edited`, `.staleVersion` or `.refused`.
  case edit(PlanEdit)
  /// Deletes a plan with its stops; it is gone from posts, and copies stay. A version, where one is given, is that of
  /// the plan. Outcome `.deleted` or `.staleVersion`.
  case delete(PlanID, author: PlayerID, version: Int64?)
  /// Makes a copy of a plan that the player sees, shifted to begin on another day. It counts once for each player, and
  /// never for the author. A known copy of the same player stays as it is. Outcome `.takenOver`; `.tooMany` as above;
  /// `.refused` for a day that the calendar does not reach; `.blocked`; `.notFound` for another author's identifier.
  case takeOver(PlanID, PlanCopy)
  /// Hides a plan from everybody but its author, or shows it again. Outcome `.hidden`, or `.notFound`.
  case hide(PlanID, isHidden: Bool)
}

/// The new content of a plan.
package struct PlanEdit: Hashable, Sendable {
  package var id: PlanID
  package var author: PlayerID
  /// The version that the author has seen.
  package var version: Int64
  package var edit: ItineraryEdit
  package var at: Instant

  package init(id: PlanID, author: PlayerID, version: Int64, edit: ItineraryEdit, at: Instant) {
    self.id = id
    self.author = author
    self.version = version
    self.edit = edit
    self.at = at
  }
}

/// The making of a copy.
package struct PlanCopy: Hashable, Sendable {
  /// The identifier of the copy.
  package var id: PlanID
  package var player: PlayerID
  /// The first day of the copy.
  package var firstDay: Int64
  package var at: Instant

  package init(id: PlanID, player: PlayerID, firstDay: Int64, at: Instant) {
    self.id = id
    self.player = player
    self.firstDay = firstDay
    self.at = at
  }
}

/// The outcome of a change of plans. Each plan is as the player sees it behind the change.
package enum PlanOutcome: Hashable, Sendable {
  case written(OpenedPlan)
  /// `isChanged` is false for an edit that has changed nothing.
  case edited(OpenedPlan, isChanged: Bool)
  case deleted
  /// The copy, and the count of the original. `isCounted` is true for the first copy of a player who is not the author.
  case takenOver(OpenedPlan, takenOverCount: Int64, isCounted: Bool)
  case hidden
  /// The plan by now; it has another version than the change names.
  case staleVersion(OpenedPlan)
  case refused(PlanFault)
  case tooMany
  case notAuthor
  /// The plan's author has blocked the player.
  case blocked
  case notFound
  /// The stored data is damaged there, so the change was not made; the batch's other changes were.
  case unavailable
}

extension OpenedPlan {
  /// The plan with an edit; nil where the edit changes nothing.
  package func applying(_ edit: PlanEdit) throws(PlanFault) -> OpenedPlan? {
    let itinerary = self.itinerary
    let edited = try itinerary.applying(edit.edit)
    guard !edited.isSame(as: itinerary) else { return nil }
    var opened = self
    opened.seen.plan.title = edited.title
    opened.seen.plan.days = edited.days
    opened.seen.plan.stopCount = edited.stops.count
    opened.seen.plan.version += 1
    opened.seen.plan.editedAt = edit.at
    opened.stops = edited.stops
    return opened
  }

  /// The copy of the plan for a player; the credit of a copy of one's own plan is that plan's.
  package func copied(_ copy: PlanCopy) throws(PlanFault) -> (plan: Plan, stops: [PlanStop]) {
    let original = seen.plan
    let shifted = try itinerary.beginning(on: copy.firstDay)
    let plan = Plan(
      id: copy.id,
      author: copy.player,
      title: shifted.title,
      days: shifted.days,
      stopCount: shifted.stops.count,
      writtenAt: copy.at,
      origin: original.author == copy.player
        ? original.origin : PlanOrigin(plan: original.id, author: original.author)
    )
    return (plan, shifted.stops)
  }
}
