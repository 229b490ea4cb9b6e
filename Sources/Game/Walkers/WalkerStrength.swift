// The strengths of practice opponents. A plain value; the raw value is the strength's permanently, in journals too.

/// The strength of a room's practice opponents; lists have this order.
package enum WalkerStrength: Int, Hashable, Sendable, CaseIterable {
  /// Slower than a person who strolls.
  case easy
  /// As fast as a person who walks.
  case even
  /// As fast as a person who hurries.
  case hard

  /// The name on the wire and in all output.
  package var name: String {
    switch self {
    case .easy: "EASY"
    case .even: "EVEN"
    case .hard: "HARD"
    }
  }

  /// The speed, in a room where the greatest speed allows it.
  var paceMmPerS: Int64 {
    switch self {
    case .easy: 900
    case .even: 1_400
    case .hard: 2_000
    }
  }
}
