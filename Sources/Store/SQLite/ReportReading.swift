// Reads of reports, of what they hide, and of warnings. On readers' queues, or inside a commit.
import GRDB
import Game

/// A store whose reports are read from an SQLite database.
package protocol ReportReading: ModerationStore {
  /// Runs `body` on one snapshot of the committed data.
  func read<Value>(_ completion: @escaping Completion<Value>, _ body: @escaping @Sendable (Database) throws -> Value)
}

extension SQLiteStore: ReportReading {}

extension ReportReading {
  package func reportedSubjects(by player: PlayerID, _ completion: @escaping Completion<Set<ReportSubject>>) {
    read(completion) { try $0.reportedSubjects(by: player) }
  }

  package func moderated(
    _ filter: ModerationFilter,
    after cursor: ModerationCursor?,
    limit: Int,
    _ completion: @escaping Completion<[ModeratedRow]>
  ) {
    read(completion) { try ModeratedReading(db: $0).rows(filter, after: cursor, limit: max(0, limit)) }
  }

  package func moderationCounts(_ completion: @escaping Completion<ModerationCounts>) {
    read(completion) { db in
      ModerationCounts(
        waiting: try db.rows("SELECT COUNT(*) FROM moderated WHERE is_waiting = 1")[0].number(0),
        hidden: try db.rows("SELECT COUNT(*) FROM moderated WHERE state IN (1, 2)")[0].number(0)
      )
    }
  }
}

/// A subject as it is stored.
struct FoundSubject {
  let thing: ModeratedSubject
  let isHidden: Bool
}

extension Database {
  /// A thing that can be reported; nil for one that is not there.
  func reported(_ subject: ReportSubject) throws -> FoundSubject? {
    let id = Blob(subject.id)
    switch subject.kind {
    case .post:
      return try row("SELECT author, is_hidden, id FROM posts WHERE id = ?", id).map { row in
        let thing = ModeratedSubject(subject, author: try row.id(0), post: try row.id(2))
        return FoundSubject(thing: thing, isHidden: try row.number(1) == 1)
      }
    case .comment:
      return try row(
        """
        SELECT comments.author, comments.is_hidden, posts.id FROM comments JOIN posts ON posts.number = comments.post
        WHERE comments.id = ?
        """,
        id
      ).map { row in
        let thing = ModeratedSubject(subject, author: try row.id(0), post: try row.id(2))
        return FoundSubject(thing: thing, isHidden: try row.number(1) == 1)
      }
    case .plan:
      return try row("SELECT author, is_hidden FROM plans WHERE id = ?", id).map { row in
        FoundSubject(thing: ModeratedSubject(subject, author: try row.id(0)), isHidden: try row.number(1) == 1)
      }
    case .capsule:
      return try row("SELECT owner, hidden FROM capsules WHERE id = ?", id).map { row in
        FoundSubject(thing: ModeratedSubject(subject, author: try row.id(0)), isHidden: try row.number(1) > 0)
      }
    case .profile:
      let player = PlayerID(subject.id)
      guard try knows(player) else { return nil }
      let thing = ModeratedSubject(subject, author: player)
      return FoundSubject(thing: thing, isHidden: try isProfileHidden(of: player))
    }
  }

  func isProfileHidden(of player: PlayerID) throws -> Bool {
    try finds(
      "SELECT 1 FROM moderated WHERE kind = ? AND subject = ? AND state IN (1, 2)",
      ReportKind.profile.rawValue,
      Blob(player.value)
    )
  }

  func hasReported(_ subject: ReportSubject, _ player: PlayerID) throws -> Bool {
    try finds(
      "SELECT 1 FROM reports WHERE reporter = ? AND kind = ? AND subject = ?",
      player,
      subject.kind.rawValue,
      Blob(subject.id)
    )
  }

  /// All that a player has reported.
  func reportedSubjects(by player: PlayerID) throws -> Set<ReportSubject> {
    Set(try rows("SELECT kind, subject FROM reports WHERE reporter = ?", player).map { try $0.subject(0, 1) })
  }

  /// The warnings that wait for a player, the oldest first.
  func warnings(of player: PlayerID) throws -> [PlayerWarning] {
    try rows(
      "SELECT id, kind, subject, text, warned_at FROM warnings WHERE player = ? ORDER BY warned_at, id",
      player
    ).map { row in
      PlayerWarning(
        id: try row.value(0),
        player: player,
        subject: try row.value(1, Int?.self) == nil ? nil : row.subject(1, 2),
        text: try row.value(3),
        at: try row.value(4)
      )
    }
  }
}

/// The read of reported things for operators.
private struct ModeratedReading {
  let db: Database

  func rows(_ filter: ModerationFilter, after cursor: ModerationCursor?, limit: Int) throws -> [ModeratedRow] {
    let places = try places(filter, after: cursor)
    var found: [ModeratedRow] = []
    while found.count < limit, let place = try places.next() {
      // A comment stays for a while behind its post, and a player's things during their deletion.
      if let row = try row(place) { found.append(row) }
    }
    return found
  }

  private func places(_ filter: ModerationFilter, after cursor: ModerationCursor?) throws -> RowCursor {
    let before: [(any DatabaseValueConvertible)?] = [
      cursor?.reportedAt ?? Instant(milliseconds: .max), cursor?.subject.kind.rawValue ?? Int(Int16.max),
      Blob(cursor?.subject.id ?? .max),
    ]
    switch filter {
    case .waiting:
      return try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT kind, subject, state, is_waiting, reports_count, reported_at FROM moderated
            WHERE is_waiting = 1 AND (reported_at, kind, subject) < (?, ?, ?)
            ORDER BY reported_at DESC, kind DESC, subject DESC
            """
        ),
        arguments: StatementArguments(before)
      )
    case .state(let state):
      return try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT kind, subject, state, is_waiting, reports_count, reported_at FROM moderated
            WHERE state = ? AND (reported_at, kind, subject) < (?, ?, ?)
            ORDER BY reported_at DESC, kind DESC, subject DESC
            """
        ),
        arguments: StatementArguments([state.rawValue] + before)
      )
    }
  }

  private func row(_ row: Row) throws -> ModeratedRow? {
    let subject = try row.subject(0, 1)
    guard let thing = try db.reported(subject)?.thing, let content = try content(of: subject) else { return nil }
    return ModeratedRow(
      thing,
      nickname: try db.row("SELECT nickname FROM players WHERE id = ?", thing.author)?.value(0) ?? ErasedText.text,
      title: content.title,
      text: content.text,
      pictures: content.pictures,
      state: try row.moderationState(2),
      isWaiting: try row.number(3) == 1,
      reportsCount: try row.number(4),
      reportedAt: Instant(milliseconds: try row.number(5)),
      reports: try reports(of: subject)
    )
  }

  private func content(of subject: ReportSubject) throws -> (title: String, text: String, pictures: [MediaID])? {
    switch subject.kind {
    case .post:
      return try db.row("\(StoredPost.query) WHERE posts.id = ?", Blob(subject.id)).map { row in
        let post = try StoredPost(row: row).post
        return (post.title, post.text, post.pictures)
      }
    case .comment:
      return try db.row("\(PostComment.query) WHERE comments.id = ?", Blob(subject.id)).map { row in
        ("", try PostComment(row: row).text, [])
      }
    case .capsule:
      return try db.row("\(Capsule.query) WHERE id = ?", Blob(subject.id)).map { row in
        let capsule = try Capsule(row: row)
        return (capsule.title, capsule.text, capsule.pictures)
      }
    case .plan: return try plan(PlanID(subject.id))
    case .profile:
      let row = try db.row("SELECT introduction, picture FROM profiles WHERE player = ?", Blob(subject.id))
      let picture = try row?.value(1, MediaID?.self)
      return ("", try row?.value(0) ?? "", picture.map { [$0] } ?? [])
    }
  }

  /// A plan's title, and those of its stops with their texts.
  private func plan(_ id: PlanID) throws -> (title: String, text: String, pictures: [MediaID])? {
    guard let stored = try db.storedPlan(id) else { return nil }
    let lines = try db.stops(ofPlan: stored.number).flatMap { [$0.title, $0.text] }.filter { !$0.isEmpty }
    return (stored.plan.title, lines.joined(separator: "\n"), [])
  }

  private func reports(of subject: ReportSubject) throws -> [ReportText] {
    try db.rows(
      """
      SELECT reasons, text, reported_at FROM reports WHERE kind = ? AND subject = ?
      ORDER BY reported_at DESC, reporter LIMIT ?
      """,
      subject.kind.rawValue,
      Blob(subject.id),
      ModeratedRow.reportsShownMax
    ).map { row in
      ReportText(reasons: ReportReasons(rawValue: try row.value(0)), text: try row.value(1), at: try row.value(2))
    }
  }
}

extension Row {
  /// A subject by the places of its kind and its identifier.
  func subject(_ kind: Int, _ id: Int) throws -> ReportSubject {
    guard let known = ReportKind(rawValue: try value(kind)), let id = try value(id, Blob.self).identifier else {
      throw StoreFailure.corrupt("the subject of a report")
    }
    return ReportSubject(known, id)
  }

  func moderationState(_ index: Int) throws -> ModerationState {
    guard let state = ModerationState(rawValue: try value(index)) else {
      throw StoreFailure.corrupt("the state of a reported thing")
    }
    return state
  }
}
