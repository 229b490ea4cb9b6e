// Sanctions of players and the audit log of operators. Plain values, the same for every back end.
import Game

package enum SanctionKind: String, Hashable, Sendable, CaseIterable {
  /// The player can't log in by any way.
  case ban
  /// The player's chats are refused.
  case mute
}

/// A sanction of a player, of each kind at most one at a time.
package struct Sanction: Hashable, Sendable {
  package var player: PlayerID
  package var kind: SanctionKind
  package var since: Instant
  /// The end, from which on it is not in force; nil until it is lifted.
  package var until: Instant?
  /// The operator's words; may be empty.
  package var reason: String
  /// The part of a ban that holds for new guests of the player's network; nil without one, and for a mute.
  package var addressBan: AddressBan?

  package init(
    player: PlayerID,
    kind: SanctionKind,
    since: Instant,
    until: Instant?,
    reason: String,
    addressBan: AddressBan? = nil
  ) {
    precondition(addressBan == nil || kind == .ban, "a mute has no part for an address")
    self.player = player
    self.kind = kind
    self.since = since
    self.until = until
    self.reason = reason
    self.addressBan = addressBan
  }
}

/// A ban of the guests who are made at a network while it is in force, which is at most `spanMax`. Nobody else who
/// comes from there notices it.
package struct AddressBan: Hashable, Sendable {
  /// An address is a household's or a school's, and may be another's tomorrow.
  package static let spanMax = Duration.seconds(86_400)
  package static let networkByteCount = 32

  /// The keyed digest of the network.
  package var network: [UInt8]
  /// The only room that it holds for; nil for the whole server.
  package var room: RoomID?
  /// The end, from which on it is not in force.
  package var until: Instant

  package init(network: [UInt8], room: RoomID?, until: Instant) {
    precondition(network.count == Self.networkByteCount, "the digest of a network has 32 bytes")
    self.network = network
    self.room = room
    self.until = until
  }
}

/// A room that a guest may not enter, because new guests of their network may not.
package struct BarredRoom: Hashable, Sendable {
  package var room: RoomID
  package var until: Instant

  package init(room: RoomID, until: Instant) {
    self.room = room
    self.until = until
  }
}

/// A player's mute, as long as it is in force.
package struct Mute: Hashable, Sendable {
  /// The end; nil until it is lifted.
  package var until: Instant?

  package init(until: Instant?) {
    self.until = until
  }

  package func isInForce(at now: Instant) -> Bool { until.map { now < $0 } ?? true }
}

/// A sanction in force, as an operator sees it.
package struct SanctionRow: Hashable, Sendable {
  package var player: PlayerID
  package var nickname: String?
  package var kind: SanctionKind
  package var since: Instant
  package var until: Instant?
  package var reason: String
  package var addressBan: AddressBan?

  package init(_ sanction: Sanction, nickname: String?) {
    player = sanction.player
    self.nickname = nickname
    kind = sanction.kind
    since = sanction.since
    until = sanction.until
    reason = sanction.reason
    addressBan = sanction.addressBan
  }
}

/// An action of an operator. It names players by their identifiers alone, which stay after a deletion.
package struct AuditEntry: Hashable, Sendable {
  package var at: Instant
  /// The operator's network address.
  package var address: String
  /// The operator's or the token's name; empty in rows of before there were names, and for commands.
  package var `operator`: String
  /// The action, in one word.
  package var action: String
  /// The player concerned, if it is one player.
  package var player: PlayerID?
  /// The room concerned, or the room that the player was in.
  package var room: RoomID?
  /// The room's code, as players see it; nil without a room, and in older rows.
  package var code: String?
  /// Further details; may be empty.
  package var detail: String
  /// The operator's words on why; may be empty. In older rows it stands behind the details.
  package var reason: String

  package init(
    at: Instant,
    address: String,
    `operator`: String = "",
    action: String,
    player: PlayerID? = nil,
    room: RoomID? = nil,
    code: String? = nil,
    detail: String = "",
    reason: String = ""
  ) {
    self.at = at
    self.address = address
    self.operator = `operator`
    self.action = action
    self.player = player
    self.room = room
    self.code = code
    self.detail = detail
    self.reason = reason
  }
}

/// An entry of the audit log, as it is read.
package struct AuditRow: Hashable, Sendable {
  /// The number from 1 upwards without gaps, in the order of the actions.
  package var number: Int64
  package var entry: AuditEntry
  /// The player's nickname now; nil for a deleted player and for no player.
  package var nickname: String?

  package init(_ entry: AuditEntry, number: Int64, nickname: String?) {
    self.number = number
    self.entry = entry
    self.nickname = nickname
  }
}

extension AuditRow {
  package var at: Instant { entry.at }
  package var address: String { entry.address }
  package var action: String { entry.action }
  package var player: PlayerID? { entry.player }
  package var room: RoomID? { entry.room }
  package var detail: String { entry.detail }
}
