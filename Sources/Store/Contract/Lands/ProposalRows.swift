// The stored rows of proposals of lands. Plain values, the same for every back end.
import Game

/// A land that a player has proposed.
package struct LandProposal: Hashable, Sendable {
  /// What became of it.
  package enum State: Hashable, Sendable {
    case waiting
    /// It is a land now, perhaps one that was there before.
    case accepted(LandID, at: Instant)
    /// With the operator's reason, for the player.
    case declined(reason: String, at: Instant)
  }

  package var id: ProposalID
  package var player: PlayerID
  /// The game in which the player walked around it.
  package var game: GameID
  package var name: String
  /// The corners of the ring; the last repeats the first.
  package var ring: [Coordinate]
  /// The length of the land's border, once around.
  package var lengthMm: Int64
  package var proposedAt: Instant
  package var state: State

  package init(
    id: ProposalID,
    player: PlayerID,
    game: GameID,
    name: String,
    ring: [Coordinate],
    lengthMm: Int64,
    proposedAt: Instant,
    state: State = .waiting
  ) {
    self.id = id
    self.player = player
    self.game = game
    self.name = name
    self.ring = ring
    self.lengthMm = lengthMm
    self.proposedAt = proposedAt
    self.state = state
  }

  /// The proposals that wait of one player, at most.
  package static let waitingMaxOfPlayer = 5
  /// All proposals that wait, at most.
  package static let waitingMax = 1_000
  /// The time for which a decided proposal is kept, for its player to see.
  package static let decidedRetention = Duration.seconds(90 * 86_400)
  /// The operator's reason for declining, at most.
  package static let reasonCharactersMax = 200
  package static let reasonBytesMax = 3_200

  /// The shape in a few vertices, as a picture has it; the last is followed by the first.
  package func outline(verticesMax: Int) -> [Coordinate] {
    let land = Land(id: LandID(0), name: name, vertices: ContiguousArray(ring.dropLast()))
    return land.outline(toleranceMm: lengthMm / 2_048, verticesMax: verticesMax)
  }

  /// Checks a reason by the rules of a chat: 1 to 200 characters, not only white space, no control characters.
  package static func check(reason: String) throws(TextFault) {
    try TextFault.check(reason, charactersMax: reasonCharactersMax, bytesMax: reasonBytesMax)
  }
}

/// A proposal with its player's nickname, as operators see it.
package struct ProposalRow: Hashable, Sendable {
  package var proposal: LandProposal
  package var nickname: String

  package init(_ proposal: LandProposal, nickname: String) {
    self.proposal = proposal
    self.nickname = nickname
  }
}

/// A place in the list of a player's proposals, newest first.
package struct ProposalCursor: Hashable, Sendable {
  package var proposedAt: Instant
  package var id: ProposalID

  package init(proposedAt: Instant, id: ProposalID) {
    self.proposedAt = proposedAt
    self.id = id
  }

  /// The place of a row; the next page begins behind it.
  package init(of row: LandProposal) {
    self.init(proposedAt: row.proposedAt, id: row.id)
  }
}
