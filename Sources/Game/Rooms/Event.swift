// The events of a room, numbered by one upwards without gaps. Plain values. An event is the same for all members and
// never changes once it has its number, except that an author's texts may be erased.

/// An event of a room.
package struct Event: Hashable, Sendable {
  /// From 1, by one upwards.
  package var number: UInt32
  /// The time on the room's clock.
  package var atMs: UInt32
  package var body: Body

  package init(number: UInt32, atMs: UInt32, body: Body) {
    self.number = number
    self.atMs = atMs
    self.body = body
  }

  package enum Body: Hashable, Sendable {
    /// Someone came in, or a spectator took a seat; an event `left` with the spectator's place then comes just before.
    case joined(Member)
    /// Someone left, their hold expired, or they moved from a spectator's place to a seat.
    case left(Place)
    /// A connection is lost; the place is held.
    case held(Place)
    /// Someone whose place was held is connected again.
    case back(Place)
    /// The host is now the player in this seat. Nil: the host has left, and nobody has a seat.
    case host(seat: Int?)
    case phase(PhaseChange)
    /// The time of the game is up. Its board stands when late fixes have come, at the latest at this time on the room's
    /// clock.
    case timeUp(boardAtGameMs: UInt32)
    /// The author was in the place at the time of writing; another may be there since.
    case chat(Place, author: PlayerID, text: String)
    /// Someone in a seat has captured something.
    case captured(seat: Int, Capture)
    /// The host removes the member in a place; `left` follows.
    case kicked(Place)
    /// The host has closed the room for newcomers, or opened it again.
    case locked(Bool)
  }
}

/// A capture.
package enum Capture: Hashable, Sendable {
  /// Cells of the arena, in square metres, from any holder.
  case area(m2: UInt32)
  /// A land without a holder, and the time of the run.
  case land(LandID, time: Duration)
}

/// The phase of a room; lists have this order.
package enum Phase: Int, Hashable, Sendable, CaseIterable {
  /// Players gather.
  case lobby
  /// A game is on.
  case playing
  /// The last game's board is shown.
  case ended

  /// The name on the wire and in all output.
  package var name: String {
    switch self {
    case .lobby: "LOBBY"
    case .playing: "PLAYING"
    case .ended: "ENDED"
    }
  }
}

/// The beginning of a phase, with its values.
package enum PhaseChange: Hashable, Sendable {
  case lobby
  /// The game with this number begins: the room's clock, points and positions start again. The game ends at this time
  /// on that clock.
  case playing(game: UInt32, endsAtGameMs: UInt32)
  /// The board that the server calculated, best first.
  case ended(board: [BoardRow])
}

/// One player's result.
package struct BoardRow: Hashable, Sendable {
  package var seat: Int
  package var id: PlayerID
  package var nickname: String
  /// The place in the order of the players, from 1; no two share one. A practice opponent has 0. See `givenRank`.
  package var rank: Int
  package var points: UInt32
  package var distanceMm: Int64
  /// Their time in the game, including the time that the seat was held.
  package var time: Duration
  /// Whether the player has rank 1 with more than 0 points, has not left, and has not played alone against practice
  /// opponents.
  package var won: Bool
  /// Whether the player stayed to the end, or came back in time.
  package var completed: Bool
  /// Energy, in calories.
  package var calories: Int64
  /// The share of fixes that came more than 30 s late, in per cent.
  package var latePercent: UInt8
  /// The share of them that the phone could have sent earlier, in per cent of all fixes.
  package var withheldPercent: UInt8

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
    calories: Int64,
    latePercent: UInt8 = 0,
    withheldPercent: UInt8 = 0
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
    self.latePercent = latePercent
    self.withheldPercent = withheldPercent
  }
}
