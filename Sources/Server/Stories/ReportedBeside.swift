// What a player has reported, read beside what they begin to watch: news then come without it. Values; the store
// answers on a thread of its own.
import Game
import Store

/// The store's answer for a player, and the player's reports.
struct ReportedBeside<Found: Sendable>: Sendable {
  let found: Found
  let subjects: Set<ReportSubject>

  /// Reads what a player has reported beside what was found.
  static func read(
    _ found: Result<Found, StoreFailure>,
    for player: PlayerID,
    from store: any ModerationStore,
    _ answer: @escaping @Sendable (Result<Self, StoreFailure>) -> Void
  ) {
    store.reportedSubjects(by: player) { reported in
      answer(found.flatMap { found in reported.map { Self(found: found, subjects: $0) } })
    }
  }
}

extension StoryWatcher {
  /// Takes over what the store has of the player's reports.
  func take<Found>(_ answer: Result<ReportedBeside<Found>, StoreFailure>) {
    if case .success(let answer) = answer { reported = answer.subjects }
  }
}
