// Reports of the double, with what they hide, and warnings. A value, part of the tables.
import Game
import Store

struct MemoryModeration: Sendable {
  struct ThingEntry: Sendable {
    var state = ModerationState.shown
    var isWaiting = false
    var reportsCount: Int64 = 0
    var reportedAt: Instant
  }

  struct ReportEntry: Sendable {
    let report: Report
    /// The report may hide the thing from everybody, or bring it back into the queue.
    var counts: Bool
  }

  private var things: [ReportSubject: ThingEntry] = [:]
  private var reports: [PlayerID: [ReportSubject: ReportEntry]] = [:]
  private var warnings: [WarningID: PlayerWarning] = [:]

  func reported(by player: PlayerID) -> Set<ReportSubject> { Set((reports[player] ?? [:]).keys) }

  func warnings(of player: PlayerID) -> [PlayerWarning] {
    warnings.values.filter { $0.player == player }.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
  }

  /// The reports that there have been of what is a player's.
  func reportsReceived(
    by player: PlayerID,
    _ players: MemoryStories.Players,
    _ stories: MemoryStories,
    _ plans: MemoryPlans,
    _ capsules: MemoryCapsules
  ) -> Int64 {
    things.filter { find($0.key, players, stories, plans, capsules)?.0.author == player }.values
      .reduce(0) { $0 + $1.reportsCount }
  }

  func isProfileHidden(of player: PlayerID) -> Bool { things[.profile(player)]?.state.isHidden ?? false }

  mutating func dropWarnings(of player: PlayerID) {
    warnings = warnings.filter { $0.value.player != player }
  }

  mutating func forget(_ player: PlayerID) {
    reports[player] = nil
    dropWarnings(of: player)
  }

  mutating func write(
    _ change: ModerationChange,
    _ players: MemoryStories.Players,
    _ stories: inout MemoryStories,
    _ plans: inout MemoryPlans,
    _ capsules: inout MemoryCapsules,
    _ media: inout MemoryMedia,
    _ audit: inout [AuditEntry],
    at now: Instant
  ) -> ModerationOutcome {
    switch change {
    case .report(let report):
      let outcome = add(report, players, stories, plans, capsules)
      guard case .reported(_, isNew: _, hides: true) = outcome else { return outcome }
      Self.hide(report.subject, true, players, &stories, &plans, &capsules, &media, at: now)
      return outcome
    case .decide(let subject, let decision, let entry):
      guard let (thing, isHidden) = find(subject, players, stories, plans, capsules) else { return .notFound }
      let state: ModerationState = decision == .hide ? .hiddenByOperator : .restored
      var known = things[subject] ?? ThingEntry(reportedAt: entry.at)
      (known.state, known.isWaiting) = (state, false)
      things[subject] = known
      for player in reports.keys { reports[player]?[subject]?.counts = false }
      Self.hide(subject, state.isHidden, players, &stories, &plans, &capsules, &media, at: now)
      audit.append(entry.with(thing.author))
      return .decided(thing, isChanged: state.isHidden != isHidden)
    case .warn(let warning, let entry):
      guard players[warning.player] != nil else { return .notFound }
      guard warnings[warning.id] == nil else { return .warned }
      guard warnings(of: warning.player).count < PlayerWarning.pendingMax else { return .tooMany }
      warnings[warning.id] = warning
      audit.append(entry)
      return .warned
    case .seeWarning(let id, let player):
      guard warnings[id]?.player == player else { return .notFound }
      warnings[id] = nil
      return .seen
    }
  }

  private mutating func add(
    _ report: Report,
    _ players: MemoryStories.Players,
    _ stories: MemoryStories,
    _ plans: MemoryPlans,
    _ capsules: MemoryCapsules
  ) -> ModerationOutcome {
    let (subject, reporter) = (report.subject, report.reporter)
    guard let player = players[reporter], let (thing, isHidden) = find(subject, players, stories, plans, capsules)
    else {
      return .notFound
    }
    guard thing.author != reporter else { return .own }
    let own = reported(by: reporter)
    if own.contains(subject) { return .reported(thing, isNew: false, hides: false) }
    if isHidden { return .notFound }
    if subject.kind == .plan, !stories.shows(PlanID(subject.id)) { return .notFound }
    if subject.kind == .capsule, capsules.capsules[CapsuleID(subject.id)]?.isShared(with: reporter) != true {
      return .notFound
    }
    guard own.count < Report.reportsOfOneMax else { return .tooMany }
    var known = things[subject] ?? ThingEntry(reportedAt: report.at)
    let counts = player.registeredAt.map { $0 <= report.at - ModerationRules.accountAgeMin } ?? false
    let before = networks(of: subject)
    reports[reporter, default: [:]][subject] = ReportEntry(report: report, counts: counts)
    let after = networks(of: subject)
    known.reportsCount += 1
    let isReached = before < ModerationRules.networksToHide && after >= ModerationRules.networksToHide
    if known.state != .restored || isReached || ModerationRules.bringsBack(reportNumber: known.reportsCount) {
      (known.isWaiting, known.reportedAt) = (true, report.at)
    }
    let hides = counts && known.state == .shown && after >= ModerationRules.networksToHide
    if hides { known.state = .hiddenByReports }
    things[subject] = known
    return .reported(thing, isNew: true, hides: hides)
  }

  private func networks(of subject: ReportSubject) -> Int {
    Set(reports.values.compactMap { $0[subject] }.filter(\.counts).map(\.report.network)).count
  }

  private static func hide(
    _ subject: ReportSubject,
    _ isHidden: Bool,
    _ players: MemoryStories.Players,
    _ stories: inout MemoryStories,
    _ plans: inout MemoryPlans,
    _ capsules: inout MemoryCapsules,
    _ media: inout MemoryMedia,
    at now: Instant
  ) {
    switch subject.kind {
    case .post:
      _ = stories.write(.hide(.post(PostID(subject.id)), isHidden: isHidden), players, plans, &media, at: now)
    case .comment:
      _ = stories.write(.hide(.comment(CommentID(subject.id)), isHidden: isHidden), players, plans, &media, at: now)
    case .plan: _ = plans.write(.hide(PlanID(subject.id), isHidden: isHidden), players, &stories)
    case .capsule: capsules.hide(CapsuleID(subject.id), isHidden: isHidden)
    case .profile: break
    }
  }

  /// A thing that can be reported, and whether it is hidden; nil for one that is not there.
  private func find(
    _ subject: ReportSubject,
    _ players: MemoryStories.Players,
    _ stories: MemoryStories,
    _ plans: MemoryPlans,
    _ capsules: MemoryCapsules
  ) -> (ModeratedSubject, isHidden: Bool)? {
    switch subject.kind {
    case .post:
      return stories.posts[PostID(subject.id)].map {
        (ModeratedSubject(subject, author: $0.post.author, post: $0.post.id), $0.isHidden)
      }
    case .comment:
      return stories.comment(CommentID(subject.id)).map {
        (ModeratedSubject(subject, author: $0.comment.author, post: $0.comment.post), $0.isHidden)
      }
    case .plan:
      return plans.stored(PlanID(subject.id)).map { (ModeratedSubject(subject, author: $0.plan.author), $0.isHidden) }
    case .capsule:
      return capsules.capsules[CapsuleID(subject.id)].map {
        (ModeratedSubject(subject, author: $0.capsule.owner), $0.capsule.isHidden)
      }
    case .profile:
      let player = PlayerID(subject.id)
      guard players[player] != nil else { return nil }
      return (ModeratedSubject(subject, author: player), things[subject]?.state.isHidden ?? false)
    }
  }

  /// The things that are there still, the one with the newest report first.
  func rows(
    _ filter: ModerationFilter?,
    _ players: MemoryStories.Players,
    _ stories: MemoryStories,
    _ plans: MemoryPlans,
    _ capsules: MemoryCapsules,
    _ profiles: MemoryProfiles
  ) -> [ModeratedRow] {
    let rows = things.filter { _, thing in
      switch filter {
      case .waiting?: thing.isWaiting
      case .state(let state)?: thing.state == state
      case nil: true
      }
    }.compactMap { row($0.key, $0.value, players, stories, plans, capsules, profiles) }
    return rows.sorted { ModerationCursor(of: $1).isBehind(ModerationCursor(of: $0)) }
  }

  private func row(
    _ subject: ReportSubject,
    _ thing: ThingEntry,
    _ players: MemoryStories.Players,
    _ stories: MemoryStories,
    _ plans: MemoryPlans,
    _ capsules: MemoryCapsules,
    _ profiles: MemoryProfiles
  ) -> ModeratedRow? {
    guard let (known, _) = find(subject, players, stories, plans, capsules) else { return nil }
    let reports = reports.values.compactMap { $0[subject]?.report }
      .sorted { ($1.at, $0.reporter) < ($0.at, $1.reporter) }
    var row = ModeratedRow(
      known,
      nickname: players[known.author]?.nickname ?? ErasedText.text,
      state: thing.state,
      isWaiting: thing.isWaiting,
      reportsCount: thing.reportsCount,
      reportedAt: thing.reportedAt,
      reports: reports.prefix(ModeratedRow.reportsShownMax).map {
        ReportText(reasons: $0.reasons, text: $0.text, at: $0.at)
      }
    )
    switch subject.kind {
    case .post:
      guard let post = stories.posts[PostID(subject.id)]?.post else { return nil }
      (row.title, row.text, row.pictures) = (post.title, post.text, post.pictures)
    case .comment: row.text = stories.comment(CommentID(subject.id))?.comment.text ?? ""
    case .capsule:
      guard let capsule = capsules.capsules[CapsuleID(subject.id)]?.capsule else { return nil }
      (row.title, row.text, row.pictures) = (capsule.title, capsule.text, capsule.pictures)
    case .plan:
      guard let stored = plans.stored(PlanID(subject.id)) else { return nil }
      row.title = stored.plan.title
      row.text = stored.stops.flatMap { [$0.title, $0.text] }.filter { !$0.isEmpty }.joined(separator: "\n")
    case .profile:
      let text = profiles.text(of: PlayerID(subject.id))
      (row.text, row.pictures) = (text.introduction, text.picture.map { [$0] } ?? [])
    }
    return row
  }
}

extension ModerationCursor {
  func isBehind(_ other: ModerationCursor) -> Bool {
    (reportedAt, subject.kind.rawValue, subject.id) < (other.reportedAt, other.subject.kind.rawValue, other.subject.id)
  }
}
