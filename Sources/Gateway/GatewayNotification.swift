// What the gateway tells the server's operator while it runs. Values.
import Game
import Net
import Store

package enum GatewayNotification: Sendable, Equatable {
  // The store.

  /// Nothing can be committed; durable commands are refused. The text says why.
  case storeFails(String)
  case storeWorks
  /// The store's maintenance fails, which folds journals and deletes what is old. The text says why.
  case maintenanceFails(String)
  /// A segment of journals can't be read and was set aside: what rooms did in it is lost.
  case segmentLost(DamagedSegment)
  /// The data folder has come near its bound, or near the end of the disk: so many bytes of so many.
  case dataNearBound(usedBytes: Int, bytesMax: Int)

  // The clock.

  /// At the start the machine's clock was far from the last commit. Nothing expires until it is accepted; told each hour.
  case clockSuspect(ClockSuspicion)
  /// An operator has accepted the clock, and things expire again.
  case clockAccepted
  /// The record of the clock can't be read or written, which is tried again; told each hour. The text says which file and
  /// why. Until it has been read once nothing expires.
  case clockRecordFails(String, nothingExpires: Bool)
  /// The record of the clock has been read and written again.
  case clockRecordWorks

  // Connections.

  /// A player's connection is gone; the code is what it was closed with, nil where nobody said one.
  case sessionEnded(PlayerID, closeCode: UInt16?)
  /// So many newcomers were turned away since the last time, over a limit or for want of descriptors.
  case newcomersRefused(Int)
  /// A peer on this machine speaks for others like a proxy, and nobody has said that it is trusted.
  case untoldProxy(IPAddress)
}
