// Links to games and consents, over every back end.
import Game
import Store
import Testing

@Suite("Every store keeps links to games and consents")
struct TrackContractTests {
  private static let one = PlayerID(1)
  private static let two = PlayerID(2)
  private static let game = GameID(room: RoomID(7), number: 1)

  private static func link(_ number: UInt8, of player: PlayerID = one, game: GameID = game) -> TrackLink {
    TrackLink(digest: digest(number), game: game, player: player, madeAt: moment(Int64(number)))
  }

  /// Players 1 and 2 have played game 1 of room 7, player 2 alone game 2.
  private static func store(_ backEnd: BackEnd, _ body: (any Store) async throws -> Void) async throws {
    try await backEnd.withStore { store in
      var played = try PlayedRoom(7)
      try await played.playTwoGames(in: store, maintains: false)
      try await body(store)
    }
  }

  private static func sharing(_ links: Int, _ showsWay: Bool = false) -> TrackOutcome {
    .sharing(TrackSharing(linksCount: links, showsWay: showsWay))
  }

  @Test("A link leads to its game, with its sharer and those who have consented", arguments: BackEnd.allCases)
  func shared(backEnd: BackEnd) async throws {
    try await Self.store(backEnd) { store in
      #expect(try store.keepsTrack(of: Self.game))
      #expect(try await store.change(TrackChange.share(Self.link(1))) == Self.sharing(1))
      #expect(try await store.change(TrackChange.share(Self.link(2))) == Self.sharing(2))
      let found = try #require(try store.sharedTrack(digest(2)))
      let game = try store.game(Self.game)
      #expect(found.link == Self.link(2) && found.game == game && found.shown == [Self.one])
      #expect(try store.sharedTrack(digest(3)) == nil)
      #expect(try await store.change(TrackChange.show(Self.two, Self.game, true)) == Self.sharing(0, true))
      #expect(try await store.change(TrackChange.show(Self.two, Self.game, true)) == Self.sharing(0, true))
      #expect(try store.sharedTrack(digest(1))?.shown == [Self.one, Self.two])
      #expect(try await store.change(TrackChange.show(Self.two, Self.game, false)) == Self.sharing(0))
      #expect(try store.sharedTrack(digest(1))?.shown == [Self.one])
      // Others' links stay.
      #expect(try await store.change(TrackChange.share(Self.link(3, of: Self.two))) == Self.sharing(1))
      #expect(try await store.change(TrackChange.unshare(Self.one, Self.game)) == Self.sharing(0))
      #expect(try store.sharedTrack(digest(1)) == nil && store.sharedTrack(digest(2)) == nil)
      #expect(try store.trackSharing(of: Self.two, in: Self.game) == TrackSharing(linksCount: 1, showsWay: false))
      #expect(try store.sharedTrack(digest(3))?.shown == [Self.two])
    }
  }

  @Test(
    "Only a player with a result in a game shares it, by ten links, and all games by a hundred",
    arguments: BackEnd.allCases
  )
  func bounds(backEnd: BackEnd) async throws {
    try await Self.store(backEnd) { store in
      let second = GameID(room: RoomID(7), number: 2)
      for change: TrackChange in [
        .share(Self.link(1, game: second)), .unshare(Self.one, second), .show(Self.one, second, true),
        .share(Self.link(1, of: PlayerID(9))), .share(Self.link(1, game: GameID(room: RoomID(8), number: 1))),
      ] {
        #expect(try await store.change(change) == .notFound)
      }
      for number in 1...UInt8(TrackLink.countMaxOfGame) {
        #expect(try await store.change(TrackChange.share(Self.link(number))) == Self.sharing(Int(number)))
      }
      #expect(try await store.change(TrackChange.share(Self.link(99))) == .tooMany)
      // Further games of the player.
      for number in 3...UInt32(11) {
        let game = gameRow(7, number, endedAt: Int64(number) * 1_000)
        try await store.commit([], RoomChange.beginGame(game.id))
        try await store.commit([], GameChange.end(game, [result(1, of: game)]))
        for index in 0..<10 where number < 12 {
          let link = Self.link(UInt8(truncatingIfNeeded: Int(number) * 10 + index), game: game.id)
          #expect(try await store.change(TrackChange.share(link)) == Self.sharing(index + 1))
        }
      }
      let last = gameRow(7, 12, endedAt: 12_000)
      try await store.commit([], RoomChange.beginGame(last.id))
      try await store.commit([], GameChange.end(last, [result(1, of: last)]))
      #expect(try await store.change(TrackChange.share(Self.link(200, game: last.id))) == .tooMany)
    }
  }

  @Test("Links and consents go with the journal of their game", arguments: BackEnd.allCases)
  func forgotten(backEnd: BackEnd) async throws {
    try await Self.store(backEnd) { store in
      try await store.change(TrackChange.share(Self.link(1)))
      try await store.change(TrackChange.show(Self.two, Self.game, true))
      try await store.maintain(at: 5_000, keepJournals: .zero)
      #expect(try store.sharedTrack(digest(1)) == nil && !store.keepsTrack(of: Self.game))
      #expect(try store.trackSharing(of: Self.two, in: Self.game) == TrackSharing(linksCount: 0, showsWay: false))
      #expect(try await store.change(TrackChange.share(Self.link(2))) == .notKept)
      #expect(try await store.change(TrackChange.show(Self.two, Self.game, true)) == .notKept)
    }
  }

  @Test(
    "As the deletion of one player begins, all links to their games are gone, and none is made",
    arguments: BackEnd.allCases
  )
  func deleted(backEnd: BackEnd) async throws {
    try await Self.store(backEnd) { store in
      let second = GameID(room: RoomID(7), number: 2)
      try await store.change(TrackChange.share(Self.link(1, of: Self.two)))
      try await store.change(TrackChange.show(Self.two, Self.game, true))
      try await store.change(TrackChange.share(Self.link(2, of: Self.two, game: second)))
      try await store.change(DeletionChange.begin(Self.one, at: moment(60)))
      #expect(try store.sharedTrack(digest(1)) == nil && !store.keepsTrack(of: Self.game))
      #expect(try await store.change(TrackChange.share(Self.link(3, of: Self.two))) == .notKept)
      #expect(try await store.change(TrackChange.share(Self.link(3))) == .notFound)
      #expect(try store.sharedTrack(digest(2)) != nil, "a game without the player")
      try await store.delete(Self.one, at: 70)
      #expect(try store.sharedTrack(digest(1)) == nil)
      #expect(try store.trackSharing(of: Self.two, in: Self.game) == TrackSharing(linksCount: 0, showsWay: false))
    }
  }
}
