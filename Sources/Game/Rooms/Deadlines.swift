// The deadlines of a room: changes that time alone causes. Deadlines are not timers but facts of the state, found again
// after each change, so that none can be forgotten or fire twice. A value, owned by the room.

/// A change that time alone causes.
enum Deadline {
  /// The time of the game is up.
  case endOfGame
  /// The wait for late fixes is over.
  case endOfWait
  case endOfHold(Place)
  case passOfHost
  case backToLobby
  case endOfRoom
  /// Practice opponents move.
  case walk
  /// The numbers of events or games run out.
  case endOfNumbers
}

/// The deadlines of a room, except those of its places.
package struct Deadlines: Sendable {
  /// The time that a board is shown before the room returns to the lobby by itself.
  package static let boardTime = Duration.seconds(60)
  /// The lifetime of a room with nobody connected.
  static let desertedTime = Duration.seconds(60)

  /// The wait of a shared game's board for the late fixes of held players.
  static let boardWait = Duration.seconds(20)
  /// The wait of a solo game's board for a connected player who may have no connection any more: longer than a server
  /// needs to notice.
  static let silentWait = Duration.seconds(30)
  /// A connected solo player with a fix of these last moments has no gap at the end of the game.
  static let silenceMax = Duration.seconds(2)

  /// The end of the running game by the room's clock; passed while the board waits for late fixes.
  var endsAt: Instant?
  /// The time at which the time of the game was up, by the wall clock: fixes from after it don't count.
  var timeUpAt: Instant?
  /// The end of the wait for late fixes; nil unless the time of the game is up.
  var boardAt: Instant?
  /// The return to the lobby.
  var lobbyAt: Instant?
  /// The time since which nobody has been connected.
  var desertedSince: Instant?

  /// The earliest deadline. At the same time, the order is: the end of the game or of the wait behind it, so that a
  /// hold that expires with it lasts to the end; ends of holds, seats before spectators, by number; the host's part;
  /// the lobby; the end of the room; the moves of practice opponents; the end of numbers, which is due as soon as it is
  /// noticed.
  func earliest(
    in roster: Roster,
    _ configuration: RoomConfiguration,
    isPlaying: Bool,
    walkAt: Instant?,
    numbersEndAt: Instant?
  ) -> (at: Instant, deadline: Deadline)? {
    var earliest: (at: Instant, deadline: Deadline)?
    func consider(_ at: Instant?, _ deadline: Deadline) {
      guard let at else { return }
      if let found = earliest, found.at <= at { return }
      earliest = (at, deadline)
    }

    if let boardAt { consider(boardAt, .endOfWait) } else { consider(endsAt, .endOfGame) }
    // A solo game's seat is held until the result stands.
    let isHoldEndless = configuration.solo && isPlaying
    for (place, occupant) in roster.occupants where !isHoldEndless {
      consider(occupant.heldSince.map { $0 + configuration.hold }, .endOfHold(place))
    }
    consider(roster.hostPassesAt, .passOfHost)
    consider(lobbyAt, .backToLobby)
    // A game goes on as long as somebody may come back to it.
    if !isPlaying || roster.occupantCount == 0 {
      consider(desertedSince.map { $0 + Self.desertedTime }, .endOfRoom)
    }
    consider(walkAt, .walk)
    consider(numbersEndAt, .endOfNumbers)
    return earliest
  }

  /// Moves the deadlines by the time that the room's clock stood still, up to `now`; the wait for the room's end starts
  /// again.
  mutating func move(by downtime: Duration, at now: Instant) {
    endsAt = endsAt.map { $0 + downtime }
    boardAt = boardAt.map { $0 + downtime }
    lobbyAt = lobbyAt.map { $0 + downtime }
    if desertedSince != nil {
      desertedSince = now
    }
  }

  /// Whether a fix of this time was taken behind the end of the running game.
  func isBehindGame(_ time: Instant) -> Bool {
    guard let end = timeUpAt ?? endsAt else { return true }
    return time > end
  }

  /// Begins the wait for the room's end if nobody is connected any more.
  mutating func noteDesertion(of roster: Roster, at time: Instant) {
    if desertedSince == nil, !roster.isAnyoneConnected {
      desertedSince = time
    }
  }
}

// In a journal.
extension Deadlines {
  func write(to state: inout RecordWriter) {
    state.future(boardAt)
    if boardAt == nil {
      state.future(endsAt)
    } else {
      state.past(endsAt)
      state.past(timeUpAt)
    }
    state.future(lobbyAt)
    state.past(desertedSince)
  }

  /// Reads the deadlines of a game of at most this duration.
  init(longest: Duration, from state: inout RecordReader) throws(JournalFault) {
    boardAt = try state.futureIfAny(within: RoomConfiguration.soloWait.wholeMilliseconds)
    if boardAt == nil {
      endsAt = try state.futureIfAny(within: longest.wholeMilliseconds)
    } else {
      endsAt = try state.pastIfAny()
      timeUpAt = try state.pastIfAny()
    }
    lobbyAt = try state.futureIfAny(within: Self.boardTime.wholeMilliseconds)
    desertedSince = try state.pastIfAny()
  }

  /// Checks that each phase has its own end, and that every hold in a deserted room began before the desertion.
  func check(in phase: Phase, _ roster: Roster, _ state: RecordReader) throws(JournalFault) {
    try state.require((phase == .playing) == (endsAt != nil), "end of a game")
    try state.require(boardAt == nil || phase == .playing && timeUpAt != nil, "wait for late fixes")
    try state.require((phase == .ended) == (lobbyAt != nil), "way to the lobby")
    try state.require((desertedSince == nil) == roster.isAnyoneConnected, "desertion")
    guard let desertedSince else { return }
    for (_, occupant) in roster.occupants {
      try state.require(occupant.heldSince.map { $0 <= desertedSince } ?? false, "hold")
    }
  }
}
