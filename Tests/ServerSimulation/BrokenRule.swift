// The rules of a simulated run, by name, and the error for a broken one. Values.
import ClientModel

/// A rule that the server must keep, for any network and any players.
package enum Rule: String, Sendable {
  case eventsInOrder = "events are numbered consecutively, without gaps or repeats"
  case eventsAreTheRooms = "an event that a player receives is one of the player's room"
  case oneMeaning = "an event number is never reused, even over crashes"
  case writtenFirst = "no event is sent before it is persisted"
  case writtenAsRaised = "every raised event is persisted once"
  case journalsWhole = "a persisted journal can be read and replayed"
  case statesBounded = "states in journals are bounded"
  case budgetsHold = "no budget is exceeded"
  case recoversAll = "a restart restores exactly the persisted state"
  case roomsKept = "no room with members is lost"
  case clocksStandStill = "game clocks stop while the server is down"
  case resultsKept = "a game's result is stored once, and equals its journal's replay"
  case positionsGoOn = "positions are accepted whatever the state of the store"
  case promisesOnly = "a working store is never reported as unavailable"
  case accountsKept = "acknowledged changes of an account are persisted"
  case tapsKept = "acknowledged taps count exactly once, and no others count"
  case sameAnswer = "a repeated batch gets the same answer"
  case rankingsHold = "a ranking is sorted, and its counts never decrease"
  case rankingsConverge = "every watcher finally has the newest ranking"
  case ticksInOrder = "ticks arrive in order"
  case chatsKept = "an acknowledged chat is in its room's history exactly once"
  case chatsRefused = "a refused chat is in no room's history"
  case copiesConverge = "a client that has received everything has the server's state"
  case oneAnswer = "each request gets exactly one answer of its kind"
  case onlyOwn = "a player receives only the player's own messages"
  case placesHeld = "a disconnected player's place is held for 30 s"
  case entryHolds = "nobody comes into a locked room, and no kicked player comes back"
  case sessionsKept = "a session belongs to its player until a newer one begins"
  case closesHaveReasons = "the server gives a reason for every close"
  case queuesBounded = "send queues are bounded"
  case censusIsTrue = "the counts of rooms and players are correct"
  case comesToRest = "the server becomes idle between two moments"
  case sanctionsHold = "a banned player is refused, and a muted player's chats are refused"
  case auditKept = "every operator's action is in the audit log exactly once"
  case capsulesKept = "acknowledged capsules are persisted as last edited, and no others"
  case capsulesPrivate = "a capsule reaches its owner and those it is shared with alone"
  case openedNearby = "a capsule opens within 100 m of a sent fix of the last 30 s"
  case openingsCounted = "an open count is the number of players who have opened it, the owner apart"
  case openablesNear = "a capsule that can be opened is near the player"
  case fencesAlternate = "a fence is entered and left in turn, and dwelled in once"
  case fencesTrue = "a change of a fence is that of a sent fix"
  case fencesConverge = "who stands still is told what they are in, and what they can open"
  case postsKept = "acknowledged posts and comments are persisted as last edited, and no others"
  case countedOnce = "a player's like, view and comment count once"
  case authorsAlone = "a post is changed by its author alone, who does not like it"
  case newsConverge = "who watches a post or feed finally knows what the store has"
  case toldWhenWritten = "a player is told of a fence when the backend's event of it is persisted"
  case webhooksTrue = "a backend receives persisted events, as they are"
  case webhooksInOrder = "a backend receives events in their order, one request at a time"
  case webhooksKept = "a backend receives every persisted event"
  case suspectsGetNothing = "a suspect player enters nothing and opens nothing"
  case oneHome = "a room is on one shard, the one that the directory names"
  case quiesces = "after the faults stop, the system becomes quiescent"
  case nothingLeft = "no state remains after all players have left"
  case sameAgain = "equal seeds give equal runs"
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
