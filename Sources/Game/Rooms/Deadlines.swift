// What time alone does in a room, and when. Deadlines are not timers but facts of the state, found again after each
// change, so that none can be forgotten or fire twice. A value, owned by the room.

/// Something that time alone will do.
enum Deadline {
  case endOfGame
  case endOfHold(Place)
  case passOfHost
  case backToLobby
  case endOfRoom
  /// Of events or games.
  case endOfNumbers
}

/// The deadlines of a room, but for those of its places.
package struct Deadlines: Sendable {
  /// How long a board is shown before the room goes back to the lobby by itself.
  package static let boardTime = Duration.seconds(60)
  /// How long a room lasts with nobody connected.
  static let desertedTime = Duration.seconds(60)

  /// When the game on ends.
  var endsAt: Instant?
  /// When the room goes back to the lobby.
  var lobbyAt: Instant?
  /// Since when nobody has been connected.
  var desertedSince: Instant?

  /// The earliest deadline. At the same time: first the end of the game, so that a hold that runs out with it has
  /// lasted; then ends of holds, seats before spectators, by number; the host's part; the lobby; the end of the room;
  /// the end of numbers, which is due as soon as it is noticed.
  func earliest(in roster: Roster, numbersEndAt: Instant?) -> (at: Instant, deadline: Deadline)? {
    var earliest: (at: Instant, deadline: Deadline)?
    func consider(_ at: Instant?, _ deadline: Deadline) {
      guard let at else { return }
      if let found = earliest, found.at <= at { return }
      earliest = (at, deadline)
    }

    consider(endsAt, .endOfGame)
    for (place, occupant) in roster.occupants {
      consider(occupant.heldSince.map { $0 + Roster.holdTime }, .endOfHold(place))
    }
    consider(roster.hostPassesAt, .passOfHost)
    consider(lobbyAt, .backToLobby)
    consider(desertedSince.map { $0 + Self.desertedTime }, .endOfRoom)
    consider(numbersEndAt, .endOfNumbers)
    return earliest
  }

  /// The room's clock stood still for so long up to `now`; the wait for the room's end begins anew.
  mutating func move(by stoodStill: Duration, at now: Instant) {
    endsAt = endsAt.map { $0 + stoodStill }
    lobbyAt = lobbyAt.map { $0 + stoodStill }
    if desertedSince != nil {
      desertedSince = now
    }
  }

  /// Begins the wait for the room's end, if nobody is connected any more.
  mutating func noteDesertion(of roster: Roster, at time: Instant) {
    if desertedSince == nil, !roster.isAnyoneConnected {
      desertedSince = time
    }
  }
}

// In a journal.
extension Deadlines {
  func write(to state: inout RecordWriter) {
    state.future(endsAt)
    state.future(lobbyAt)
    state.past(desertedSince)
  }

  /// Of a game that lasts at most so long.
  init(longest: Duration, from state: inout RecordReader) throws(JournalFault) {
    endsAt = try state.futureIfAny(within: longest.wholeMilliseconds)
    lobbyAt = try state.futureIfAny(within: Self.boardTime.wholeMilliseconds)
    desertedSince = try state.pastIfAny()
  }

  /// Each phase has its own end, and a room that is deserted has nobody who would outlast it.
  func check(in phase: Phase, _ roster: Roster, _ state: RecordReader) throws(JournalFault) {
    try state.require((phase == .playing) == (endsAt != nil), "end of a game")
    try state.require((phase == .ended) == (lobbyAt != nil), "way to the lobby")
    try state.require((desertedSince == nil) == roster.isAnyoneConnected, "desertion")
    guard let desertedSince else { return }
    for (_, occupant) in roster.occupants {
      try state.require(occupant.heldSince.map { $0 <= desertedSince } ?? false, "hold")
    }
  }
}
