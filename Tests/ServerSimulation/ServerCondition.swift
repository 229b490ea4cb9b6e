// Whether the server of a run is there. A value.
import Net

/// The condition of the server.
enum ServerCondition: Equatable {
  case serving
  /// Clients have been notified of the end. The rest is written when they have gone.
  case draining
  case down(until: Timestamp)
}
