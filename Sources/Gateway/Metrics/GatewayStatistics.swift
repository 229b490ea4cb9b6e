// Counts of one shard's gateway since it began. A value; others get copies.

package struct GatewayStatistics: Sendable {
  /// The opened WebSockets, and the closed ones by close code.
  package internal(set) var opened = 0
  package internal(set) var closed: [UInt16: Int] = [:]

  package init() {}

  /// The code of an end without a code.
  package static let noCloseCode: UInt16 = 0

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.opened += right.opened
    sum.closed = left.closed + right.closed
    return sum
  }
}
