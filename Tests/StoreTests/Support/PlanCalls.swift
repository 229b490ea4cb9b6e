// The contract's calls for travel plans as tests use them; they wait for the answer. And sample plans and stops.
import Game
import Store
import Testing

extension Store {
  func plan(_ number: UInt128, for player: UInt128) async throws -> OpenedPlan? {
    try await withCheckedContinuation { waiting in
      plan(PlanID(number), for: PlayerID(player)) { waiting.resume(returning: $0) }
    }.get()
  }

  func plans(of author: UInt128, before number: Int64? = nil, limit: Int = 50) async throws -> PlanPage {
    try await withCheckedContinuation { waiting in
      plans(of: PlayerID(author), before: number, limit: limit) { waiting.resume(returning: $0) }
    }.get()
  }

  /// Makes a plan, which must not be refused.
  func write(_ plan: Plan) async throws {
    let outcome = try await change(PlanChange.write(plan))
    guard case .written(let opened) = outcome else { throw UnexpectedOutcome(outcome: outcome) }
    #expect(opened.seen.plan == plan && opened.stops.isEmpty)
  }

  /// Edits a plan at its version; returns the outcome.
  @discardableResult
  func edit(
    _ number: UInt128,
    of author: UInt128 = 1,
    version: Int64? = nil,
    _ edit: ItineraryEdit
  ) async throws -> PlanOutcome {
    var known = version
    if known == nil { known = try await plan(number, for: author)?.seen.plan.version }
    return try await change(
      PlanChange.edit(
        PlanEdit(id: PlanID(number), author: PlayerID(author), version: known ?? 1, edit: edit, at: moment(9))
      )
    )
  }

  /// Adds a stop, which must not be refused.
  func add(_ stop: PlanStop, to number: UInt128, of author: UInt128 = 1, index: Int? = nil) async throws {
    let outcome = try await edit(number, of: author, .addStop(stop, index: index))
    guard case .edited(_, isChanged: true) = outcome else { throw UnexpectedOutcome(outcome: outcome) }
  }
}

struct UnexpectedOutcome: Error {
  let outcome: PlanOutcome
}

func plan(_ number: UInt128, of author: UInt128 = 1, title: String = "여행", days: ClosedRange<Int64> = 100...102) -> Plan
{
  Plan(id: PlanID(number), author: PlayerID(author), title: title, days: days, writtenAt: moment(5))
}

func stop(_ number: UInt128, day: Int64 = 100, title: String? = nil, text: String = "", at place: Coordinate? = nil)
  -> PlanStop
{
  PlanStop(id: PlanStopID(number), day: day, title: title ?? "stop \(number)", text: text, place: place)
}

func takeOver(_ number: UInt128, as copy: UInt128, by player: UInt128, firstDay: Int64 = 200) -> PlanChange {
  .takeOver(
    PlanID(number),
    PlanCopy(id: PlanID(copy), player: PlayerID(player), firstDay: firstDay, at: moment(7))
  )
}

extension [PlanStop] {
  var numbers: [UInt128] { map(\.id.value) }
}
