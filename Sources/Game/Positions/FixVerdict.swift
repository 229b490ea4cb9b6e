// The verdicts on a fix. Plain values, the same words on the wire, in metrics and in all output.

/// The verdict on a fix.
package enum FixVerdict: Int, Hashable, Sendable, CaseIterable {
  /// The player's new position.
  case accepted
  /// Its time is not after that of the newest judged fix: it was judged before. Nothing happens.
  case repeated
  /// Too far from where the player was: a jump of the receiver, unless later fixes confirm it.
  case setAside
  /// Its accuracy is unknown or worse than 50 m.
  case inaccurate
  /// More than ten a second, by the fixes' own times.
  case tooOften
  /// Its time is not within the running game.
  case outsideGame
  /// It has the time of the newest judged fix, at another place.
  case notAfterLast
  /// Its time is more than 2 s ahead of the server.
  case tooFarAhead
  /// Its time is further behind the server than the room allows.
  case tooOld
  /// Not on Earth, or beyond ±85°.
  case offTheMap
  case mocked
  /// The player has been faster than the room's limit for 10 s or more.
  case tooFast
  /// The player jumps back and forth, more often than receivers do.
  case jumping

  /// The name on the wire and in all output.
  package var name: String {
    switch self {
    case .accepted: "ACCEPTED"
    case .repeated: "REPEATED"
    case .setAside: "SET_ASIDE"
    case .inaccurate: "INACCURATE"
    case .tooOften: "TOO_OFTEN"
    case .outsideGame: "OUTSIDE_GAME"
    case .notAfterLast: "NOT_AFTER_LAST"
    case .tooFarAhead: "TOO_FAR_AHEAD"
    case .tooOld: "TOO_OLD"
    case .offTheMap: "OFF_THE_MAP"
    case .mocked: "MOCKED"
    case .tooFast: "TOO_FAST"
    case .jumping: "JUMPING"
    }
  }

  /// Whether the player is notified of it without having asked.
  package var isNotified: Bool {
    switch self {
    case .accepted, .repeated, .setAside, .inaccurate, .tooOften, .outsideGame: false
    case .notAfterLast, .tooFarAhead, .tooOld, .offTheMap, .mocked, .tooFast, .jumping: true
    }
  }
}
