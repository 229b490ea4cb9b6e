// Making, editing, deleting and taking over travel plans.
//
// On the shard's queue. Each change is a change of a commit, and is answered with its outcome. A plan that a player may
// not see is to them one that does not exist.
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension Plans {
  func writePlan(_ wire: WireWritePlan, _ request: PlayerRequest) {
    let plan: Plan
    do throws(StoryRefusal) {
      plan = Plan(
        id: PlanID(gateway.context.drawNumber(UInt128.self)),
        author: request.player,
        title: try PlanField.title(wire.title),
        days: try PlanField.planDays(first: wire.firstDate, last: wire.lastDate),
        writtenAt: gateway.now
      )
    } catch {
      return request.refuse(error.code, error.text)
    }
    guard gateway.allowsWriting(request), pay(request) else { return }
    charge(request, bytes: plan.title.utf8.count)
    commit(.write(plan), request)
  }

  func editPlan(_ wire: WireEditPlan, _ request: PlayerRequest) {
    commitEdit(wire.planID, wire.version, request, writes: true) { () throws(StoryRefusal) in
      .replace(
        title: wire.hasTitle ? try PlanField.title(wire.title) : nil,
        firstDay: wire.hasFirstDate ? try PlanField.day(wire.firstDate, in: "firstDate") : nil,
        lastDay: wire.hasLastDate ? try PlanField.day(wire.lastDate, in: "lastDate") : nil,
        shiftsStops: wire.shiftStops
      )
    }
  }

  func addStop(_ wire: WireAddStop, _ request: PlayerRequest) {
    let id = PlanStopID(gateway.context.drawNumber(UInt128.self))
    commitEdit(wire.planID, wire.version, request, writes: true) { () throws(StoryRefusal) in
      let stop = wire.stop
      let new = PlanStop(
        id: id,
        day: try PlanField.day(stop.date, in: "date"),
        title: try PlanField.title(stop.title),
        text: try PlanField.text(stop.text),
        place: try PostField.place(stop.hasLatE7 ? stop.latE7 : nil, stop.hasLngE7 ? stop.lngE7 : nil)
      )
      return .addStop(new, index: wire.hasIndex ? Int(wire.index) : nil)
    }
  }

  func editStop(_ wire: WireEditStop, _ request: PlayerRequest) {
    commitEdit(wire.planID, wire.version, request, writes: true) { () throws(StoryRefusal) in
      let id = try PlanField.stopID(wire.stopID)
      var edit = PlanStopEdit()
      if wire.hasTitle { edit.title = try PlanField.title(wire.title) }
      if wire.hasText { edit.text = try PlanField.text(wire.text) }
      let place = try PostField.place(wire.hasLatE7 ? wire.latE7 : nil, wire.hasLngE7 ? wire.lngE7 : nil)
      if let place { edit.place = .some(place) } else if wire.withoutPlace { edit.place = .some(nil) }
      if wire.hasDate { edit.day = try PlanField.day(wire.date, in: "date") }
      return .editStop(id, edit)
    }
  }

  func moveStop(_ wire: WireMoveStop, _ request: PlayerRequest) {
    commitEdit(wire.planID, wire.version, request) { () throws(StoryRefusal) in
      .moveStop(
        try PlanField.stopID(wire.stopID),
        day: wire.hasDate ? try PlanField.day(wire.date, in: "date") : nil,
        index: wire.hasIndex ? Int(wire.index) : nil
      )
    }
  }

  func deleteStop(_ wire: WireDeleteStop, _ request: PlayerRequest) {
    commitEdit(wire.planID, wire.version, request) { () throws(StoryRefusal) in
      .deleteStop(try PlanField.stopID(wire.stopID))
    }
  }

  /// Commits an edit of a plan. `writes` says that it brings texts, which a mute forbids.
  private func commitEdit(
    _ id: String,
    _ version: UInt32,
    _ request: PlayerRequest,
    writes: Bool = false,
    _ read: () throws(StoryRefusal) -> ItineraryEdit
  ) {
    let edit: PlanEdit
    do throws(StoryRefusal) {
      edit = PlanEdit(
        id: try PostField.planID(id),
        author: request.player,
        version: try PlanField.editedVersion(version),
        edit: try read(),
        at: gateway.now
      )
    } catch {
      return request.refuse(error.code, error.text)
    }
    guard !writes || gateway.allowsWriting(request), pay(request) else { return }
    charge(request, bytes: edit.edit.textByteCount)
    commit(.edit(edit), request)
  }

  func deletePlan(_ wire: WireDeletePlan, _ request: PlayerRequest) {
    let (id, version): (PlanID, Int64?)
    do throws(StoryRefusal) {
      id = try PostField.planID(wire.planID)
      version = wire.hasVersion ? try PlanField.editedVersion(wire.version) : nil
    } catch {
      return request.refuse(error.code, error.text)
    }
    guard pay(request) else { return }
    charge(request, bytes: 0)
    commit(.delete(id, author: request.player, version: version), request)
  }

  func takeOverPlan(_ wire: WireTakeOverPlan, _ request: PlayerRequest) {
    let (id, firstDay): (PlanID, Int64)
    do throws(StoryRefusal) {
      (id, firstDay) = (try PostField.planID(wire.planID), try PlanField.day(wire.firstDate, in: "firstDate"))
    } catch {
      return request.refuse(error.code, error.text)
    }
    guard pay(request) else { return }
    // Its texts are known behind the commit: many copies at once would be charged too late.
    charge(request, bytes: PlanRules.stopTextsBytesMax)
    let copy = PlanCopy(
      id: PlanID(gateway.context.drawNumber(UInt128.self)),
      player: request.player,
      firstDay: firstDay,
      at: gateway.now
    )
    commit(.takeOver(id, copy), request)
  }

  // Budgets.

  /// The bytes that a change takes beside its texts.
  private static let changeBytes = 128

  private func pay(_ request: PlayerRequest) -> Bool {
    gateway.payForChange(request, .planChanges, ofAddress: .planChangesOfAddress)
  }

  func charge(_ request: PlayerRequest, bytes: Int) {
    gateway.chargeJournal(of: request.session, bytes: Int64(Self.changeBytes + bytes))
  }
}

extension ItineraryEdit {
  fileprivate var textByteCount: Int {
    switch self {
    case .replace(let title, firstDay: _, lastDay: _, shiftsStops: _): title?.utf8.count ?? 0
    case .addStop(let stop, index: _): stop.title.utf8.count + stop.text.utf8.count
    case .editStop(_, let edit): (edit.title?.utf8.count ?? 0) + (edit.text?.utf8.count ?? 0)
    case .moveStop, .deleteStop: 0
    }
  }
}
