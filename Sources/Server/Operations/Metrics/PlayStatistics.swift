// Counts of one shard since it began, by feature. A value; others get copies.
import Gateway

package struct PlayStatistics: Sendable {
  package var gateway = GatewayStatistics()
  package var rooms = RoomStatistics()
  var accounts = AccountStatistics()
  package var taps = TapStatistics()

  package static func + (left: Self, right: Self) -> Self {
    PlayStatistics(
      gateway: left.gateway + right.gateway,
      rooms: left.rooms + right.rooms,
      accounts: left.accounts + right.accounts,
      taps: left.taps + right.taps
    )
  }
}
