// Profiles over real sockets: what players say of themselves, who sees it, and what is refused.
import Game
import MadangProtocol
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite struct ProfilesTests {
  private let server: TestServer

  init() throws {
    server = try TestServer(shards: 2)
  }

  private func player(_ name: String, _ subprotocol: Subprotocol = .json) throws -> (player: TestPlayer, id: String) {
    let player = try TestPlayer(port: server.port, subprotocol: subprotocol)
    return (player, try player.hello(name).playerID)
  }

  /// Adds a picture of a player's, whose bytes nobody asks for; returns its identifier.
  private func addPicture(_ number: UInt128, of owner: String) throws -> String {
    let media = StoredMedia(
      id: MediaID(number),
      owner: try #require(PlayerID(owner)),
      digest: MediaDigest(Array(repeating: 7, count: 32)),
      type: .jpeg,
      width: 40,
      height: 30,
      sizeBytes: 100,
      uploadedAt: Instant(milliseconds: server.clock.now().milliseconds)
    )
    let outcome = Box<Result<[Outcome], StoreFailure>>()
    server.store.commit(Batch(at: media.uploadedAt, changes: [MediaChange.add(media).change])) { outcome.put($0) }
    #expect(try outcome.take().get() == [.media(.added)])
    return media.id.description
  }

  @Test("A profile has what its player says, for everybody, in both encodings", arguments: [Subprotocol.json, .proto])
  func whole(subprotocol: Subprotocol) throws {
    let (player, id) = try player("가람", subprotocol)
    let empty = try player.profile()
    #expect(empty.playerID == id && empty.nickname == "가람" && empty.introduction.isEmpty && !empty.hasPicture)
    #expect(empty.grade == .economy && empty.experience == 0 && empty.posts == 0 && empty.collectibles.isEmpty)
    let picture = try addPicture(7, of: id)
    let text = String(repeating: "가", count: 298) + "\n나"
    let set = try player.setProfile { ($0.introduction, $0.mediaID) = (text, picture) }
    #expect(set.introduction == text && set.picture.mediaID == picture && set.picture.width == 40)
    #expect(set.picture.thumbnailURL.hasPrefix("/v1/media/\(picture)/thumbnail?"))
    let post = try player.write("글")
    let other = try self.player("나래", subprotocol).player
    let seen = try other.profile(of: other.read(post).authorID)
    #expect(seen.playerID == id && seen.introduction == text && seen.picture.url == set.picture.url)
    #expect(seen.posts == 1 && seen.experience == 5)
    try player.expectOk(.setNickname(TestPlayer.setNickname("가람이")))
    #expect(try other.profile(of: id).nickname == "가람이")
    let bare = try player.setProfile { ($0.introduction, $0.withoutPicture) = ("", true) }
    #expect(bare.introduction.isEmpty && !bare.hasPicture && bare.experience == 5)
    #expect(try other.profile(of: id).introduction.isEmpty)
  }

  @Test("A field that is absent stays, and a profile survives a crash")
  func fields() throws {
    let (player, id) = try player("가람")
    let picture = try addPicture(7, of: id)
    try player.setProfile { $0.introduction = "하나" }
    #expect(try player.setProfile { $0.mediaID = picture }.introduction == "하나")
    #expect(try player.setProfile { $0.introduction = "둘" }.picture.mediaID == picture)
    #expect(try player.setProfile { _ in }.introduction == "둘")
    let again = try server.crash()
    let seen = try again.player("나래").profile(of: id)
    #expect(seen.introduction == "둘" && seen.picture.mediaID == picture)
  }

  @Test("What is wrong with a profile is told, and nothing of it is kept")
  func refusals() throws {
    let (player, id) = try player("가람")
    let others = try addPicture(8, of: self.player("나래").id)
    let own = try addPicture(7, of: id)
    let faults: [(code: WireErrorCode, set: (inout WireSetProfile) -> Void)] = [
      (.textTooLong, { $0.introduction = String(repeating: "가", count: 301) }),
      (.textTooLong, { $0.introduction = String(repeating: "👨‍👩‍👧‍👦", count: 60) }),
      (.textEmpty, { $0.introduction = " \n" }), (.textEmpty, { $0.introduction = "\u{200B}" }),
      (.outOfRange, { $0.introduction = "a\tb" }), (.mediaNotFound, { $0.mediaID = others }),
      (.mediaNotFound, { $0.mediaID = "nonsense" }), (.mediaNotFound, { $0.mediaID = "" }),
      (.mediaNotFound, { ($0.introduction, $0.mediaID) = ("새 글", String(repeating: "9", count: 32)) }),
      (.outOfRange, { ($0.mediaID, $0.withoutPicture) = (own, true) }),
    ]
    for (index, fault) in faults.enumerated() {
      #expect(try player.profileRefusal(fault.set) == fault.code, "\(index)")
    }
    let kept = try player.profile()
    #expect(kept.introduction.isEmpty && !kept.hasPicture)
    #expect(try player.refusal(of: TestPlayer.profile(of: String(repeating: "7", count: 32))).code == .playerNotFound)
    #expect(try player.refusal(of: TestPlayer.profile(of: "nonsense")).code == .outOfRange)
  }

  @Test("A player does not see whom they have blocked; the blocked one sees them, as they see posts")
  func blocks() throws {
    let (player, id) = try player("가람")
    let (other, otherID) = try self.player("나래")
    try player.expectOk(.block(TestPlayer.block(otherID)))
    #expect(try player.refusal(of: TestPlayer.profile(of: otherID)).code == .playerNotFound)
    #expect(try other.profile(of: id).nickname == "가람")
    try player.expectOk(.unblock(TestPlayer.unblock(otherID)))
    #expect(try player.profile(of: otherID).nickname == "나래")
  }

  @Test("A muted player shows nothing new, and may take away")
  func muted() throws {
    let (player, id) = try player("가람")
    let picture = try addPicture(7, of: id)
    try player.setProfile { ($0.introduction, $0.mediaID) = ("하나", picture) }
    #expect(server.perform(.mute(try #require(PlayerID(id)), for: nil, reason: "")).isDone)
    #expect(try player.profileRefusal { $0.introduction = "둘" } == .muted)
    #expect(try player.profileRefusal { $0.mediaID = picture } == .muted)
    let bare = try player.setProfile { ($0.introduction, $0.withoutPicture) = ("", true) }
    #expect(bare.introduction.isEmpty && !bare.hasPicture)
  }

  @Test("Changes of a profile have a rate")
  func budget() throws {
    let (player, _) = try player("가람")
    for index in 0..<Limits.profileChangesPerMinute { try player.setProfile { $0.introduction = "\(index)" } }
    let refused = try player.refusal(of: TestPlayer.setProfile { $0.introduction = "또" })
    #expect(refused.code == .rateLimited && refused.retryAfterMs > 0)
    #expect(try player.profile().introduction == "\(Limits.profileChangesPerMinute - 1)")
  }

  @Test("A deleted player has no profile")
  func deleted() throws {
    let (player, id) = try player("가람")
    try player.setProfile { $0.introduction = "하나" }
    try player.expectOk(.deleteAccount(TestPlayer.deleteAccount()))
    let other = try server.player("나래")
    #expect(try other.refusal(of: TestPlayer.profile(of: id)).code == .playerNotFound)
  }
}
