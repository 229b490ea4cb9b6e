// What the server tells its operator while it runs.
//
// Values. They name players, rooms and games by their identifiers: never a token, a password, a text or a position.
import Game
import Net
import Store

package enum OperatorNews: Sendable, Equatable {
  // The store.

  /// Nothing can be committed; durable commands are refused. The text says why.
  case storeFails(String)
  case storeWorks
  /// The store's care fails, by which journals are folded and what is old is forgotten. The text says why.
  case careFails(String)
  /// A segment of journals can't be read and was set aside: what rooms did in it is lost.
  case segmentLost(DamagedSegment)

  // The clock.

  /// At the start the machine's clock was far from the last commit. Nothing expires until it is accepted; told each hour.
  case clockSuspect(ClockSuspicion)
  /// An operator has accepted the clock, and things expire again.
  case clockAccepted
  /// What is remembered of the clock can't be read or written, which is tried again; told each hour. The text says which
  /// file and why. Until it has been read once nothing expires.
  case clockRecordFails(String, nothingExpires: Bool)
  /// What is remembered of the clock has been read and written again.
  case clockRecordWorks

  /// The data folder has come near its bound, or near the end of the disk: so many bytes of so many.
  case dataNearBound(usedBytes: Int, bytesMax: Int)

  // Rooms.

  case roomOpened(RoomID, Mode, isSolo: Bool)
  case roomClosed(RoomID)
  case gameBegan(GameID, players: Int)
  case gameEnded(GameID, players: Int, after: Duration)

  // Players.

  /// A player's connection has its session: a new one, or one that was resumed.
  case sessionBegan(PlayerID)
  /// The connection is gone; the code is what it was closed with, nil where nobody said one.
  case sessionEnded(PlayerID, closeCode: UInt16?)
  /// A connection was closed for tokens that are no session's.
  case tokensRefused(from: IPAddress)
  /// Who it was is forgotten.
  case playerDeleted

  /// An operator has done something through the server.
  case operatorActed(OperatorDeed)

  // School taps.

  case seasonClosed(UInt32)
  case tapsVoided(of: PlayerID, count: Int64)

  // Connections.

  /// So many newcomers were turned away since the last time, over a limit or for want of descriptors.
  case newcomersRefused(Int)
  /// A peer on this machine speaks for others like a proxy, and nobody has said that it is trusted.
  case untoldProxy(IPAddress)
}

/// What an operator has done through the server, but for what is done to the contest.
package enum OperatorDeed: Sendable, Equatable {
  case kicked(PlayerID)
  /// Until it is lifted where there is no duration.
  case banned(PlayerID, for: Duration?)
  case unbanned(PlayerID)
  case muted(PlayerID, for: Duration?)
  case unmuted(PlayerID)
  case closed(RoomID)
  /// To everybody where there is no room.
  case announced(in: RoomID?)
  /// The server is to end in good order.
  case askedToEnd
}
