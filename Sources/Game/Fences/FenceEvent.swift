// The event of a player at a fence. A plain value.

/// A player has entered or left a fence, or dwells in it.
package struct FenceEvent: Hashable, Sendable {
  package enum Kind: Int, Hashable, Sendable, CaseIterable {
    case entered
    case left
    case dwelled

    /// The name in all output.
    package var name: String {
      switch self {
      case .entered: "ENTERED"
      case .left: "LEFT"
      case .dwelled: "DWELLED"
      }
    }
  }

  package var kind: Kind
  package var fence: FenceID
  /// The time of the fix that decided, or at which the fence closed or the dwelling was complete.
  package var at: Instant

  package init(_ kind: Kind, _ fence: FenceID, at: Instant) {
    self.kind = kind
    self.fence = fence
    self.at = at
  }
}
