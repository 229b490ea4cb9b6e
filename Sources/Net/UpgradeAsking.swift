// The state of a client's connection until messages flow: its request, and the received part of the answer.
//
// Owned by one connection.
import WebSocket

package final class UpgradeAsking {
  let request: UpgradeRequest
  private var bytes = HeadBytes()
  private var parser = ResponseHeadParser(limits: HeadLimits())

  package init(_ request: UpgradeRequest) {
    self.request = request
  }

  /// The answer; nil when it has not come whole.
  func next(
    in piece: UnsafeMutableRawBufferPointer,
    _ offset: inout Int
  ) throws(UpgradeFailure) -> ResponseHead? {
    try bytes.gather(piece, &offset) { (all) throws(UpgradeFailure) in try parser.parse(all) }
  }
}
