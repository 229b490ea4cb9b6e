// What happened in a room, numbered by one upwards without gaps. Plain values. An event tells all members the same and is
// never changed once it has its number, but for texts whose author has them erased.

/// Something that happened in a room.
package struct Event: Hashable, Sendable {
  /// From 1, by one upwards.
  package var number: UInt32
  /// When it happened, on the room's clock.
  package var atMs: UInt32
  package var body: Body

  package init(number: UInt32, atMs: UInt32, body: Body) {
    self.number = number
    self.atMs = atMs
    self.body = body
  }

  package enum Body: Hashable, Sendable {
    /// Someone came in, or a spectator took a seat; then `left` named the spectator's place just before.
    case joined(Member)
    /// Someone left, ran out of their hold, or moved from a spectator's place to a seat.
    case left(Place)
    /// A connection is lost, the place held.
    case held(Place)
    /// Someone whose place was held is connected again.
    case back(Place)
    /// The host is now the one in this seat. Without such an event after a host's `left`, there is no host.
    case host(seat: Int)
    case phase(PhaseChange)
    /// The author stands for who was in the place when they wrote, whoever is there since.
    case chat(Place, author: PlayerID, text: String)
    /// Someone in a seat has captured something.
    case captured(seat: Int, Capture)
  }
}

/// Something that was captured.
package enum Capture: Hashable, Sendable {
  /// Cells of the arena, whoever held them: so many square metres.
  case area(m2: UInt32)
  /// A land that nobody held, in so long a run.
  case land(LandID, time: Duration)
}

/// What a room is doing; lists have them in this order.
package enum Phase: Int, Hashable, Sendable, CaseIterable {
  /// Gathering players.
  case lobby
  /// A game is on.
  case playing
  /// The last game's board is shown.
  case ended

  /// As the wire names it, and everybody outside.
  package var name: String {
    switch self {
    case .lobby: "LOBBY"
    case .playing: "PLAYING"
    case .ended: "ENDED"
    }
  }
}

/// A phase that has begun, with what belongs to it.
package enum PhaseChange: Hashable, Sendable {
  case lobby
  /// The room's clock, points and positions begin anew; the game ends at this time on that clock.
  case playing(endsAtGameMs: UInt32)
  /// The board that the server decided, best first.
  case ended(board: [BoardRow])
}

/// One player's result.
package struct BoardRow: Hashable, Sendable {
  package var seat: Int
  package var id: PlayerID
  package var nickname: String
  /// From 1; nobody shares a rank.
  package var rank: Int
  package var points: UInt32
  package var distanceMm: Int64
  /// How long they were in the game; a held seat is in it.
  package var time: Duration
  /// Rank 1 with more than 0 points, and stayed.
  package var won: Bool
  /// Stayed to the end; who came back in time has stayed.
  package var completed: Bool
  /// Energy, in calories.
  package var calories: Int64

  package init(
    seat: Int,
    id: PlayerID,
    nickname: String,
    rank: Int,
    points: UInt32,
    distanceMm: Int64,
    time: Duration,
    won: Bool,
    completed: Bool,
    calories: Int64
  ) {
    self.seat = seat
    self.id = id
    self.nickname = nickname
    self.rank = rank
    self.points = points
    self.distanceMm = distanceMm
    self.time = time
    self.won = won
    self.completed = completed
    self.calories = calories
  }
}
