// A room's state in three parts: together they equal the general encoder's message.
import MadangProtocol
import Testing

@Suite("Room states in parts")
struct RoomStateWriterTests {
  private func room() -> WireRoom {
    var room = WireRoom()
    room.code = "7K3F9-QXA25"
    room.phase = .playing
    room.lastEvent = 0
    room.gameMs = 1_234
    room.capacity = 4
    room.players = [player(0), player(1)]
    room.seats = [0, 1]
    room.latE7 = [375_665_000, -1]
    room.lngE7 = [1_269_780_000, 1]
    room.points = [1, 300]
    room.chats = [chat(3, "따옴표 \" 와 \\ 와 {}")]
    return room
  }

  private func own() -> WireRoom {
    var own = WireRoom()
    own.you.seat = 1
    own.pathLatE7 = [1, 2]
    own.pathLngE7 = [3, 4]
    own.suspect = true
    return own
  }

  private func player(_ seat: UInt32) -> WirePlayer {
    var player = WirePlayer()
    player.seat = seat
    player.nickname = "지민 \(seat)"
    return player
  }

  private func chat(_ number: UInt32, _ text: String) -> WireEvent {
    var event = WireEvent()
    event.number = number
    event.chat.seat = 0
    event.chat.text = text
    return event
  }

  private func assembled(
    _ subprotocol: Subprotocol,
    own: WireRoom,
    replyTo: UInt32?,
    welcome: WireWelcome?,
    missed: [WireEvent]? = nil,
    gap: Bool = false
  ) throws -> WireServerMessage {
    let shared = subprotocol.sharedState(room())
    let (head, tail) = subprotocol.aroundState(
      sharedBytes: shared.count,
      own: own,
      replyTo: replyTo,
      welcome: welcome,
      missed: missed.map { subprotocol.missedEvents($0, gap: gap) } ?? []
    )
    return try subprotocol.decodeServer(head + shared + tail)
  }

  private func whole(_ own: WireRoom) -> WireRoom {
    var whole = room()
    if own.hasYou { whole.you = own.you }
    whole.pathLatE7 = own.pathLatE7
    whole.pathLngE7 = own.pathLngE7
    whole.suspect = own.suspect
    return whole
  }

  @Test(
    "A room by itself is written with the same bytes",
    arguments: Subprotocol.allCases,
    [nil, 7, .max] as [UInt32?]
  )
  func alone(_ subprotocol: Subprotocol, _ replyTo: UInt32?) throws {
    for own in [own(), WireRoom()] {
      var expected = WireServerMessage()
      if let replyTo { expected.replyTo = replyTo }
      expected.room = whole(own)
      #expect(try assembled(subprotocol, own: own, replyTo: replyTo, welcome: nil) == expected)
    }
  }

  @Test(
    "A room in a welcome is written with the same bytes, with and without missed events",
    arguments: Subprotocol.allCases
  )
  func welcomed(_ subprotocol: Subprotocol) throws {
    var welcome = WireWelcome()
    welcome.playerID = "9b1d6e2f8a4c47039e5f0a1b2c3d4e5f"
    welcome.sessionToken = String(repeating: "a", count: 64)
    welcome.serverTimeMs = 1_789_999_900_000
    welcome.player.nickname = "가람"
    for (missed, gap) in [(nil, false), ([], false), ([], true), ([chat(9, "하나"), chat(10, "둘")], true)]
      as [([WireEvent]?, Bool)]
    {
      var expected = WireServerMessage()
      expected.replyTo = 1
      expected.welcome = welcome
      expected.welcome.room = whole(own())
      expected.welcome.events = missed ?? []
      expected.welcome.gap = gap
      let message = try assembled(
        subprotocol,
        own: own(),
        replyTo: 1,
        welcome: welcome,
        missed: missed,
        gap: gap
      )
      #expect(message == expected)
    }
  }
}
