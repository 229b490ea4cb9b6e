// The reads of travel plans of the double.
import Game
import Store

extension MemoryStore {
  package func plan(_ id: PlanID, for player: PlayerID, _ completion: @escaping Completion<OpenedPlan?>) {
    respond(completion) { .success($0.plans.plan(id, for: player, $0.readers, $0.stories)) }
  }

  package func plans(
    of author: PlayerID,
    before number: Int64?,
    limit: Int,
    _ completion: @escaping Completion<PlanPage>
  ) {
    respond(completion) { .success($0.plans.plans(of: author, before: number, limit: limit, $0.readers, $0.stories)) }
  }
}
