// A player's end of one connection: the answer to the upgrade, then frames, and the signs that it is over.
//
// Owned by one player. It only reads; the player sends.
import MadangProtocol
import Net
import WebSocket

final class ClientConnection {
  /// The answer to the upgrade so far.
  enum Upgrade {
    case awaited
    case refused(status: Int)
    /// The bytes behind the answer.
    case done(behind: [UInt8])
  }

  let link: Link
  private var head = ResponseHeadParser()
  private var headBytes: [UInt8] = []
  private var decoder = MessageDecoder(role: .client, messageBytesMax: 0)
  private var endHeardAt: Timestamp?
  private var lastHeard: Timestamp

  /// The silence after which a connection counts as lost; the server pings more often.
  private static let silenceSeconds: Int64 = 40

  init(_ link: Link, at now: Timestamp) {
    self.link = link
    lastHeard = now
  }

  /// The time at which the player considers the connection lost.
  var overAt: Timestamp {
    min(endHeardAt ?? .distantFuture, lastHeard.advanced(seconds: Self.silenceSeconds))
  }

  func noticeEnd(at time: Timestamp) {
    endHeardAt = min(endHeardAt ?? time, time)
  }

  /// Notes that bytes have come.
  func hear(at now: Timestamp) {
    lastHeard = now
  }

  /// Takes bytes of the answer to the upgrade.
  func takeUpgrade(_ bytes: [UInt8]) throws -> Upgrade {
    headBytes += bytes
    guard let (response, count) = try headBytes.withUnsafeBytes({ try head.parse($0) }) else { return .awaited }
    guard response.status == 101 else { return .refused(status: response.status) }
    let isCompressed = !response.values(of: "Sec-WebSocket-Extensions").isEmpty
    decoder = MessageDecoder(role: .client, messageBytesMax: 1 << 24, compression: isCompressed)
    return .done(behind: Array(headBytes[count...]))
  }

  /// The next item of a stream of frames; nil when more bytes are needed.
  func nextItem(
    in buffer: UnsafeMutableRawBufferPointer,
    _ offset: inout Int,
    _ inflater: Inflater
  ) throws(WebSocketError) -> MessageDecoder.Item? {
    try decoder.next(in: buffer, offset: &offset, inflater: inflater)
  }
}
