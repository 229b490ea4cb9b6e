// The counters of a shard's work since it began.
//
// Owned by one shard; others get copies by `post`. Only ever added to.

package struct ShardCounters: Sendable, Equatable {
  package var turns = 0
  /// The calls by Dispatch: the times that the shard began to work after a rest.
  package var calls = 0
  /// System calls that read and that sent.
  package var reads = 0
  package var sends = 0
  /// Arrivals that waited for the read of their connection's group (`ReadGroup`).
  package var arrivalsDeferred = 0
  package var bytesIn = 0
  package var bytesOut = 0
  /// The bytes that waited on connections that have ended.
  package var bytesDropped = 0
  package var messagesIn = 0
  /// Frames that left at once, most of them with ticks.
  package var deliveries = 0
  package var pingsAnswered = 0
  package var connectionsAccepted = 0
  /// Newcomers over the limit of all connections, over the limit of their address, and without a descriptor.
  package var connectionsOverLimit = 0
  package var connectionsOverAddressLimit = 0
  package var connectionsWithoutDescriptor = 0
  /// Connections closed because too many bytes waited in the whole process.
  package var connectionsShed = 0
  package var connectionsAdopted = 0
  package var connectionsClosed = 0

  package init() {}

  package var connectionsRefused: Int {
    connectionsOverLimit + connectionsOverAddressLimit + connectionsWithoutDescriptor
  }

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.turns += right.turns
    sum.calls += right.calls
    sum.reads += right.reads
    sum.sends += right.sends
    sum.arrivalsDeferred += right.arrivalsDeferred
    sum.bytesIn += right.bytesIn
    sum.bytesOut += right.bytesOut
    sum.bytesDropped += right.bytesDropped
    sum.messagesIn += right.messagesIn
    sum.deliveries += right.deliveries
    sum.pingsAnswered += right.pingsAnswered
    sum.connectionsAccepted += right.connectionsAccepted
    sum.connectionsOverLimit += right.connectionsOverLimit
    sum.connectionsOverAddressLimit += right.connectionsOverAddressLimit
    sum.connectionsWithoutDescriptor += right.connectionsWithoutDescriptor
    sum.connectionsShed += right.connectionsShed
    sum.connectionsAdopted += right.connectionsAdopted
    sum.connectionsClosed += right.connectionsClosed
    return sum
  }
}
