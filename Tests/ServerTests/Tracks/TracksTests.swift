// The course of a game that is over, links to it, and what others see of it, over real sockets.
import Game
import MadangProtocol
import Server
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite("Players look at their games, and share them by links")
struct TracksTests {
  private static let middle: (lat: Int32, lng: Int32) = (375_000_000, 1_267_000_000)

  private static func place(_ northM: Double, _ eastM: Double) -> (lat: Int32, lng: Int32) {
    (middle.lat + Int32(northM * 89.932), middle.lng + Int32(eastM * 113.357))
  }

  /// A loop of 400 m around a square, and 350 m behind it: in steps of 50 m, from the middle of the arena.
  private static let way: [(northM: Double, eastM: Double)] =
    [(0, 0), (0, 50), (0, 100), (50, 100), (100, 100), (100, 50), (100, 0), (50, 0), (5, 0)]
    + (1...7).map { (5, Double($0) * -50) }

  struct Played {
    let server: TestServer
    let host: TestPlayer
    let guest: TestPlayer
    let game: String
    let hostID: String
    let guestID: String
  }

  /// A territory game in which both walk the way, the guest 40 m further north; returns when both have their results.
  private func play(_ store: any Store = MemoryStore(), guest subprotocol: Subprotocol = .json) throws -> Played {
    let server = try TestServer(store: store)
    let host = try TestPlayer(port: server.port)
    let guest = try TestPlayer(port: server.port, subprotocol: subprotocol)
    let hostID = try host.hello("가람").playerID
    let guestID = try guest.hello("나래").playerID
    let room = try host.createRoom {
      ($0.mode, $0.durationS, $0.speedMaxMmS) = (.territory, 60, 100_000)
      ($0.arena.cells, $0.arena.cellM) = (90, 10)
    }
    _ = try guest.joinRoom(room.code)
    try host.expectOk(.startGame(WireStartGame()))
    for step in Self.way {
      for (player, north) in [(host, 0.0), (guest, 40.0)] {
        let place = Self.place(step.northM + north, step.eastM)
        try player.expectOk(.move(TestPlayer.move(place.lat, place.lng)))
      }
      try server.pass(seconds: 1, host, guest)
    }
    try server.pass(seconds: 60, host, guest)
    let game = try #require(try host.results().results.first).gameID
    return Played(server: server, host: host, guest: guest, game: game, hostID: hostID, guestID: guestID)
  }

  private static func request(_ game: String) -> WireClientMessage.OneOf_Body {
    var request = WireGameTrackRequest()
    request.gameID = game
    return .gameTrack(request)
  }

  private static func share(_ game: String) -> WireClientMessage.OneOf_Body {
    var request = WireShareGame()
    request.gameID = game
    return .shareGame(request)
  }

  private static func unshare(_ game: String) -> WireClientMessage.OneOf_Body {
    var request = WireUnshareGame()
    request.gameID = game
    return .unshareGame(request)
  }

  private static func show(_ game: String, _ isShown: Bool) -> WireClientMessage.OneOf_Body {
    var request = WireShowWay()
    (request.gameID, request.show) = (game, isShown)
    return .showWay(request)
  }

  private func track(_ player: TestPlayer, _ game: String) throws -> WireGameTrack {
    let answer = try player.request(Self.request(game))
    guard case .gameTrack(let track) = answer else { throw TestFailure("no track: \(answer)") }
    return track
  }

  private func sharing(_ player: TestPlayer, _ body: WireClientMessage.OneOf_Body) throws -> WireGameSharing {
    let answer = try player.request(body)
    guard case .gameSharing(let sharing) = answer else { throw TestFailure("not shared: \(answer)") }
    return sharing
  }

  /// The path of a link.
  private static func path(_ url: String) throws -> String {
    try #require(url.range(of: "/g/").map { String(url[$0.lowerBound...]) })
  }

  private func shown(_ path: String, _ server: TestServer) throws -> (WireGameTrack, text: String) {
    let answer = try TestHTTP.get("\(path).json", port: server.port)
    guard answer.status == 200 else { throw TestFailure("\(answer.status): \(answer.body)") }
    #expect(answer.field("Cache-Control") == "no-store" && answer.field("X-Robots-Tag") == "noindex")
    #expect(answer.field("Referrer-Policy") == "no-referrer")
    let message = try answer.bytes.withUnsafeBytes { try Subprotocol.json.decodeServerMessage($0) }
    return (message.gameTrack, answer.body)
  }

  private static func places(_ way: WireGameWay) -> [(lat: Int32, lng: Int32)] {
    var (lat, lng): (Int32, Int32) = (0, 0)
    return zip(way.latE7, way.lngE7).map {
      (lat, lng) = (lat &+ $0, lng &+ $1)
      return (lat, lng)
    }
  }

  @Test(
    "A player sees the whole course: everybody's way, ground over time, points and the board",
    arguments: [Subprotocol.json, .proto]
  )
  func course(subprotocol: Subprotocol) throws {
    let played = try play(guest: subprotocol)
    let track = try track(played.guest, played.game)
    #expect(track.gameID == played.game && track.mode == .territory && track.endMs == 60_000)
    #expect(track.board.map(\.nickname).sorted() == ["가람", "나래"])
    #expect(track.board.allSatisfy { !$0.playerID.isEmpty })
    #expect(track.arena.latE7 == Self.middle.lat && track.arena.cells == 90)
    #expect(track.ways.map(\.seat) == [0, 1])
    for (way, north) in zip(track.ways, [0.0, 40.0]) {
      let expected = Self.way.map { Self.place($0.northM + north, $0.eastM) }
      #expect(Self.places(way).elementsEqual(expected) { $0 == $1 })
      #expect(way.atMs.count == expected.count)
    }
    #expect(!track.groundMs.isEmpty && track.groundMs.count == track.groundCounts.count)
    #expect(track.groundCounts.reduce(0, +) == UInt32(track.cellStarts.count))
    var cells: [UInt32: UInt32] = [:]
    for run in track.cellStarts.indices {
      let start = track.cellStarts[run]
      for cell in start..<start + track.cellCounts[run] { cells[cell] = track.cellSeats[run] }
    }
    for row in track.board {
      #expect(UInt32(cells.values.count { $0 == row.seat }) * 100 == row.points)
      let last = track.pointsSeats.indices.last { track.pointsSeats[$0] == row.seat }
      #expect(last.map { track.points[$0] } == row.points)
    }
    #expect(!track.sharing.showsWay && track.sharing.links == 0)
    // A second look is the same.
    #expect(try self.track(played.guest, played.game) == track)
  }

  @Test(
    "A link shows ground and points of all, and the way of its sharer alone without its ends",
    arguments: TestStore.Kind.allCases
  )
  func link(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    let played = try play(kept.store)
    let made = try sharing(played.host, Self.share(played.game))
    #expect(made.links == 1 && made.gameID == played.game)
    let path = try Self.path(made.url)
    #expect(path.utf8.count == 3 + 26)
    let (track, text) = try shown(path, played.server)
    #expect(track.gameID.isEmpty && !track.hasSharing && track.mode == .territory)
    #expect(track.board.count == 2 && track.board.allSatisfy { $0.playerID.isEmpty && $0.distanceM == 0 })
    #expect(Set(track.board.map(\.nickname)) == ["가람", ""])
    #expect(!text.contains("나래") && !text.contains(played.hostID) && !text.contains(played.guestID))
    // Places are cut to whole units of 1e-7 degree, so four steps are a little less than 200 m.
    let way = try #require(track.ways.first)
    #expect(track.ways.count == 1 && way.seat == 0)
    let whole = Self.way.map { Self.place($0.northM, $0.eastM) }
    let places = Self.places(way)
    #expect(places.elementsEqual(whole.dropFirst(5).dropLast(5)) { $0 == $1 })
    for end in whole.prefix(5) + whole.suffix(5) where !places.contains(where: { $0 == end }) {
      #expect(!text.contains("\(end.lat),") || places.contains { $0.lat == end.lat })
      #expect(!text.contains("\(end.lng),") || places.contains { $0.lng == end.lng })
    }
    // The arena's middle is where the host began.
    #expect(track.hasArena && track.arena.latE7 != Self.middle.lat && track.arena.lngE7 != Self.middle.lng)
    #expect(track.arena.cells < 90 && !text.contains("\(Self.middle.lat)") && !text.contains("\(Self.middle.lng)"))
    #expect(track.groundMs.allSatisfy { $0.isMultiple(of: 10_000) } && !track.groundMs.isEmpty)
    #expect(track.pointsMs.allSatisfy { $0.isMultiple(of: 10_000) })
    // The page is the same for every link, and is kept by nobody.
    let page = try TestHTTP.get(path, port: played.server.port, fields: "Accept: text/html\r\n")
    #expect(page.status == 200 && page.field("Cache-Control") == "no-store" && page.field("X-Robots-Tag") == "noindex")
    #expect(page.field("Referrer-Policy") == "no-referrer" && page.body.contains("og:title"))
    #expect(!page.body.contains(String(path.dropFirst(3))) && !page.body.contains("가람"))
    let packed = try TestHTTP.get("\(path).json", port: played.server.port, fields: "Accept-Encoding: gzip\r\n")
    #expect(packed.field("Content-Encoding") == "gzip" && packed.bytes.count < text.utf8.count)
  }

  @Test("Others' ways and nicknames come with their consent, and go with it")
  func consent() throws {
    let played = try play()
    let path = try Self.path(try sharing(played.host, Self.share(played.game)).url)
    #expect(try shown(path, played.server).0.ways.map(\.seat) == [0])
    #expect(try sharing(played.guest, Self.show(played.game, true)).showsWay)
    #expect(try track(played.guest, played.game).sharing.showsWay)
    let (both, text) = try shown(path, played.server)
    #expect(both.ways.map(\.seat) == [0, 1] && text.contains("나래"))
    #expect(both.ways.allSatisfy { $0.atMs.count < Self.way.count })
    #expect(try !sharing(played.guest, Self.show(played.game, false)).showsWay)
    let (one, withoutName) = try shown(path, played.server)
    #expect(one.ways.map(\.seat) == [0] && !withoutName.contains("나래"))
    // The guest's own link shows the guest.
    let other = try Self.path(try sharing(played.guest, Self.share(played.game)).url)
    #expect(try shown(other, played.server).0.ways.map(\.seat) == [1])
  }

  @Test("Revoked links are gone, others stay; ten of a player lead to one game")
  func revoked() throws {
    let played = try play()
    let paths = try (1...10).map { number in
      let made = try sharing(played.host, Self.share(played.game))
      #expect(made.links == UInt32(number))
      return try Self.path(made.url)
    }
    #expect(Set(paths).count == 10)
    #expect(try played.host.refusal(of: Self.share(played.game)).code == .tooManyLinks)
    let other = try Self.path(try sharing(played.guest, Self.share(played.game)).url)
    _ = try shown(paths[3], played.server)
    let closed = try sharing(played.host, Self.unshare(played.game))
    #expect(closed.links == 0 && closed.url.isEmpty)
    for path in paths { #expect(try TestHTTP.get("\(path).json", port: played.server.port).status == 404) }
    _ = try shown(other, played.server)
  }

  @Test("Only players of a game that is over ask for it or share it")
  func refusals() throws {
    let played = try play()
    let stranger = try played.server.player("다온")
    let noGame = "\(RoomID(5))-1"
    for (player, game) in [(stranger, played.game), (played.host, noGame), (played.host, ""), (played.host, "?")] {
      for body in [Self.request(game), Self.share(game), Self.unshare(game), Self.show(game, true)] {
        #expect(try player.refusal(of: body).code == .gameNotFound)
      }
    }
    // A game that is on.
    _ = try stranger.createRoom { $0.solo = true }
    try stranger.expectOk(.startGame(WireStartGame()))
    var running: GameID?
    try played.server.store.liveRooms { room in
      let game = GameID(room: room.row.id, number: room.lastGame)
      if try played.server.store.journal(ofRunning: game) != nil { running = game }
    }
    let id = try #require(running).description
    #expect(try stranger.refusal(of: Self.request(id)).code == .gameNotFound)
    #expect(try stranger.refusal(of: Self.share(id)).code == .gameNotFound)
  }

  @Test("Links and courses go with the journal", arguments: TestStore.Kind.allCases)
  func forgotten(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    let played = try play(kept.store)
    let path = try Self.path(try sharing(played.host, Self.share(played.game)).url)
    _ = try track(played.host, played.game)
    _ = try shown(path, played.server)
    let box = Box<Bool>()
    let later = Instant(milliseconds: played.server.clock.now().milliseconds + 1_000)
    kept.store.maintain(at: later, keepJournals: .zero) { _ in box.put(true) }
    _ = box.take()
    #expect(try TestHTTP.get("\(path).json", port: played.server.port).status == 404)
    for body in [Self.request(played.game), Self.share(played.game), Self.show(played.game, true)] {
      #expect(try played.host.refusal(of: body).code == .trackNotKept)
    }
  }

  @Test("The deletion of any player of the game ends its links", arguments: TestStore.Kind.allCases)
  func deleted(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    let played = try play(kept.store)
    let path = try Self.path(try sharing(played.host, Self.share(played.game)).url)
    _ = try shown(path, played.server)
    try played.guest.expectOk(.deleteAccount(WireDeleteAccount()))
    #expect(try TestHTTP.get("\(path).json", port: played.server.port).status == 404)
    #expect(try played.host.refusal(of: Self.request(played.game)).code == .trackNotKept)
    #expect(try played.host.refusal(of: Self.share(played.game)).code == .trackNotKept)
  }

  @Test("Paths that are no link lead nowhere, and bring nothing down")
  func garbage() throws {
    let played = try play()
    let path = try Self.path(try sharing(played.host, Self.share(played.game)).url)
    let token = String(path.dropFirst(3))
    let port = played.server.port
    let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
    for number in 0..<50 {
      let other = String((0..<26).map { letters[(number * 7 + $0 * (number + 13)) % 32] })
      #expect(try TestHTTP.get("/g/\(other).json", port: port).status == 404)
    }
    for text in [
      "", ".json", "a", token.dropLast() + ".json", token + "a.json", token + ".json/", token + ".jsonx",
      "../../etc/passwd", "%00.json", "%ff%fe", String(repeating: "a", count: 2_000), token.dropLast(1) + "%41.json",
      "-----.json", "\(token).JSON",
    ] {
      let status = try TestHTTP.get("/g/\(text)", port: port).status
      #expect(status == 404, "\(text)")
    }
    #expect(try TestHTTP.get("/g", port: port).status == 404)
    // Digits of a link are read in either case.
    #expect(try TestHTTP.get("/g/\(token.uppercased()).json", port: port).status == 200)
    let foreign = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"
    #expect(try TestHTTP.get("\(path).json", port: port, fields: foreign).status == 403)
    #expect(try TestHTTP.get("\(path).json", port: port, method: "POST", fields: "Content-Length: 0\r\n").status == 405)
  }

  @Test("A player looks at ten games a minute, an address asks for 120 by links")
  func limits() throws {
    let played = try play()
    for _ in 0..<10 { _ = try track(played.host, played.game) }
    let refusal = try played.host.refusal(of: Self.request(played.game))
    #expect(refusal.code == .rateLimited && refusal.retryAfterMs > 0)
    _ = try track(played.guest, played.game)
    let strict = try TestServer { $0.netLimits.limitsLoopback = true }
    let path = "/g/\(String(repeating: "a", count: 26)).json"
    for _ in 0..<120 { #expect(try TestHTTP.get(path, port: strict.port).status == 404) }
    let late = try TestHTTP.get(path, port: strict.port)
    #expect(late.status == 429 && late.field("Retry-After") != nil)
  }
}
