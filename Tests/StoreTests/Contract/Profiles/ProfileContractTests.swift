// Profiles, over every back end: what a player says of themselves, and who sees it.
import Game
import Store
import Testing

@Suite("Every store keeps profiles")
struct ProfileContractTests {
  private func edit(
    _ player: UInt128 = 1,
    _ introduction: String? = nil,
    _ picture: FieldEdit<MediaID> = .stays
  ) -> ProfileChange {
    .edit(ProfileEdit(player: PlayerID(player), introduction: introduction, picture: picture))
  }

  @Test("A profile begins empty, and each of its fields is replaced and removed alone", arguments: BackEnd.allCases)
  func fields(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      try await store.addPicture(7, of: 1)
      var profile = Profile(player: PlayerID(1), nickname: "가람")
      #expect(try await store.profile(of: 1) == profile)
      #expect(try await store.profile(of: 1, for: 2) == profile)
      profile.introduction = "걷는 사람\n서울"
      #expect(try await store.change(edit(1, "걷는 사람\n서울")) == .edited(profile))
      profile.picture = MediaID(7)
      #expect(try await store.change(edit(1, nil, .replaced(MediaID(7)))) == .edited(profile))
      #expect(try await store.change(edit(1)) == .edited(profile))
      #expect(try await store.profile(of: 1, for: 2) == profile)
      profile.introduction = ""
      #expect(try await store.change(edit(1, "")) == .edited(profile))
      profile.picture = nil
      #expect(try await store.change(edit(1, nil, .removed)) == .edited(profile))
      #expect(try await store.profile(of: 1, for: 2) == profile)
      #expect(try await store.change(edit(9, "없음")) == .notFound)
      #expect(try await store.profile(of: 9, for: 1) == nil)
    }
  }

  @Test("Introductions are compared by bytes", arguments: BackEnd.allCases)
  func bytes(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...1)
      for text in ["\u{E9}", "e\u{301}"] {
        try await store.introduce(1, text)
        #expect(try await store.profile(of: 1)?.introduction.utf8.elementsEqual(text.utf8) == true)
      }
    }
  }

  @Test("A picture is the player's own, is kept while the profile has it, and no longer", arguments: BackEnd.allCases)
  func pictures(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      for id: UInt128 in 1...2 { try await store.addPicture(id, of: 1) }
      try await store.addPicture(3, of: 2)
      #expect(try await store.change(edit(1, "새 글", .replaced(MediaID(3)))) == .mediaNotFound)
      #expect(try await store.change(edit(1, "새 글", .replaced(MediaID(9)))) == .mediaNotFound)
      #expect(try await store.profile(of: 1)?.introduction == "")
      #expect(try await store.change(edit(1, nil, .replaced(MediaID(1)))) != .mediaNotFound)
      #expect(try await store.change(edit(1, nil, .replaced(MediaID(2)))) != .mediaNotFound)
      var withPicture = post(1)
      withPicture.pictures = [MediaID(2)]
      try await store.write(withPicture)
      let later = StoredMedia.unusedRetention.wholeMilliseconds + 1_000
      try await store.maintain(at: later)
      func kept() async throws -> [UInt128] { try await store.media((1...3).map { MediaID($0) }).map(\.id.value) }
      #expect(try await kept() == [2], "the others were in nothing")
      try await store.change(at: later, edit(1, nil, .removed))
      try await store.maintain(at: 3 * later)
      #expect(try await kept() == [2], "the post has it")
      #expect(try await store.change(at: 3 * later, edit(1, nil, .replaced(MediaID(2)))) != .mediaNotFound)
      try await store.change(at: 3 * later, deletion(1))
      try await store.maintain(at: 6 * later)
      #expect(try await kept() == [2], "the profile has it")
      try await store.change(at: 6 * later, edit(1, nil, .removed))
      try await store.maintain(at: 9 * later)
      #expect(try await kept() == [])
    }
  }

  @Test("Who has blocked a player does not see their profile, and the blocked one sees", arguments: BackEnd.allCases)
  func blocks(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      try await store.introduce(1, "하나")
      try await store.introduce(2, "둘")
      #expect(try await store.change(AccountChange.block(PlayerID(1), PlayerID(2))) == .ok)
      #expect(try await store.profile(of: 2, for: 1) == nil)
      #expect(try await store.profile(of: 1, for: 2)?.introduction == "하나")
      #expect(try await store.profile(of: 2, for: 2)?.introduction == "둘")
    }
  }

  @Test("Posts are counted, hidden ones for their author alone", arguments: BackEnd.allCases)
  func posts(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      for number: UInt128 in 1...3 { try await store.write(post(number)) }
      try await store.change(StoryChange.hide(.post(PostID(2)), isHidden: true))
      #expect(try await store.profile(of: 1)?.posts == 3)
      #expect(try await store.profile(of: 1, for: 2)?.posts == 2)
      try await store.change(deletion(2))
      try await store.change(deletion(3))
      #expect(try await store.profile(of: 1)?.posts == 1)
      #expect(try await store.profile(of: 1, for: 2)?.posts == 1)
    }
  }

  @Test("A guest is kept by a profile or a collectible, and not by experience", arguments: BackEnd.allCases)
  func guests(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      for player: UInt8 in 1...4 { try await store.change(hello(UInt128(player), device: player, session: player)) }
      try await store.introduce(1, "손님")
      try await store.write(post(2, of: 2, in: "KR"))
      try await store.write(post(4, of: 4))
      try await store.change(like(4, by: 3))
      try await store.change(deletion(2, by: 2))
      try await store.change(deletion(4, by: 4))
      let day: Int64 = 86_400_000
      for at in [1, 4, 8, 40, 80, 120] { try await store.maintain(at: Int64(at) * day) }
      let all = (1...4).map { PlayerID($0) }
      #expect(try Set(store.unknownPlayers(among: all)) == [PlayerID(3), PlayerID(4)])
      try await store.introduce(1, "")
      for at in [121, 160, 200] { try await store.maintain(at: Int64(at) * day) }
      #expect(try Set(store.unknownPlayers(among: all)) == [PlayerID(1), PlayerID(3), PlayerID(4)])
    }
  }

  @Test("A deleted player has no profile and no collectibles, whoever comes next", arguments: BackEnd.allCases)
  func deletions(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      try await store.addPicture(7, of: 1)
      try await store.change(edit(1, "하나", .replaced(MediaID(7))))
      try await store.write(post(1, in: "KR"))
      try await store.write(post(2, of: 2))
      try await store.commit([], like(1, by: 2), like(2, by: 1))
      #expect(try await store.change(DeletionChange.begin(PlayerID(1), at: moment(5))) == .ok)
      #expect(try await store.profile(of: 1, for: 2) == nil)
      #expect(try await store.change(edit(1, "다시")) == .notFound)
      try await store.delete(PlayerID(1))
      #expect(try await store.experience(of: 2) == 6, "the like of a post that is gone stays with its giver")
      #expect(try await store.media([MediaID(7)]).isEmpty)
      try await store.change(hello(1, device: 9, session: 9))
      #expect(try await store.profile(of: 1)?.experience == 0)
      #expect(try await store.collectibles(of: 1) == [])
      #expect(try await store.profile(of: 1)?.introduction == "")
    }
  }
}
