// The rules of a simulated run, by name, and the error for a broken one. Values.
import ClientModel

/// A rule that the server must keep, for any network and any players.
package enum Rule: String, Sendable {
  case eventsInOrder = "events are numbered by one upwards, without gaps or repeats"
  case eventsAreTheRooms = "an event that a player is told is that of their room"
  case oneMeaning = "an event's number never has another meaning, over crashes too"
  case writtenFirst = "nobody is told what is not in the store"
  case writtenAsRaised = "the store has the events that were raised, each once"
  case journalsWhole = "what is written of a room can be read and played again"
  case statesBounded = "states in journals keep within their bounds"
  case budgetsHold = "nobody is let use more than the budgets have"
  case recoversAll = "what is in the store comes back after a crash, and nothing else"
  case roomsKept = "no room is lost that somebody is in"
  case clocksStandStill = "clocks stand still while the server is down"
  case resultsKept = "a game's result is stored once, and is what its journal comes to"
  case positionsGoOn = "positions are taken whatever the store does"
  case promisesOnly = "a store that works is not said to be unavailable"
  case accountsKept = "what is acknowledged of an account lasts"
  case tapsKept = "acknowledged taps count once, and nothing else counts"
  case sameAnswer = "a batch that is sent again is answered as before"
  case rankingsHold = "a ranking is in order, and no count in it ever falls"
  case rankingsConverge = "who watches the ranking comes to know the newest"
  case ticksInOrder = "each tick is later than the one before"
  case chatsKept = "an acknowledged chat is in its room's history, once"
  case chatsRefused = "a refused chat is in no room's history"
  case copiesConverge = "who is connected and has taken everything knows the server's state"
  case oneAnswer = "each request has exactly one answer, of its kind"
  case onlyOwn = "nobody is told what is not for them"
  case placesHeld = "a lost connection's place is held for 30 s"
  case sessionsKept = "a session is its player's until a newer one"
  case endsAreTold = "the server ends no connection without a reason"
  case queuesBounded = "what waits for a peer keeps within its bound"
  case censusIsTrue = "rooms and players are as many as are counted"
  case comesToRest = "the server comes to rest between two moments"
  case sanctionsHold = "who is banned is not let in, and who is muted does not chat"
  case auditKept = "what operators have done is in the audit log, once, and nothing else"
  case settles = "when the faults stop, everything settles"
  case nothingLeft = "when everybody has gone, nothing is left of them"
  case sameAgain = "one seed gives one run"
}

/// A rule that was broken.
package struct BrokenRule: Error, CustomStringConvertible {
  package let rule: Rule
  package let detail: String

  package var description: String { "\(rule.rawValue): \(detail)" }

  /// Throws unless a rule holds.
  static func unless(_ holds: Bool, _ rule: Rule, _ detail: @autoclosure () -> String) throws(BrokenRule) {
    if !holds { throw BrokenRule(rule: rule, detail: detail()) }
  }

  /// Keeps a player's copy of a room; a message that does not fit it has broken a rule.
  static func keeping<Result>(_ keep: () throws(RoomCopy.Fault) -> Result) throws(BrokenRule) -> Result {
    do throws(RoomCopy.Fault) {
      return try keep()
    } catch {
      let rule: Rule =
        switch error.rule {
        case .ticksInOrder: .ticksInOrder
        case .eventsInOrder: .eventsInOrder
        case .copiesConverge: .copiesConverge
        }
      throw BrokenRule(rule: rule, detail: error.description)
    }
  }
}
