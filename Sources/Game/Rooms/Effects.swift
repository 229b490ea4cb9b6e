// The effects of an input, as data that the server acts on. One value is reused from input to input, so that a warm
// room answers a move without an allocation. The room performs no effect and never learns whether the server did.

/// The reason why a room refuses an input.
package enum Refusal: Hashable, Sendable {
  /// The lobby has no free seat, or the room no free place to watch.
  case roomFull
  /// A game is on or its result is shown, and late comers may not watch.
  case gameOn
  /// The room takes no spectators, and the player came to watch.
  case noSpectators
  /// Only the host may do this in this room.
  case hostOnly
  /// Fewer seats are taken than a game needs.
  case tooFewPlayers
  case wrongPhase
  /// The input is not for spectators.
  case seatNeeded
  /// A chat text or nickname is invalid; the text is the reason, in English.
  case badText(String)
  case chatTooOften(retryAfter: Duration)
  /// A read cursor beyond the newest event.
  case upToOutOfRange
  /// The player has no run to give up.
  case noRun
  /// The place is empty, or held and its player must come back first.
  case notInRoom
  /// The joining player is here and connected.
  case alreadyInRoom
  /// The room ended for good before the input reached it.
  case closed
  /// The joining player is barred from the room.
  case barred
  /// The host has closed the room for newcomers.
  case locked
  /// The host's act names a player who is not in the room.
  case noSuchMember
  /// The host's act names the host.
  case oneself
}

/// A task for the server besides the answer. Notifications for all members are events of the next tick, never effects.
package enum Effect: Hashable, Sendable {
  /// Notifies this player of a verdict on a fix and whether they are suspect now; without a verdict, that they are
  /// suspect no longer.
  case verdict(Place, FixVerdict?, suspect: Bool)
  /// Notifies this player of a change of their path.
  case path(Place, PathChange)
  /// Notifies this player of a change of their run.
  case run(Place, RunProgress)
  /// A solo run has captured its land; the record must be stored.
  case landRun(LandRunResult, at: Instant)
  /// Someone took a place, or changed it from a spectator's to a seat.
  case placed(PlayerID, Place)
  /// A player is no longer in the room: they left, or their hold expired.
  case removed(PlayerID, Place)
  /// A game is over; its result must be stored.
  case gameEnded(GameResult)
  /// The room has closed for good, with everyone still in it; no input may be applied to it any more.
  case closed
}

/// The result of `Room.apply`.
package struct Effects: Hashable, Sendable {
  /// The answer to the input.
  package enum Answer: Hashable, Sendable {
    /// The answer to a tick.
    case none
    case ok
    /// The answer to a fix during a game.
    case judged(FixVerdict)
    case joined(Place)
    case refused(Refusal)

    package var isRefusal: Bool { if case .refused = self { true } else { false } }
  }

  package var answer = Answer.none
  /// The effects in the order of their causes.
  package var outputs: [Effect] = []
  /// The verdicts on the fixes of `Input.moves`, in their order; empty after every other input.
  package var verdicts: [FixVerdict] = []
  /// Filled by `Input.tick`; empty after every other input.
  package var tick = Tick()

  package init() {}

  /// Empties everything and keeps the capacity.
  package mutating func reset() {
    answer = .none
    if !verdicts.isEmpty { verdicts.removeAll(keepingCapacity: true) }
    if !outputs.isEmpty { outputs.removeAll(keepingCapacity: true) }
    tick.reset()
  }
}
