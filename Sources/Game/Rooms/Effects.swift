// What an input brought about, as data that the server acts on. One value is reused from input to input, so that a warm
// room answers a move without an allocation. The room performs none of it and never learns whether it was.

/// Why a room refuses an input.
package enum Refusal: Hashable, Sendable {
  /// No free seat in the lobby, or no free place to watch.
  case roomFull
  /// A game is on or its result is shown, and late comers may not watch.
  case gameOn
  /// Only the host may do this in this room.
  case hostOnly
  /// Fewer seats are taken than a game needs.
  case tooFewPlayers
  case wrongPhase
  /// Spectators don't do this.
  case seatNeeded
  /// A chat text or nickname is not one; the text says why, in English.
  case badText(String)
  case chatTooOften(retryAfter: Duration)
  /// A read cursor beyond the newest event.
  case upToOutOfRange
  /// There is no run to give up.
  case noRun
  /// Nobody is in that place any more, or only a held seat, which must come back first.
  case notInRoom
  /// Who wants to join is here and connected.
  case alreadyInRoom
  /// The room ended for good before the input reached it.
  case closed
}

/// Something for the server to do beside answering. What all members are told is an event of the next tick, never here.
package enum Effect: Hashable, Sendable {
  /// Tell this player that a fix was refused, and whether they are suspect now; without a refusal, that they no longer are.
  case verdict(Place, FixRefusal?, suspect: Bool)
  /// Tell this player what has become of their path.
  case path(Place, PathNews)
  /// Tell this player what has become of their run.
  case run(Place, RunNews)
  /// A solo run has captured its land; the record is to be kept.
  case landRun(LandRunResult)
  /// Someone took a place, or changed it from a spectator's to a seat.
  case placed(PlayerID, Place)
  /// Someone is in the room no longer: left, or their hold ran out.
  case removed(PlayerID, Place)
  /// A game is over; its result is to be kept.
  case gameEnded(GameResult)
  /// The room has ended for good, with whoever is still in it; nothing may be applied to it any more.
  case closed
}

/// What `Room.apply` gives back.
package struct Effects: Hashable, Sendable {
  /// The answer to the input.
  package enum Answer: Hashable, Sendable {
    /// To a tick.
    case none
    case ok
    case joined(Place)
    case refused(Refusal)

    package var isRefusal: Bool { if case .refused = self { true } else { false } }
  }

  package var answer = Answer.none
  /// In the order in which they came about.
  package var outputs: [Effect] = []
  /// Filled by `Input.tick`; empty after every other input.
  package var tick = Tick()

  package init() {}

  /// Empties everything and keeps the room that it takes.
  package mutating func reset() {
    answer = .none
    outputs.removeAll(keepingCapacity: true)
    tick.reset()
  }
}
