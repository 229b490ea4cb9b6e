// Reports and what they hide. Part of the contract. They are written by `ModerationChange`.
//
// A deleted thing takes its reports along; a deleted player's reports go, but what they have hidden stays hidden, and
// the counts stay. A player's waiting warnings come with their session (`PlayerRow.warnings`).
import Game

/// Reports. The calls return at once, on any thread.
package protocol ModerationStore: Sendable {
  /// All that a player has reported.
  func reportedSubjects(by player: PlayerID, _ completion: @escaping Completion<Set<ReportSubject>>)

  /// Up to `limit` reported things behind the cursor, the one with the newest report first, of equal ones that with the
  /// higher kind and identifier.
  func moderated(
    _ filter: ModerationFilter,
    after cursor: ModerationCursor?,
    limit: Int,
    _ completion: @escaping Completion<[ModeratedRow]>
  )

  func moderationCounts(_ completion: @escaping Completion<ModerationCounts>)
}
