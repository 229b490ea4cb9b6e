// The requests of a connection to the shard that owns it, beside the resources in `ShardResources`.
//
// Called on the shard's queue, never on a message's path.

protocol ConnectionOwner: AnyObject {
  /// Frees the slot of a connection that leaves.
  func vacate(_ token: UInt64)

  /// The unsent bytes of the process exceed the limit: the greediest connections are to be closed.
  func shedUnsentLater()
}
