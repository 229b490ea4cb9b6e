// The calls for reports of the forwarding double.
import Game
import Store

extension ForwardingStore {
  package func reportedSubjects(by player: PlayerID, _ completion: @escaping Completion<Set<ReportSubject>>) {
    forward(completion) { $0.reportedSubjects(by: player, $1) }
  }

  package func moderated(
    _ filter: ModerationFilter,
    after cursor: ModerationCursor?,
    limit: Int,
    _ completion: @escaping Completion<[ModeratedRow]>
  ) {
    forward(completion) { $0.moderated(filter, after: cursor, limit: limit, $1) }
  }

  package func moderationCounts(_ completion: @escaping Completion<ModerationCounts>) {
    forward(completion) { $0.moderationCounts($1) }
  }
}
