// Everything that is kept on a player, and nothing of anybody else; and no table that the export forgets.
import Game
import GRDB
import Store
import TestSupport
import Testing

@Suite("The SQLite store says what it keeps on a player")
struct TracesTests {
  private static let one = PlayerID(1)
  private static let two = PlayerID(2)

  @Test("The traces of a player are complete, and nobody else's", arguments: [false, true])
  func traces(maintains: Bool) async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    var played = try PlayedRoom(7)
    try await played.playTwoGames(in: store, maintains: maintains)
    let mute = Sanction(player: Self.one, kind: .mute, since: moment(5), until: moment(99), reason: "words")
    let entry = AuditEntry(at: moment(5), address: "::1", action: "mute", player: Self.one, detail: "words")
    try await store.change(SanctionChange.put(mute, entry))
    try await store.change(AuditEntry(at: moment(6), address: "::1", action: "kick", player: Self.two))
    // Who has blocked another is named by none of that player's capsules, and not written to.
    try await store.change(AccountChange.unblock(Self.two, Self.one))
    try await store.write(post(1, of: 1, in: "KR"))
    try await store.write(post(2, of: 2))
    for number: UInt128 in 1...2 { try await store.introduce(number, "나는 \(number)") }
    try await store.commit([], like(2, by: 1), view(2, by: 1), like(1, by: 2))
    for number: UInt128 in 1...2 { try await store.change(StoryChange.comment(comment(number, on: 2, by: number))) }
    try await store.change(StoryChange.hide(.comment(CommentID(1)), isHidden: true))
    try await store.write(plan(1))
    try await store.write(plan(2, of: 2))
    try await store.add(stop(1), to: 1)
    try await store.write(post(3, of: 2, plan: 2))
    try await store.change(takeOver(2, as: 3, by: 1))
    try await store.change(report(.post(PostID(2)), by: 1, [.spam, .hate], text: "광고", at: 9))
    try await store.change(report(.firstPost, by: 2))
    for number: UInt128 in 1...2 { try await store.change(warn(warning(number, of: number))) }
    try await store.commit([], hello(4, device: 4, session: 4))
    try await store.change(AccountChange.block(Self.one, PlayerID(4)))
    try await store.bury(capsule(1, forEveryone: false), sharedWith: 2)
    try await store.bury(capsule(2, of: 2), sharedWith: 1)
    try await store.change(open(2, by: 1))
    for number: UInt128 in 1...2 { try await store.addWebhook(webhook(number, .fence)) }
    try await store.add(webhookEvent(naming: 1, 2, of: 0x61), webhookEvent(naming: 2, of: 0x62))

    let shared = GameID(room: played.id, number: 1)
    let links = [Self.one, Self.two].enumerated().map {
      TrackLink(digest: digest(UInt8($0 + 1)), game: shared, player: $1, madeAt: moment(50))
    }
    for link in links { try await store.change(TrackChange.share(link)) }
    try await store.change(TrackChange.show(Self.one, shared, true))

    let traces = try #require(try store.traces(of: Self.one))
    #expect(traces.trackLinks == [links[0]] && traces.shownGames == [shared])
    #expect(traces.nickname == "one" && traces.email == "one@example.org" && traces.hasDevice)
    #expect(traces.sessions.map(\.expiresAt) == [moment(sessionMs)] && traces.sessions[0].endedAt == nil)
    #expect(traces.sanctions == [mute])
    #expect(traces.blocked == [PlayerID(4)])
    #expect(traces.results.map(\.game.number) == [1] && traces.results.allSatisfy { $0.player == Self.one })
    #expect(try await traces.badges == store.badges(of: Self.one) && !traces.badges.isEmpty)
    #expect(traces.rooms.map(\.room) == [played.id])
    #expect(Set(traces.rooms[0].texts) == [PlayedRoom.nickname(of: 1), PlayedRoom.text(of: 1)])
    #expect(traces.capsules.map(\.capsule) == [capsule(1, forEveryone: false)])
    #expect(traces.capsules.map(\.sharedWith) == [[Self.two]])
    #expect(traces.sharedCapsules == [CapsuleID(2)])
    #expect(traces.openings.map(\.capsule) == [CapsuleID(2)] && traces.openings[0].openedAt == moment(50))
    #expect(traces.posts.map(\.id.value) == [1] && traces.posts[0].counts.likes == 1)
    #expect(traces.comments.map(\.id.value) == [1] && traces.comments[0].post == PostID(2))
    #expect(traces.likes.map(\.post.value) == [2] && traces.likes[0].likedAt == moment(7))
    #expect(traces.views.map(\.post.value) == [2] && traces.views[0].viewedAt == moment(8))
    #expect(traces.plans.map(\.plan.id.value) == [1, 3] && traces.plans[0].stops == [stop(1)])
    #expect(traces.takenPlans.map(\.plan.value) == [2] && traces.takenPlans[0].takenOverAt == moment(7))
    #expect(traces.reports.map(\.subject) == [.post(PostID(2))] && traces.reports[0].text == "광고")
    #expect(traces.reports[0].reasons.all == [.spam, .hate] && traces.reports[0].reportedAt == moment(9))
    #expect(traces.warnings == [warning(1, of: 1)])
    #expect(traces.moderated.map(\.subject) == [.firstPost] && traces.moderated[0].reportsCount == 1)
    #expect(traces.moderated[0].state == .shown && traces.moderated[0].isWaiting)
    #expect(traces.hidden == [.comment(CommentID(1))] && traces.openingsCount == 1)
    #expect(traces.registeredAt != nil)
    #expect(traces.audit.map(\.action) == ["mute", "warn"])
    #expect(traces.webhookEvents == ["aaaaaaaaaa"])
    #expect(traces.profile.introduction == "나는 1" && traces.profile.experience == 6)
    #expect(traces.profile.collectibles == [AwardedCollectible(.asia, awardedAt: moment(0))])

    // The end of a game is told without the other players of its board.
    let members = (1...2).map { "\"playerId\":\"\($0)\",\"nickname\":\"player \($0)\"" }
    let board = Array("{\(members[0])},{\(members[1])}".utf8)
    let count = members[0].utf8.count
    let ended = WebhookEvent(
      type: .fence,
      players: [Self.one, Self.two],
      at: moment(60),
      bytes: board,
      parts: [Self.one: 1..<1 + count, Self.two: count + 4..<2 * count + 4]
    )
    try await store.add(ended)
    for (player, own, other) in [(Self.one, "player 1", "player 2"), (Self.two, "player 2", "player 1")] {
      let told = try #require(try store.traces(of: player)?.webhookEvents.last)
      #expect(told.contains(own) && !told.contains(other) && told.utf8.count == board.count, "\(told)")
    }

    let others = try #require(try store.traces(of: Self.two))
    #expect(others.email == nil && others.sanctions.isEmpty && others.capsules.map(\.capsule.id) == [CapsuleID(2)])
    #expect(Set(others.rooms[0].texts) == [PlayedRoom.nickname(of: 2), PlayedRoom.text(of: 2)])
    #expect(try store.traces(of: PlayerID(3)) == nil)
  }

  @Test("Runs over lands and proposals are among the traces")
  func lands() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.commit([], hello(1, device: 1, session: 1))
    let ring = [(0, 0), (0, 9_000), (7_200, 9_000), (7_200, 0), (0, 0)].map { (north: Int32, east: Int32) in
      Coordinate(latE7: 375_000_000 + north, lngE7: 1_267_000_000 + east)
    }
    let land = Land(id: LandID(5), name: "마당", vertices: ContiguousArray(ring.dropLast()))
    _ = try store.addLands([land])
    let run = LandRunResult(player: Self.one, land: land.id, time: .seconds(60))
    try await store.change(RoomChange.addLandRun(run, at: moment(70)))
    let proposal = LandProposal(
      id: ProposalID(1),
      player: Self.one,
      game: GameID(room: RoomID(7), number: 1),
      name: "새 땅",
      ring: ring,
      lengthMm: 320_000,
      proposedAt: moment(80)
    )
    try await store.change(ProposalChange.propose(proposal))
    let traces = try #require(try store.traces(of: Self.one))
    #expect(traces.landRuns.map(\.land) == [land.id] && traces.landRuns[0].timeMs == 60_000)
    #expect(traces.landRuns[0].capturedAt == moment(70))
    #expect(traces.landProposals == [proposal])
  }

  @Test("A deleted player has no traces")
  func deleted() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.commit([], hello(1, device: 1, session: 1))
    #expect(try store.traces(of: Self.one) != nil)
    try await store.delete(Self.one)
    #expect(try store.traces(of: Self.one) == nil)
  }

  /// The columns that may name a player, and the member of `PlayerTraces` that has them, or the reason why none does.
  private static let columns = [
    "audit.player": "audit", "badges.player": "badges", "blocks.player": "blocked",
    "blocks.blocked": "what other players have decided",
    "capsule_openings.player": "openings", "capsule_shares.player": "sharedCapsules",
    "capsule_shares.owner": "capsules", "capsules.owner": "capsules",
    "comments.author": "comments", "post_likes.player": "likes", "post_views.player": "views", "posts.author": "posts",
    "plans.author": "plans", "plans.origin_author": "what other players have taken over",
    "plan_takers.player": "takenPlans",
    "browsers.player": "browsers", "address_bans.player": "sanctions",
    "password_resets.player": "a secret of the player's",
    "erasures.player": "a player who is deleted has no traces",
    "land_proposals.player": "landProposals", "land_runs.player": "landRuns", "media.owner": "media",
    "presences.player": "rooms", "reports.reporter": "reports", "warnings.player": "warnings",
    "ranked_runs.player": "landRuns", "results.player": "results", "sanctions.player": "sanctions",
    "sessions.player": "sessions", "tap_counts.player": "the tally's", "tap_players.player": "the tally's",
    "webhook_names.player": "webhookEvents",
    "track_links.player": "trackLinks", "track_consents.player": "shownGames",
    "profiles.player": "profile", "progress.player": "profile", "collectibles.player": "profile",
    "moderated.author": "moderated", "reports.subject": "reports", "moderated.subject": "moderated",
    "warnings.subject": "warnings",
    "deleted_subjects.subject": "what is gone", "media_uses.subject": "capsules, posts and the profile",
  ]
  /// The columns of the row of a player, and the members that have them, or the reason why none does.
  private static let playerColumns = [
    "id": "the player", "nickname": "nickname", "email": "email", "device": "hasDevice",
    "registered_at": "registeredAt", "made_at": "madeAt",
    "password_hash": "a secret of the player's", "look_at": "when a guest may be forgotten",
  ]

  @Test("Each column that names a player is known to the export, and each of a player's own row")
  func tables() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    let found = try await store.pool.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT sqlite_master.name || '.' || columns.name
          FROM sqlite_master JOIN pragma_table_info(sqlite_master.name) AS columns
          WHERE sqlite_master.type = 'table'
            AND columns.name IN ('player', 'owner', 'blocked', 'author', 'reporter', 'subject', 'origin_author')
          UNION SELECT DISTINCT sqlite_master.name || '.' || keys."from"
          FROM sqlite_master JOIN pragma_foreign_key_list(sqlite_master.name) AS keys
          WHERE keys."table" = 'players'
          """
      )
    }
    #expect(Set(found) == Set(Self.columns.keys))
    let own = try await store.pool.read { db in
      try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('players')")
    }
    #expect(Set(own) == Set(Self.playerColumns.keys))
  }
}
