// What a client's connection keeps until messages flow: what it asks for, and what has come of the answer.
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
