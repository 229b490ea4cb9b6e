// The sending of an answer in pieces on a connection: the source is asked for the next one when the kernel has the one
// before.
//
// On the shard's queue.
import WebSocket

/// The sending of such an answer: a view, made where it is used.
struct AnswerSending {
  let connection: Connection
  let reading: RequestReading
  let stream: AnswerStream

  /// The pieces before have left: the next one is asked for.
  func goOn() {
    guard stream.left > 0, !stream.isAwaited else { return }
    stream.isAwaited = true
    stream.source.read(min(stream.left, connection.shard.limits.answerPieceBytesMax))
  }

  func send(_ piece: [UInt8]) {
    stream.isAwaited = false
    stream.left -= piece.count
    connection.queue { bytes, _ in bytes += piece }
    guard stream.left == 0 else {
      connection.lifecycle.pieceQueued(at: connection.shard.now)
      return connection.armTimer()
    }
    HTTPExchange(connection, reading).end(keepAlive: stream.keepsAlive && !stream.hasPeerEnded)
  }
}
