// Counts of one shard's gateway since it began. A value; others get copies.

package struct GatewayStatistics: Sendable {
  /// WebSockets that were opened, and closed by their codes.
  package internal(set) var opened = 0
  package internal(set) var closed: [UInt16: Int] = [:]

  package init() {}

  /// Stands for an end without a code.
  package static let noCloseCode: UInt16 = 0

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.opened += right.opened
    sum.closed = left.closed + right.closed
    return sum
  }
}
