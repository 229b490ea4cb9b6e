// Everything that is kept on a player. One blocking read, on one snapshot of the committed data.
import GRDB
import Game

extension SQLiteStore: PlayerTracesStore {
  package func traces(of player: PlayerID) throws(StoreFailure) -> PlayerTraces? {
    try read { try TracesReading(of: player, on: $0).traces() }
  }
}

/// The read of one player's traces.
private struct TracesReading {
  private let player: PlayerID
  private let db: Database

  init(of player: PlayerID, on db: Database) {
    self.player = player
    self.db = db
  }

  func traces() throws -> PlayerTraces? {
    guard try db.knows(player),
      let row = try db.row(
        "SELECT nickname, email, device IS NOT NULL, registered_at, made_at FROM players WHERE id = ?",
        player
      ),
      let profile = try db.profile(of: player, for: player)
    else { return nil }
    return PlayerTraces(
      nickname: try row.value(0),
      email: try row.value(1, String?.self),
      registeredAt: try row.value(3, Instant?.self),
      madeAt: try row.value(4, Instant?.self),
      hasDevice: try row.value(2),
      sessions: try sessions(),
      browsers: try db.rows("SELECT seen_at FROM browsers WHERE player = ? ORDER BY seen_at DESC, browser", player)
        .map { PlayerTraces.Browser(seenAt: try $0.value(0)) },
      sanctions: try db.sanctions(of: player, at: nil),
      blocked: try db.rows("SELECT blocked FROM blocks WHERE player = ? ORDER BY blocked", player).map {
        try $0.value(0)
      },
      badges: try db.rows("SELECT badge, awarded_at FROM badges WHERE player = ? ORDER BY badge", player).map {
        AwardedBadge(badge: try $0.value(0), awardedAt: try $0.value(1))
      },
      results: try db.rows(
        "\(ResultRow.query) WHERE player = ? ORDER BY ended_at DESC, room DESC, number DESC",
        player
      ).map(ResultRow.init(row:)),
      landRuns: try landRuns(),
      landProposals: try db.rows("\(LandProposal.query) WHERE player = ? ORDER BY proposed_at, id", player)
        .map(LandProposal.init(row:)),
      trackLinks: try db.rows("\(TrackLink.query) WHERE player = ? ORDER BY made_at, digest", player)
        .map(TrackLink.init(row:)),
      shownGames: try db.rows("SELECT room, number FROM track_consents WHERE player = ? ORDER BY room, number", player)
        .map { GameID(room: try $0.value(0), number: try $0.value(1)) },
      rooms: try rooms(),
      capsules: try capsules(),
      sharedCapsules: try db.rows("SELECT capsule FROM capsule_shares WHERE player = ? ORDER BY capsule", player).map {
        try $0.value(0)
      },
      openings: try openings(),
      openingsCount: try db.row("SELECT openings_count FROM progress WHERE player = ?", player)?.value(0) ?? 0,
      posts: try db.rows("\(StoredPost.query) WHERE author = ? ORDER BY posts.number", player).map {
        try StoredPost(row: $0).post
      },
      comments: try comments(),
      likes: try likes(),
      views: try views(),
      plans: try plans(),
      takenPlans: try takenPlans(),
      media: try db.rows("\(StoredMedia.query) WHERE owner = ? ORDER BY uploaded_at, id", player)
        .map(StoredMedia.init(row:)),
      reports: try reports(),
      moderated: try moderated(),
      hidden: try hidden(),
      warnings: try db.warnings(of: player),
      audit: try audit(),
      webhookEvents: try webhookEvents(),
      profile: profile
    )
  }

  private func sessions() throws -> [PlayerTraces.Session] {
    try db.rows("SELECT expires_at, ended_at FROM sessions WHERE player = ? ORDER BY connection", player).map {
      PlayerTraces.Session(expiresAt: try $0.value(0), endedAt: try $0.value(1, Instant?.self))
    }
  }

  private func landRuns() throws -> [PlayerTraces.LandRun] {
    try db.rows("SELECT land, captured_at, time_ms FROM land_runs WHERE player = ? ORDER BY captured_at, land", player)
      .map { PlayerTraces.LandRun(land: try $0.value(0), capturedAt: try $0.value(1), timeMs: try $0.value(2)) }
  }

  /// A room whose journal can't be read has no texts that anybody could be told.
  private func rooms() throws -> [PlayerTraces.RoomTexts] {
    try db.rows("SELECT room FROM presences WHERE player = ? ORDER BY room", player).map { row in
      let room: RoomID = try row.value(0)
      let journal = try RoomReading(db: db).journal(of: room, in: 0...Int64.max)
      return PlayerTraces.RoomTexts(room: room, texts: (try? Journal.texts(of: player, in: journal)) ?? [])
    }
  }

  private func capsules() throws -> [PlayerTraces.OwnCapsule] {
    try db.rows("\(Capsule.query) WHERE owner = ? ORDER BY buried_at, id", player).map { row in
      let capsule = try Capsule(row: row)
      return PlayerTraces.OwnCapsule(capsule: capsule, sharedWith: try db.playersNamed(by: capsule.id))
    }
  }

  private func openings() throws -> [PlayerTraces.Opening] {
    try db.rows(
      "SELECT capsule, opened_at FROM capsule_openings WHERE player = ? ORDER BY opened_at, capsule",
      player
    ).map { PlayerTraces.Opening(capsule: try $0.value(0), openedAt: try $0.value(1)) }
  }

  private func comments() throws -> [PostComment] {
    try db.rows(
      "\(PostComment.query) WHERE comments.author = ? ORDER BY comments.written_at, comments.id",
      player
    ).map(PostComment.init(row:))
  }

  private func likes() throws -> [PlayerTraces.Like] {
    try db.rows(
      """
      SELECT id, liked_at FROM post_likes JOIN posts ON posts.number = post_likes.post
      WHERE player = ? ORDER BY liked_at, id
      """,
      player
    ).map { PlayerTraces.Like(post: try $0.value(0), likedAt: try $0.value(1)) }
  }

  private func views() throws -> [PlayerTraces.View] {
    try db.rows(
      """
      SELECT id, viewed_at FROM post_views JOIN posts ON posts.number = post_views.post
      WHERE player = ? ORDER BY viewed_at, id
      """,
      player
    ).map { PlayerTraces.View(post: try $0.value(0), viewedAt: try $0.value(1)) }
  }

  private func plans() throws -> [PlayerTraces.OwnPlan] {
    try db.rows("\(StoredPlan.query) WHERE author = ? ORDER BY plans.number", player).map { row in
      let stored = try StoredPlan(row: row)
      return PlayerTraces.OwnPlan(plan: stored.plan, stops: try db.stops(ofPlan: stored.number))
    }
  }

  private func takenPlans() throws -> [PlayerTraces.TakenPlan] {
    try db.rows(
      """
      SELECT id, taken_over_at FROM plan_takers JOIN plans ON plans.number = plan_takers.plan
      WHERE player = ? ORDER BY taken_over_at, id
      """,
      player
    ).map { PlayerTraces.TakenPlan(plan: try $0.value(0), takenOverAt: try $0.value(1)) }
  }

  private func reports() throws -> [PlayerTraces.OwnReport] {
    try db.rows(
      "SELECT kind, subject, reasons, text, reported_at FROM reports WHERE reporter = ? ORDER BY reported_at, subject",
      player
    ).map { row in
      PlayerTraces.OwnReport(
        subject: try row.subject(0, 1),
        reasons: ReportReasons(rawValue: try row.value(2)),
        text: try row.value(3),
        reportedAt: try row.value(4)
      )
    }
  }

  private func audit() throws -> [AuditRow] {
    try db.rows("\(AuditRow.query) WHERE audit.player = ? ORDER BY audit.number", player).map(AuditRow.init(row:))
  }

  private func moderated() throws -> [PlayerTraces.Moderated] {
    try db.rows(
      """
      SELECT kind, subject, state, is_waiting, reports_count, reported_at FROM moderated
      WHERE author = ? ORDER BY kind, subject
      """,
      player
    ).map { row in
      PlayerTraces.Moderated(
        subject: try row.subject(0, 1),
        state: try row.moderationState(2),
        isWaiting: try row.value(3),
        reportsCount: try row.value(4),
        reportedAt: try row.value(5)
      )
    }
  }

  private func hidden() throws -> [ReportSubject] {
    try db.rows(
      """
      SELECT 1, id FROM posts WHERE author = ? AND is_hidden = 1
      UNION ALL SELECT 2, id FROM comments WHERE author = ? AND is_hidden = 1
      UNION ALL SELECT 3, id FROM plans WHERE author = ? AND is_hidden = 1
      ORDER BY 1, 2
      """,
      player,
      player,
      player
    ).map { try $0.subject(0, 1) }
  }

  /// The events of each number once, whatever number of targets waits for them. Others' names are erased: they are not
  /// the player's.
  private func webhookEvents() throws -> [String] {
    var newest: Int64?
    var events: [String] = []
    let rows = try db.rows(
      """
      SELECT webhook_events.target, webhook_events.number, webhook_events.bytes FROM webhook_names
      JOIN webhook_events ON webhook_events.target = webhook_names.target
        AND webhook_events.number = webhook_names.number
      WHERE webhook_names.player = ? ORDER BY webhook_events.number, webhook_events.target
      """,
      player
    )
    for row in rows {
      let (target, number): (WebhookID, Int64) = (try row.value(0), try row.value(1))
      guard number != newest else { continue }
      newest = number
      var bytes = try row.value(2, Blob.self).bytes
      let others = try db.rows(
        """
        SELECT first_byte, byte_count FROM webhook_names
        WHERE target = ? AND number = ? AND player <> ? AND first_byte IS NOT NULL
        """,
        target,
        number,
        player
      )
      for other in others {
        let (first, count): (Int, Int) = (try other.value(0), try other.value(1))
        WebhookEvent.erase(first..<first + count, in: &bytes)
      }
      events.append(String(decoding: bytes, as: UTF8.self))
    }
    return events
  }
}
