// The player of a session, as stored when the session began, updated with the player's own changes since. A value.
import Game
import Store

package struct Identity: Sendable {
  package let player: PlayerID
  /// The player's own choice; a room may show a number behind it.
  package var nickname: String
  /// Whether the player has an account.
  package var isAccount: Bool
  /// The digest of the session's token.
  package let session: [UInt8]

  package init(_ player: PlayerRow) {
    self.player = player.id
    nickname = player.nickname
    isAccount = player.email != nil
    session = player.session
  }
}
