// The progress of a server's end on one shard. A value.
import Net

struct DrainState {
  /// The latest end of the server; nil while it is not ending.
  var until: Timestamp?
  /// On the shard that checks whether all have drained: the waiting callers, and the number of checks that must still
  /// confirm it.
  var completions: [@Sendable () -> Void] = []
  var checksLeft = 0
}
