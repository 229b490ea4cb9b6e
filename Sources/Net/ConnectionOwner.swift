// What a connection asks of the shard that owns it, beside what `ShardResources` lends.
//
// Called on the shard's thread, never on the way of a message.

protocol ConnectionOwner: AnyObject {
  /// Frees the slot of a connection that leaves.
  func vacate(_ token: UInt64)

  /// More waits in the process than may: the greediest connections are to be closed.
  func shedUnsentLater()
}
