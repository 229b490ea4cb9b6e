// The stored rows of travel plans. Plain values, the same for every back end. The bounds on titles, texts, days and
// stops are the rules' of `Game`; those here bound what one player can make the store keep.
import Game

/// The source of a copy.
package struct PlanOrigin: Hashable, Sendable {
  /// The original, perhaps deleted since.
  package var plan: PlanID
  package var author: PlayerID

  package init(plan: PlanID, author: PlayerID) {
    self.plan = plan
    self.author = author
  }
}

/// A plan without its stops.
package struct Plan: Hashable, Sendable {
  package let id: PlanID
  package let author: PlayerID
  package var title: String
  /// From the first to the last one, counted from 1 January 1970.
  package var days: ClosedRange<Int64>
  package var stopCount: Int
  /// 1 for a plan that is as it was made; each edit that changes something adds 1.
  package var version: Int64
  package let writtenAt: Instant
  /// The moment of the last edit; nil for a plan that is as it was made.
  package var editedAt: Instant?
  /// Nil for a plan that is no copy, and once the original's author is erased.
  package var origin: PlanOrigin?
  /// The players who have taken it over, each counted once, without its author.
  package var takenOverCount: Int64

  package init(
    id: PlanID,
    author: PlayerID,
    title: String,
    days: ClosedRange<Int64>,
    stopCount: Int = 0,
    version: Int64 = 1,
    writtenAt: Instant,
    editedAt: Instant? = nil,
    origin: PlanOrigin? = nil,
    takenOverCount: Int64 = 0
  ) {
    self.id = id
    self.author = author
    self.title = title
    self.days = days
    self.stopCount = stopCount
    self.version = version
    self.writtenAt = writtenAt
    self.editedAt = editedAt
    self.origin = origin
    self.takenOverCount = takenOverCount
  }

  /// The most plans of one author, copies included.
  package static let authoredMax = 1_000
}

/// The credit of a copy, as one player sees it.
package struct PlanCredit: Hashable, Sendable {
  package var author: PlayerID
  /// The author's present nickname; `ErasedText.text` while the author is being deleted.
  package var nickname: String
  /// The original; nil where the player does not see it.
  package var plan: PlanID?

  package init(author: PlayerID, nickname: String, plan: PlanID?) {
    self.author = author
    self.nickname = nickname
    self.plan = plan
  }
}

/// A plan as one player sees it, without its stops.
package struct SeenPlan: Hashable, Sendable {
  package var plan: Plan
  /// The author's present nickname; `ErasedText.text` while the author is being deleted.
  package var authorNickname: String
  package var credit: PlanCredit?
  /// The player has taken it over.
  package var isTaken: Bool
  /// Only its author sees a hidden plan.
  package var isHidden: Bool

  package init(
    plan: Plan,
    authorNickname: String,
    credit: PlanCredit? = nil,
    isTaken: Bool = false,
    isHidden: Bool = false
  ) {
    self.plan = plan
    self.authorNickname = authorNickname
    self.credit = credit
    self.isTaken = isTaken
    self.isHidden = isHidden
  }
}

/// A plan as one player sees it, with its stops.
package struct OpenedPlan: Hashable, Sendable {
  package var seen: SeenPlan
  /// By day, and within a day in the author's order.
  package var stops: [PlanStop]

  package init(seen: SeenPlan, stops: [PlanStop] = []) {
    self.seen = seen
    self.stops = stops
  }

  package var itinerary: Itinerary { Itinerary(title: seen.plan.title, days: seen.plan.days, stops: stops) }
}

/// A page of plans.
package struct PlanPage: Hashable, Sendable {
  package var plans: [SeenPlan]
  /// The number of the plan behind which the next page begins; nil on the last one.
  package var next: Int64?

  package init(plans: [SeenPlan] = [], next: Int64? = nil) {
    self.plans = plans
    self.next = next
  }
}
