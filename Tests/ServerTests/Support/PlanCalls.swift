// Requests about travel plans, each in one call.
import MadangProtocol
import TestSupport

extension TestPlayer {
  static func writePlan(
    _ title: String = "여행",
    from first: String = "2026-12-24",
    to last: String = "2026-12-26"
  ) -> WireWritePlan {
    var write = WireWritePlan()
    (write.title, write.firstDate, write.lastDate) = (title, first, last)
    return write
  }

  func plan(
    _ title: String = "여행",
    from first: String = "2026-12-24",
    to last: String = "2026-12-26"
  ) throws -> WirePlan {
    try answeredPlan(.writePlan(Self.writePlan(title, from: first, to: last)))
  }

  func answeredPlan(_ body: WireClientMessage.OneOf_Body) throws -> WirePlan {
    let answer = try request(body)
    guard case .plan(let plan) = answer else { throw TestFailure("no plan: \(answer)") }
    return plan
  }

  static func read(_ plan: WirePlan) -> WireClientMessage.OneOf_Body {
    var read = WireReadPlan()
    read.planID = plan.planID
    return .readPlan(read)
  }

  func read(_ plan: WirePlan) throws -> WirePlan { try answeredPlan(Self.read(plan)) }

  static func editPlan(
    _ plan: WirePlan,
    _ configure: (inout WireEditPlan) -> Void
  ) -> WireClientMessage.OneOf_Body {
    var edit = WireEditPlan()
    (edit.planID, edit.version) = (plan.planID, plan.version)
    configure(&edit)
    return .editPlan(edit)
  }

  /// Adds a stop to the version that `plan` has.
  static func addStop(
    _ title: String,
    on date: String = "2026-12-24",
    to plan: WirePlan,
    index: UInt32? = nil,
    _ configure: (inout WireStop) -> Void = { _ in }
  ) -> WireClientMessage.OneOf_Body {
    var add = WireAddStop()
    (add.planID, add.version) = (plan.planID, plan.version)
    (add.stop.title, add.stop.date) = (title, date)
    configure(&add.stop)
    if let index { add.index = index }
    return .addStop(add)
  }

  static func editStop(
    _ id: String,
    of plan: WirePlan,
    _ configure: (inout WireEditStop) -> Void
  ) -> WireClientMessage.OneOf_Body {
    var edit = WireEditStop()
    (edit.planID, edit.version, edit.stopID) = (plan.planID, plan.version, id)
    configure(&edit)
    return .editStop(edit)
  }

  static func moveStop(
    _ id: String,
    of plan: WirePlan,
    to date: String? = nil,
    index: UInt32? = nil
  ) -> WireClientMessage.OneOf_Body {
    var move = WireMoveStop()
    (move.planID, move.version, move.stopID) = (plan.planID, plan.version, id)
    if let date { move.date = date }
    if let index { move.index = index }
    return .moveStop(move)
  }

  static func deleteStop(_ id: String, of plan: WirePlan) -> WireClientMessage.OneOf_Body {
    var delete = WireDeleteStop()
    (delete.planID, delete.version, delete.stopID) = (plan.planID, plan.version, id)
    return .deleteStop(delete)
  }

  static func delete(_ plan: WirePlan, version: UInt32? = nil) -> WireClientMessage.OneOf_Body {
    var delete = WireDeletePlan()
    delete.planID = plan.planID
    if let version { delete.version = version }
    return .deletePlan(delete)
  }

  static func takeOver(_ plan: WirePlan, from first: String = "2027-01-01") -> WireClientMessage.OneOf_Body {
    var take = WireTakeOverPlan()
    (take.planID, take.firstDate) = (plan.planID, first)
    return .takeOverPlan(take)
  }

  /// Changes a stop, and has the plan follow the small answer as a client does.
  @discardableResult
  func change(_ plan: inout WirePlan, _ body: WireClientMessage.OneOf_Body) throws -> WireStopChange {
    let answer = try request(body)
    guard case .stopChange(let change) = answer else { throw TestFailure("no change: \(answer)") }
    plan.follow(change)
    return change
  }

  /// The titles of one's own plans, over pages of two.
  func plans() throws -> [String] {
    var list = WireListPlans()
    list.limit = 2
    var titles: [String] = []
    repeat {
      let answer = try request(.listPlans(list))
      guard case .plans(let page) = answer else { throw TestFailure("no plans: \(answer)") }
      titles += page.plans.map(\.title)
      list.cursor = page.nextCursor
    } while !list.cursor.isEmpty
    return titles
  }
}

extension WirePlan {
  /// Takes a change of a stop in.
  mutating func follow(_ change: WireStopChange) {
    version = change.version
    if change.hasEditedAtMs { editedAtMs = change.editedAtMs }
    stopCount = change.stopCount
    stops.removeAll { $0.stopID == change.stopID }
    guard change.hasStop else { return }
    let place = (stops.firstIndex { $0.date >= change.stop.date } ?? stops.count) + Int(change.index)
    stops.insert(change.stop, at: place)
  }

  /// The titles of its stops.
  var titles: [String] { stops.map(\.title) }
}
