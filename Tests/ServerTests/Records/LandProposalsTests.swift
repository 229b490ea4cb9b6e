// Lands that players propose by walking around them, and operators' decisions, over real sockets.
import Game
import MadangProtocol
import Server
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite("A player proposes a land by walking around it, and an operator decides")
struct LandProposalsTests {
  /// The way around a square of 40 m at 8 m/s, a fix a second.
  private static let square: [(north: Int32, east: Int32)] = {
    let corners: [(Int32, Int32)] = [(0, 0), (0, 5), (5, 5), (5, 0), (0, 0)]
    var way: [(north: Int32, east: Int32)] = [(0, 0)]
    for (from, to) in zip(corners, corners.dropFirst()) {
      for step in 1...Int32(5) {
        way.append((from.0 + (to.0 - from.0) * step / 5, from.1 + (to.1 - from.1) * step / 5))
      }
    }
    return way
  }()

  /// A solo game of 30 s in which the player goes this way, in steps of 8 m. Returns the game's identifier.
  private func play(
    _ server: TestServer,
    _ player: TestPlayer,
    _ way: [(north: Int32, east: Int32)] = square,
    mocked: Bool = false,
    ends: Bool = true
  ) throws -> String {
    _ = try player.createRoom {
      $0.solo = true
      $0.durationS = 30
    }
    try player.expectOk(.startGame(WireStartGame()))
    let beganMs = server.clock.now().milliseconds
    try server.pass(seconds: 24, player)
    let fixes = way.enumerated().map { second, place in
      var move = TestPlayer.move(375_665_000 + place.north * 719, 1_269_780_000 + place.east * 907)
      move.timeMs = beganMs + Int64(second + 1) * 1_000
      return move
    }
    if mocked {
      var fix = TestPlayer.move(375_665_000, 1_269_780_000)
      fix.mocked = true
      try player.expectOk(.move(fix))
    } else {
      #expect(try player.tell(fixes).accepted == UInt32(fixes.count))
    }
    guard ends else {
      var games: [GameID] = []
      try server.store.liveRooms { games.append(GameID(room: $0.row.id, number: 1)) }
      return "\(try #require(try games.first { try server.store.journal(ofRunning: $0) != nil }))"
    }
    try server.pass(seconds: 8, player)
    // There are no more fixes, so the result stands.
    var last = TestPlayer.move(375_665_000, 1_269_780_000)
    last.timeMs = beganMs + 31_000
    _ = try player.tell([last])
    try server.passTick()
    let id = try #require(try player.results().results.first).gameID
    try player.expectOk(.leaveRoom(WireLeaveRoom()))
    return id
  }

  private static func propose(_ game: String, _ name: String = "마당") -> WireClientMessage.OneOf_Body {
    var request = WireProposeLand()
    (request.gameID, request.name) = (game, name)
    return .proposeLand(request)
  }

  private func propose(_ player: TestPlayer, _ game: String, _ name: String = "마당") throws -> WireLandProposal {
    let answer = try player.request(Self.propose(game, name))
    guard case .landProposal(let proposal) = answer else { throw TestFailure("not proposed: \(answer)") }
    return proposal
  }

  private static func list(_ change: (inout WireLandProposalsRequest) -> Void) -> WireLandProposalsRequest {
    var request = WireLandProposalsRequest()
    change(&request)
    return request
  }

  private func proposals(_ player: TestPlayer, _ change: (inout WireLandProposalsRequest) -> Void = { _ in }) throws
    -> WireLandProposals
  {
    let answer = try player.request(.landProposals(Self.list(change)))
    guard case .landProposals(let list) = answer else { throw TestFailure("no proposals: \(answer)") }
    return list
  }

  private func accept(_ server: TestServer, _ proposal: WireLandProposal, _ name: String? = nil) throws
    -> OperatorActionOutcome
  {
    server.perform(.acceptLand(try #require(ProposalID(proposal.proposalID)), name: name))
  }

  @Test(
    "A walked ring is proposed, accepted under another name, found, run around and ranked",
    arguments: TestStore.Kind.allCases
  )
  func accepted(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    let server = try TestServer(store: kept.store)
    let player = try server.player("가람", kind == .memory ? .json : .proto)
    let game = try play(server, player)
    let proposal = try propose(player, game, "마당")
    #expect(proposal.state == .waiting && proposal.gameID == game && proposal.name == "마당")
    #expect((155...165).contains(proposal.lengthM) && (4...16).contains(proposal.outlineLatE7.count))
    #expect(proposal.outlineLatE7.count == proposal.outlineLngE7.count && proposal.landID.isEmpty)
    // Said again, it is the same.
    #expect(try propose(player, game, "다른 이름") == proposal)
    #expect(try proposals(player).proposals == [proposal])

    #expect(try accept(server, proposal, "우리 마당").isDone)
    #expect(try accept(server, proposal).refusal?.contains("waits") == true)
    let decided = try #require(try proposals(player).proposals.first)
    #expect(decided.state == .accepted && decided.name == "마당" && !decided.landID.isEmpty && decided.decidedAtMs > 0)
    var near = WireFindLands()
    (near.latE7, near.lngE7, near.withinM) = (375_665_000, 1_269_780_000, 1_000)
    guard case .lands(let found) = try player.request(.findLands(near)) else { throw TestFailure("no lands") }
    #expect(found.lands.map(\.landID) == [decided.landID] && found.lands.map(\.name) == ["우리 마당"])
    var ranking = WireLandRankingRequest()
    ranking.landID = decided.landID
    guard case .landRanking(let empty) = try player.request(.landRanking(ranking)) else {
      throw TestFailure("no ranking")
    }
    #expect(empty.name == "우리 마당" && empty.top.isEmpty)
    let row = try #require(try server.audit().first)
    #expect(row.action == "acceptLand" && row.detail.contains("우리 마당") && row.nickname == "가람")
    // A solo run around it is ranked.
    _ = try player.createRoom {
      ($0.mode, $0.solo, $0.landIds) = (.land, true, [decided.landID])
    }
    try player.expectOk(.startGame(WireStartGame()))
    let beganMs = server.clock.now().milliseconds
    try server.pass(seconds: 24, player)
    _ = try player.tell(
      (Self.square + Self.square.prefix(3)).enumerated().map { second, place in
        var move = TestPlayer.move(375_665_000 + place.north * 719, 1_269_780_000 + place.east * 907)
        move.timeMs = beganMs + Int64(second) * 1_000
        return move
      }
    )
    try server.pass(seconds: 2, player)
    guard case .landRanking(let ranked) = try player.request(.landRanking(ranking)) else {
      throw TestFailure("no ranking")
    }
    #expect(ranked.top.map(\.nickname) == ["가람"])
  }

  @Test(
    "A declined proposal tells its reason; the same game may then be proposed again, and the ring may be there already"
  )
  func declined() throws {
    let server = try TestServer()
    let player = try server.player("가람")
    let game = try play(server, player)
    let proposal = try propose(player, game)
    let id = try #require(ProposalID(proposal.proposalID))
    #expect(server.perform(.declineLand(id, reason: "")).refusal?.contains("a reason") == true)
    #expect(server.perform(.declineLand(id, reason: "\u{7}")).refusal?.contains("a reason") == true)
    #expect(server.perform(.acceptLand(id, name: " ")).refusal?.contains("name") == true)
    #expect(server.perform(.declineLand(ProposalID(1), reason: "no")).refusal?.contains("waits") == true)
    #expect(server.perform(.acceptLand(ProposalID(1), name: nil)).refusal?.contains("waits") == true)
    #expect(try proposals(player).proposals.first?.state == .waiting)
    #expect(server.perform(.declineLand(id, reason: "a garden")).isDone)
    let decided = try #require(try proposals(player).proposals.first)
    #expect(decided.state == .declined && decided.reason == "a garden" && decided.landID.isEmpty)
    server.clock.advance(milliseconds: 1)
    let again = try propose(player, game, "뒷마당")
    #expect(again.proposalID != proposal.proposalID && again.name == "뒷마당")
    #expect(try accept(server, again).isDone)
    #expect(try server.audit().map(\.action) == ["declineLand", "acceptLand"])
    #expect(try server.audit()[0].detail == "a garden")
    // The same way again is the same land.
    let other = try server.player("나래")
    let third = try propose(other, try play(server, other))
    guard case .done(let text, _) = try accept(server, third, "앞마당") else { throw TestFailure("not accepted") }
    #expect(text.contains("there already"))
    let lands = try [player, other].map { try proposals($0).proposals[0].landID }
    #expect(lands[0] == lands[1] && !lands[0].isEmpty)
  }

  @Test("Only a player's own game that is over, whose way is believed and closes, can be proposed")
  func refusals() throws {
    let server = try TestServer()
    let player = try server.player("가람")
    let game = try play(server, player)
    #expect(try player.refusal(of: Self.propose(game, "")).code == .outOfRange)
    #expect(try player.refusal(of: Self.propose(game, String(repeating: "마", count: 101))).code == .outOfRange)
    #expect(try player.refusal(of: Self.propose("?")).code == .gameNotFound)
    #expect(try player.refusal(of: Self.propose("\(RoomID(5))-1")).code == .gameNotFound)
    let other = try server.player("나래")
    #expect(try other.refusal(of: Self.propose(game)).code == .gameNotFound)
    let open = try play(server, other, (0..<20).map { (Int32($0), 0) })
    #expect(try other.refusal(of: Self.propose(open)).code == .noLoop)
    let third = try server.player("다온")
    #expect(try third.refusal(of: Self.propose(try play(server, third, mocked: true))).code == .trackNotBelieved)
    // A running game.
    let room = try play(server, third, ends: false)
    #expect(try third.refusal(of: Self.propose(room)).code == .gameNotFound)
    #expect(try proposals(third).proposals.isEmpty)
    #expect(try third.refusal(of: .landProposals(Self.list { $0.limit = 51 })).code == .outOfRange)
    #expect(try third.refusal(of: .landProposals(Self.list { $0.cursor = "?" })).code == .outOfRange)
  }

  @Test("A game whose journal is no longer kept can't be proposed", arguments: TestStore.Kind.allCases)
  func forgotten(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    let server = try TestServer(store: kept.store)
    let player = try server.player("가람")
    let game = try play(server, player)
    let box = Box<Bool>()
    let later = Instant(milliseconds: server.clock.now().milliseconds + 1_000)
    kept.store.maintain(at: later, keepJournals: .zero) { _ in box.put(true) }
    _ = box.take()
    #expect(try player.refusal(of: Self.propose(game)).code == .trackNotKept)
  }

  @Test("Five proposals of a player wait, ten are made a day, and the list has pages")
  func limits() throws {
    let server = try TestServer()
    let player = try server.player("가람")
    let games = try (0..<6).map { _ in try play(server, player) }
    for (number, game) in games.prefix(5).enumerated() {
      server.clock.advance(milliseconds: 1)
      _ = try propose(player, game, "마당 \(number)")
    }
    #expect(try player.refusal(of: Self.propose(games[5])).code == .tooManyProposals)
    let first = try proposals(player) { $0.limit = 3 }
    #expect(first.proposals.map(\.name) == ["마당 4", "마당 3", "마당 2"])
    let rest = try proposals(player) { $0.cursor = first.nextCursor }
    #expect(rest.proposals.map(\.name) == ["마당 1", "마당 0"] && rest.nextCursor.isEmpty)
    #expect(try accept(server, rest.proposals[1]).isDone)
    #expect(try propose(player, games[5]).state == .waiting)
    for _ in 0..<3 { _ = try propose(player, games[0]) }
    let refusal = try player.refusal(of: Self.propose(games[0]))
    #expect(refusal.code == .rateLimited && refusal.retryAfterMs > 60_000)
  }

  @Test("A console lists the proposals that wait with their pictures, and decides")
  func console() throws {
    let operators = try TestOperators()
    let player = try operators.game.player("가람")
    let proposals = try (1...2).map { try propose(player, try play(operators.game, player), "마당 \($0)") }
    let console = try TestConsole(operators)
    let rows = try console.watch("proposals").rows("rows")
    #expect(rows.compactMap { $0.text("name") } == ["마당 1", "마당 2"])
    #expect(rows[0].text("proposal") == proposals[0].proposalID && rows[0].text("nickname") == "가람")
    #expect(rows[0].text("game") == proposals[0].gameID && (155...165).contains(rows[0].int("lengthM") ?? 0))
    #expect((rows[0]["latE7"] as? [Any])?.count == proposals[0].outlineLatE7.count)
    let accepted = try console.ask(
      "\"act\":\"acceptLand\",\"proposal\":\"\(proposals[0].proposalID)\",\"name\":\"운동장\""
    )
    #expect(accepted["ok"] as? Bool == true && accepted.text("text")?.contains("운동장") == true)
    let declined = try console.ask(
      "\"act\":\"declineLand\",\"proposal\":\"\(proposals[1].proposalID)\",\"reason\":\"again\""
    )
    #expect(declined["ok"] as? Bool == true)
    _ = try console.received("proposals") { $0.rows("rows").isEmpty }
    for members in [
      "\"act\":\"acceptLand\",\"proposal\":\"1\"", "\"act\":\"acceptLand\"",
      "\"act\":\"declineLand\",\"proposal\":\"\(ProposalID(1))\"",
    ] {
      #expect(try console.ask(members)["ok"] as? Bool == false, "\(members)")
    }
    #expect(try self.proposals(player).proposals.map(\.state) == [.declined, .accepted])
  }

  @Test("A deleted player's proposal is gone")
  func deleted() throws {
    let operators = try TestOperators()
    let player = try operators.game.player("가람")
    let proposal = try propose(player, try play(operators.game, player))
    let console = try TestConsole(operators)
    #expect(try console.watch("proposals").rows("rows").count == 1)
    try player.expectOk(.deleteAccount(WireDeleteAccount()))
    _ = try console.received("proposals") { $0.rows("rows").isEmpty }
    #expect(try accept(operators.game, proposal).refusal != nil)
  }
}
