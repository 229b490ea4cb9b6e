// Changes of travel plans on their way through a commit, and their answers.
//
// On the shard's queue, behind the commit.
import Game
import Gateway
import MadangProtocol
import Store

extension Plans {
  /// Commits a change, and answers with its outcome.
  func commit(_ change: PlanChange, _ request: PlayerRequest) {
    // The connection waits for the outcome; without it nothing else would be answered.
    let giveUp = { request.session.refuseUnwritten(request.id, andClose: true) }
    awaitOutcome(of: change, for: request.session, orElse: giveUp) { [self] outcome, session in
      countAct(outcome)
      if case .takeOver = change { giveBack(copiedBy: outcome, request) }
      if session != nil { answer(outcome, to: change, request) }
    }
  }

  private func countAct(_ outcome: PlanOutcome) {
    switch outcome {
    case .written: statistics.acts[.write] += 1
    case .edited(_, isChanged: let isChanged): statistics.acts[.edit] += isChanged ? 1 : 0
    case .deleted: statistics.acts[.delete] += 1
    case .takenOver: statistics.acts[.takeOver] += 1
    case .staleVersion: statistics.staleEdits += 1
    case .hidden, .refused, .tooMany, .notAuthor, .blocked, .notFound, .unavailable: break
    }
  }

  /// Gives back what was charged for the texts of a copy and is not in it.
  private func giveBack(copiedBy outcome: PlanOutcome, _ request: PlayerRequest) {
    var copiedBytes = 0
    if case .takenOver(let opened, takenOverCount: _, isCounted: _) = outcome {
      copiedBytes = opened.stops.reduce(0) { $0 + $1.title.utf8.count + $1.text.utf8.count }
    }
    gateway.giveBackJournal(of: request.session, bytes: Int64(PlanRules.stopTextsBytesMax - copiedBytes))
  }

  private func answer(_ outcome: PlanOutcome, to change: PlanChange, _ request: PlayerRequest) {
    switch outcome {
    case .written(let opened): request.reply(.plan(WirePlan(opened)))
    case .edited(let opened, isChanged: _):
      if let stop = change.editedStop {
        request.reply(.stopChange(WireStopChange(of: stop, in: opened)))
      } else {
        request.reply(.plan(WirePlan(opened)))
      }
    case .takenOver(let opened, takenOverCount: _, isCounted: _): request.reply(.plan(WirePlan(opened)))
    case .deleted, .hidden: request.reply(.ok(WireOk()))
    case .staleVersion(let opened):
      var error = WireError(.staleVersion, nil)
      error.plan = WirePlan(opened)
      request.reply(.error(error))
    case .refused(let fault):
      let refusal = StoryRefusal(fault)
      request.refuse(refusal.code, refusal.text)
    case .tooMany: request.refuse(.tooManyPlans)
    case .notAuthor: request.refuse(.notAuthor)
    case .blocked: request.refuse(.blocked)
    case .notFound: request.refuse(.planNotFound)
    case .unavailable: request.refuseForStore()
    }
  }
}

extension PlanChange {
  /// The stop that it edits; nil for a change of a plan as a whole.
  fileprivate var editedStop: PlanStopID? {
    guard case .edit(let edit) = self else { return nil }
    switch edit.edit {
    case .replace: return nil
    case .addStop(let stop, index: _): return stop.id
    case .editStop(let id, _), .moveStop(let id, day: _, index: _), .deleteStop(let id): return id
    }
  }
}
