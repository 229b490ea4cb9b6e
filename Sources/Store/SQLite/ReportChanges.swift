// Reports of players, and decisions and warnings of operators, inside a commit.
// Decisions: 121 (docs/decisions).
import GRDB
import Game

/// The writing of changes of moderation.
struct ModerationWriting {
  let db: Database
  /// The time when the batch was made.
  let at: Instant
  /// Writes a row of the audit log.
  let log: (AuditEntry) throws -> Void

  func write(_ change: ModerationChange) throws -> ModerationOutcome {
    switch change {
    case .report(let report): try add(report)
    case .decide(let subject, let decision, let entry): try decide(subject, decision, entry)
    case .warn(let warning, let entry): try warn(warning, entry)
    case .seeWarning(let id, let player):
      try db.run("DELETE FROM warnings WHERE id = ? AND player = ?", id, player) > 0 ? .seen : .notFound
    }
  }

  // Reports.

  private func add(_ report: Report) throws -> ModerationOutcome {
    let subject = report.subject
    guard try db.knows(report.reporter), let found = try db.reported(subject) else { return .notFound }
    guard found.thing.author != report.reporter else { return .own }
    if try db.hasReported(subject, report.reporter) { return .reported(found.thing, isNew: false, hides: false) }
    guard try !found.isHidden && isSeen(subject, by: report.reporter) else { return .notFound }
    let count = try db.rows("SELECT COUNT(*) FROM reports WHERE reporter = ?", report.reporter)[0].number(0)
    guard count < Report.reportsOfOneMax else { return .tooMany }
    let counts = try isOldAccount(report.reporter, at: report.at)
    let networksBefore = try counts ? networks(of: subject) : 0
    try db.run(
      """
      INSERT INTO reports (reporter, kind, subject, reasons, text, reported_at, network) VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      report.reporter,
      subject.kind.rawValue,
      Blob(subject.id),
      report.reasons.rawValue,
      report.text,
      report.at,
      counts ? Blob(report.network) : nil
    )
    let isEnough = try counts && networks(of: subject) >= ModerationRules.networksToHide
    let state = try note(
      report,
      author: found.thing.author,
      returns: isEnough && networksBefore < ModerationRules.networksToHide
    )
    // What an operator has restored stays as it is.
    guard isEnough, state == .shown else { return .reported(found.thing, isNew: true, hides: false) }
    try db.run(
      "UPDATE moderated SET state = ? WHERE kind = ? AND subject = ?",
      ModerationState.hiddenByReports.rawValue,
      subject.kind.rawValue,
      Blob(subject.id)
    )
    try setHidden(subject, true)
    return .reported(found.thing, isNew: true, hides: true)
  }

  /// Notes a report in the subject's row; returns the subject's state. `returns` says that a restored subject comes
  /// back into the queue, whatever the number of its reports.
  private func note(_ report: Report, author: PlayerID, returns: Bool) throws -> ModerationState {
    let (kind, subject) = (report.subject.kind.rawValue, Blob(report.subject.id))
    let known = try db.row(
      "SELECT state, reports_count, is_waiting, reported_at FROM moderated WHERE kind = ? AND subject = ?",
      kind,
      subject
    )
    guard let known else {
      try db.run(
        """
        INSERT INTO moderated (kind, subject, author, state, is_waiting, reports_count, reported_at)
        VALUES (?, ?, ?, 0, 1, 1, ?)
        """,
        kind,
        subject,
        author,
        report.at
      )
      return .shown
    }
    let (state, count) = (try known.moderationState(0), try known.number(1) + 1)
    let isAsked = state != .restored || returns || ModerationRules.bringsBack(reportNumber: count)
    try db.run(
      "UPDATE moderated SET reports_count = ?, is_waiting = ?, reported_at = ? WHERE kind = ? AND subject = ?",
      count,
      isAsked ? 1 : known.number(2),
      isAsked ? report.at.milliseconds : known.number(3),
      kind,
      subject
    )
    return state
  }

  /// A guest's report counts for nobody else, nor does that of an account that may have been made for it.
  private func isOldAccount(_ player: PlayerID, at now: Instant) throws -> Bool {
    try db.finds(
      "SELECT 1 FROM players WHERE id = ? AND email IS NOT NULL AND registered_at <= ?",
      player,
      now - ModerationRules.accountAgeMin
    )
  }

  /// The number of networks that reports which count have come from, since an operator's decision. A player has one
  /// report of a subject, so that so many networks are as many players.
  private func networks(of subject: ReportSubject) throws -> Int64 {
    try db.rows(
      "SELECT COUNT(DISTINCT network) FROM reports WHERE kind = ? AND subject = ? AND network IS NOT NULL",
      subject.kind.rawValue,
      Blob(subject.id)
    )[0].number(0)
  }

  /// Whether a player may know of a thing that is not hidden. Who has blocked its author may.
  private func isSeen(_ subject: ReportSubject, by player: PlayerID) throws -> Bool {
    switch subject.kind {
    case .post, .comment, .profile: return true
    case .plan:
      return try db.finds(
        """
        SELECT 1 FROM plans JOIN post_plans ON post_plans.plan = plans.number
          JOIN posts ON posts.number = post_plans.post
        WHERE plans.id = ? AND posts.is_hidden = 0 LIMIT 1
        """,
        Blob(subject.id)
      )
    case .capsule:
      return try db.finds(
        """
        SELECT 1 FROM capsules WHERE id = ? AND (is_for_everyone = 1
          OR EXISTS (SELECT 1 FROM capsule_shares WHERE player = ? AND capsule = capsules.id))
        """,
        Blob(subject.id),
        player
      )
    }
  }

  private func setHidden(_ subject: ReportSubject, _ isHidden: Bool) throws {
    // Hiding earns nothing.
    let progress = ProgressWriting(db: db, at: at)
    let stories = StoryWriting(db: db, at: at, progress: progress)
    switch subject.kind {
    case .post: _ = try stories.write(.hide(.post(PostID(subject.id)), isHidden: isHidden))
    case .comment: _ = try stories.write(.hide(.comment(CommentID(subject.id)), isHidden: isHidden))
    case .plan: _ = try PlanWriting(db: db, progress: progress).write(.hide(PlanID(subject.id), isHidden: isHidden))
    case .capsule:
      try CapsuleWriting(db: db, at: at, progress: progress).hide(CapsuleID(subject.id), isHidden: isHidden)
    // The row in `moderated` says it.
    case .profile: break
    }
  }

  // Operators.

  private func decide(
    _ subject: ReportSubject,
    _ decision: ModerationDecision,
    _ entry: AuditEntry
  ) throws -> ModerationOutcome {
    guard let found = try db.reported(subject) else { return .notFound }
    let state: ModerationState = decision == .hide ? .hiddenByOperator : .restored
    try db.run(
      """
      INSERT INTO moderated (kind, subject, author, state, is_waiting, reports_count, reported_at)
      VALUES (?, ?, ?, ?, 0, 0, ?)
      ON CONFLICT (kind, subject) DO UPDATE SET state = excluded.state, is_waiting = 0
      """,
      subject.kind.rawValue,
      Blob(subject.id),
      found.thing.author,
      state.rawValue,
      entry.at
    )
    try db.run(
      "UPDATE reports SET network = NULL WHERE kind = ? AND subject = ? AND network IS NOT NULL",
      subject.kind.rawValue,
      Blob(subject.id)
    )
    try setHidden(subject, state.isHidden)
    try log(entry.with(found.thing.author))
    return .decided(found.thing, isChanged: state.isHidden != found.isHidden)
  }

  private func warn(_ warning: PlayerWarning, _ entry: AuditEntry) throws -> ModerationOutcome {
    guard try db.knows(warning.player) else { return .notFound }
    if try db.finds("SELECT 1 FROM warnings WHERE id = ?", warning.id) { return .warned }
    let count = try db.rows("SELECT COUNT(*) FROM warnings WHERE player = ?", warning.player)[0].number(0)
    guard count < PlayerWarning.pendingMax else { return .tooMany }
    try db.run(
      "INSERT INTO warnings (id, player, kind, subject, text, warned_at) VALUES (?, ?, ?, ?, ?, ?)",
      warning.id,
      warning.player,
      warning.subject?.kind.rawValue,
      warning.subject.map { Blob($0.id) },
      warning.text,
      warning.at
    )
    try log(entry)
    return .warned
  }
}
