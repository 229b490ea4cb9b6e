// Travel plans on the wire. Pure.
import Game
import MadangProtocol
import Store

extension WirePlan {
  init(_ seen: SeenPlan) {
    self.init()
    let plan = seen.plan
    planID = plan.id.description
    authorID = plan.author.description
    nickname = seen.authorNickname
    title = plan.title
    firstDate = CivilDate(day: plan.days.lowerBound).text
    lastDate = CivilDate(day: plan.days.upperBound).text
    version = UInt32(clamping: plan.version)
    writtenAtMs = plan.writtenAt.milliseconds
    if let editedAt = plan.editedAt { editedAtMs = editedAt.milliseconds }
    takenOver = UInt32(clamping: plan.takenOverCount)
    taken = seen.isTaken
    if let credit = seen.credit { takenFrom = WirePlanCredit(credit) }
    hidden = seen.isHidden
    stopCount = UInt32(clamping: plan.stopCount)
  }

  init(_ opened: OpenedPlan) {
    self.init(opened.seen)
    stops = opened.stops.map { WireStop($0) }
  }
}

extension WirePlanCredit {
  fileprivate init(_ credit: PlanCredit) {
    self.init()
    authorID = credit.author.description
    nickname = credit.nickname
    if let plan = credit.plan { planID = plan.description }
  }
}

extension WireStop {
  fileprivate init(_ stop: PlanStop) {
    self.init()
    stopID = stop.id.description
    date = CivilDate(day: stop.day).text
    title = stop.title
    text = stop.text
    if let place = stop.place {
      latE7 = place.latE7
      lngE7 = place.lngE7
    }
  }
}

extension WireStopChange {
  /// The outcome of an edit of a stop.
  init(of id: PlanStopID, in opened: OpenedPlan) {
    self.init()
    let plan = opened.seen.plan
    planID = plan.id.description
    version = UInt32(clamping: plan.version)
    if let editedAt = plan.editedAt { editedAtMs = editedAt.milliseconds }
    stopID = id.description
    if let found = opened.stops.first(where: { $0.id == id }) { stop = WireStop(found) }
    if let place = opened.itinerary.index(of: id) { index = UInt32(place) }
    stopCount = UInt32(clamping: plan.stopCount)
  }
}
