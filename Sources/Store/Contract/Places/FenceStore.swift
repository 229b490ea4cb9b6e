// The fences of operators. Part of the contract. They are written by `ImportChange`; the start reads them.
import Game

/// Operators' fences.
package protocol FenceStore: Sendable {
  /// Hands over every fence, by identifier. A `StoreFailure` of `body` ends the call as it is, any other error as
  /// `.other`. Blocks.
  func fences(_ body: (StoredFence) throws -> Void) throws(StoreFailure)
}
