// The progress of a server's end on one shard. A value.
import Net

struct DrainState {
  /// Set while the server is ending: when it ends at the latest.
  var until: Timestamp?
  /// On the shard that looks whether all have drained: the callers who wait, and the number of looks that must still find it
  /// so.
  var completions: [@Sendable () -> Void] = []
  var looksToGo = 0
}
