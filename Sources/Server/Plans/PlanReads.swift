// Reading travel plans: one with its stops, and one's own in pages.
//
// On the shard's queue; the store answers by `post`.
import Game
import Gateway
import MadangProtocol
import Store

extension Plans {
  func readPlan(_ wire: WireReadPlan, _ request: PlayerRequest) {
    guard let id = PlanID(wire.planID) else { return request.refuse(.planNotFound) }
    answerFromStore(request, orElse: .planNotFound) { store, player, finish in
      store.plan(id, for: player) { found in
        finish(found.map { opened in opened.map { .plan(WirePlan($0)) } })
      }
    }
  }

  func listPlans(_ wire: WireListPlans, _ request: PlayerRequest) {
    let asked = wire.hasLimit ? wire.limit : nil
    guard let limit = request.rows(asked, "limit", in: Limits.plansLimit, default: Limits.plansLimitDefault) else {
      return
    }
    var number: Int64?
    if !wire.cursor.isEmpty {
      guard wire.cursor.utf8.count <= Limits.cursorBytesMax, let cursor = PlanCursor(wire.cursor) else {
        return request.refuse(.wrongCursor)
      }
      number = cursor.number
    }
    answerFromStore(request, orElse: .planNotFound) { store, player, finish in
      store.plans(of: player, before: number, limit: limit) { found in
        finish(
          found.map { page in
            var answer = WirePlans()
            answer.plans = page.plans.map { WirePlan($0) }
            if let next = page.next { answer.nextCursor = PlanCursor(number: next).text }
            return .plans(answer)
          }
        )
      }
    }
  }
}

/// A place among a player's own plans. Its text is opaque to clients, and no other list has it.
struct PlanCursor {
  private static let mark: Substring = "plans"

  let number: Int64

  var text: String { "\(Self.mark).\(number)" }

  init(number: Int64) {
    self.number = number
  }

  /// Reads what `text` writes; nil for any other text.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == Self.mark, let number = Int64(parts[1]) else { return nil }
    self.init(number: number)
  }
}
