// The fixes that a phone keeps until the server has judged them, as PROTOCOL.md has it in "What an app keeps".
//
// A value of one phone. It is on the phone's disk with the session's token: an app that is killed finds both again.
import MadangProtocol

package struct FixQueue: Sendable {
  /// The kept fixes, in the order of their times.
  package private(set) var fixes: [PhoneFix] = []
  /// The greatest number of fixes in one message: some 60, or as many as 4 KiB hold.
  let batchMax: Int

  package init(batchMax: Int) {
    self.batchMax = batchMax
  }

  package mutating func take(_ fix: PhoneFix) {
    fixes.append(fix)
  }

  /// Forgets the fixes through a time of the game, which the server has judged for good.
  package mutating func forget(throughMs: Int64) {
    fixes.removeAll { $0.atMs <= throughMs }
  }

  mutating func removeAll() {
    fixes = []
  }

  /// The next message: the oldest fixes, as many as its bytes allow.
  package func batch(startMs: Int64, _ subprotocol: Subprotocol) -> WireMoves {
    var count = min(batchMax, fixes.count)
    while true {
      let moves = WireMoves(fixes.prefix(count), startMs: startMs, more: count < fixes.count)
      guard count > 0, subprotocol.length(of: moves) > Limits.messageBytesMax else { return moves }
      count -= max(1, count / 16)
    }
  }
}

extension Subprotocol {
  /// The bytes of a request with these fixes.
  package func length(of moves: WireMoves) -> Int {
    var message = WireClientMessage()
    message.id = .max
    message.moves = moves
    var bytes: [UInt8] = []
    append(message, to: &bytes)
    return bytes.count
  }
}
