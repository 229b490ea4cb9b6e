// What operators keep from players, and what they have done. Plain values, the same for every back end.
import Game

package enum SanctionKind: String, Hashable, Sendable, CaseIterable {
  /// Nothing lets the player in.
  case ban
  /// The player's chats are refused.
  case mute
}

/// What is kept from a player, of each kind at most once at a time.
package struct Sanction: Hashable, Sendable {
  package var player: PlayerID
  package var kind: SanctionKind
  package var since: Instant
  /// Not in force from then on; nil until it is lifted.
  package var until: Instant?
  /// The operator's words; empty where there are none.
  package var reason: String

  package init(player: PlayerID, kind: SanctionKind, since: Instant, until: Instant?, reason: String) {
    self.player = player
    self.kind = kind
    self.since = since
    self.until = until
    self.reason = reason
  }
}

/// A player's mute, as long as it is in force.
package struct Mute: Hashable, Sendable {
  /// When it ends; nil until it is lifted.
  package var until: Instant?

  package init(until: Instant?) {
    self.until = until
  }

  package func isInForce(at now: Instant) -> Bool { until.map { now < $0 } ?? true }
}

/// A sanction in force, as an operator is told of it.
package struct SanctionRow: Hashable, Sendable {
  package var player: PlayerID
  package var nickname: String?
  package var kind: SanctionKind
  package var since: Instant
  package var until: Instant?
  package var reason: String

  package init(_ sanction: Sanction, nickname: String?) {
    player = sanction.player
    self.nickname = nickname
    kind = sanction.kind
    since = sanction.since
    until = sanction.until
    reason = sanction.reason
  }
}

/// Something that an operator has done. Players are in it by their identifiers alone, which outlast them.
package struct AuditEntry: Hashable, Sendable {
  package var at: Instant
  /// Where the operator was.
  package var address: String
  /// What was done, in one word.
  package var action: String
  /// To whom, where it was done to one player.
  package var player: PlayerID?
  /// To which room, or in which the player was.
  package var room: RoomID?
  /// What else there is to say of it; may be empty.
  package var detail: String

  package init(
    at: Instant,
    address: String,
    action: String,
    player: PlayerID? = nil,
    room: RoomID? = nil,
    detail: String = ""
  ) {
    self.at = at
    self.address = address
    self.action = action
    self.player = player
    self.room = room
    self.detail = detail
  }
}

/// An entry of the audit log, as it is read.
package struct AuditRow: Hashable, Sendable {
  /// From 1 upwards without gaps, in the order in which things were done.
  package var number: Int64
  package var at: Instant
  package var address: String
  package var action: String
  package var player: PlayerID?
  package var room: RoomID?
  package var detail: String
  /// What the player is called now; nil for who is deleted, and where there is none.
  package var nickname: String?

  package init(_ entry: AuditEntry, number: Int64, nickname: String?) {
    self.number = number
    at = entry.at
    address = entry.address
    action = entry.action
    player = entry.player
    room = entry.room
    detail = entry.detail
    self.nickname = nickname
  }
}
