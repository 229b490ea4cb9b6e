// The journals' bytes of requests about rooms, charged to their senders.
//
// Part of `Rooms`, on the shard's queue.
import Gateway

extension Rooms {
  /// The share of headers and row changes that a request takes in a journal beside its own bytes.
  private static let requestOverheadBytes: Int64 = 64
  /// The size of a room's rows in the store, and of a game's with its results; bytes.
  static let roomRowBytes: Int64 = 512
  static let gameRowBytes: Int64 = 1_024

  /// Charges the bytes that `action` adds to a room's journal.
  func charging<Result>(_ session: Session, for live: LiveRoom, _ action: () -> Result) -> Result {
    let before = live.gatheredBytes
    let result = action()
    let addedBytes = Int64(max(0, live.gatheredBytes - before))
    gateway.chargeJournal(of: session, bytes: addedBytes + Self.requestOverheadBytes)
    return result
  }
}
