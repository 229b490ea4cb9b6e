// The reads of reports of the double.
import Game
import Store

extension MemoryStore {
  package func reportedSubjects(by player: PlayerID, _ completion: @escaping Completion<Set<ReportSubject>>) {
    respond(completion) { .success($0.moderation.reported(by: player)) }
  }

  package func moderated(
    _ filter: ModerationFilter,
    after cursor: ModerationCursor?,
    limit: Int,
    _ completion: @escaping Completion<[ModeratedRow]>
  ) {
    respond(completion) { tables in
      let rows = tables.moderation.rows(
        filter,
        tables.readers,
        tables.stories,
        tables.plans,
        tables.capsules,
        tables.profiles
      )
      let behind = rows.filter { row in cursor.map { ModerationCursor(of: row).isBehind($0) } ?? true }
      return .success(Array(behind.prefix(max(0, limit))))
    }
  }

  package func moderationCounts(_ completion: @escaping Completion<ModerationCounts>) {
    respond(completion) { tables in
      let rows = tables.moderation.rows(
        nil,
        tables.readers,
        tables.stories,
        tables.plans,
        tables.capsules,
        tables.profiles
      )
      return .success(
        ModerationCounts(
          waiting: Int64(rows.count(where: \.isWaiting)),
          hidden: Int64(rows.count(where: \.state.isHidden))
        )
      )
    }
  }
}
