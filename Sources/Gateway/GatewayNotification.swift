// The gateway's notifications to the server's operator while it runs. Values.
import Game
import Net
import Store

package enum GatewayNotification: Sendable, Equatable {
  // The store.

  /// Nothing can be committed; durable commands are refused. The text gives the reason.
  case storeFails(String)
  case storeWorks
  /// The store's maintenance fails, which folds journals and deletes old data. The text gives the reason.
  case maintenanceFails(String)
  /// A segment of journals can't be read and was set aside: its records are lost.
  case segmentLost(DamagedSegment)
  /// The data folder has come near its bound, or near the end of the disk: used bytes, and their bound.
  case dataNearBound(usedBytes: Int, bytesMax: Int)

  // The clock.

  /// At the start the machine's clock was far from the last commit. Nothing expires until it is accepted; repeated each
  /// hour.
  case clockSuspect(ClockSuspicion)
  /// An operator has accepted the clock, and things expire again.
  case clockAccepted
  /// The record of the clock can't be read or written, which is retried; repeated each hour. The text gives the file
  /// and the reason. Nothing expires until it has been read once.
  case clockRecordFails(String, nothingExpires: Bool)
  /// The record of the clock has been read and written again.
  case clockRecordWorks

  // Load.

  /// A shard has more to do than it can: its timers come late, and it gets nothing new.
  case shardOverloaded(Int)
  /// The shard keeps up again.
  case shardRecovered(Int)

  // Connections.

  /// A player's connection is gone; the code is its close code, nil where neither side gave one.
  case sessionEnded(PlayerID, closeCode: UInt16?)
  /// The newcomers refused since the last report, over a limit or for want of descriptors.
  case newcomersRefused(Int)
  /// A peer on this machine speaks for others like a proxy, but is not configured as trusted.
  case undeclaredProxy(IPAddress)
  /// A client's message has a field that the schema does not have. The text names it, where it is readable.
  case unknownField(String)
}
