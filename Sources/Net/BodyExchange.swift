// A service's part in the bodies on a connection: it reads on in a request's, and answers with a long one.
//
// A view of one connection, made where it is used, on the shard's queue.
import WebSocket

package struct BodyExchange {
  private let connection: Connection

  package init(_ connection: Connection) {
    self.connection = connection
  }

  /// Reads on in a body whose taker had enough for a while; does nothing when the body has ended meanwhile.
  package func resume() {
    guard case .receivingBody(_, let body) = connection.lifecycle.state, body.resume(at: connection.shard.now) else {
      return
    }
    connection.changeInterest()
    connection.armTimer()
    if connection.peer.transport.hasPending { connection.resumeLater() }
  }

  /// Answers the waiting request with a body of `response.followingByteCount` bytes from `source`; does nothing when
  /// the connection has ended meanwhile. The answer to HEAD has no body.
  package func answer(_ response: HTTPResponse, from source: any AnswerSource) {
    guard case .awaitingAnswer(let reading, let head, let hasPeerEnded) = connection.lifecycle.state else { return }
    let byteCount = response.followingByteCount ?? 0
    guard byteCount > 0, head.method != "HEAD" else { return connection.answer(response) }
    let keepsAlive = head.keepsAlive && !response.isLast
    HTTPExchange(connection, reading).queueHead(response, keepAlive: keepsAlive)
    let stream = AnswerStream(head, source, byteCount: byteCount, keepsAlive: keepsAlive, hasPeerEnded: hasPeerEnded)
    connection.lifecycle.streamBegan(stream, at: connection.shard.now)
    connection.armTimer()
    AnswerSending(connection: connection, reading: reading, stream: stream).goOn()
  }

  /// Sends the next piece of an answer, as long as it was asked for; nil where it can't be had, which ends the
  /// connection: the client sees that the body is not whole.
  package func goOn(with piece: [UInt8]?) {
    guard case .streamingAnswer(let reading, let stream) = connection.lifecycle.state else { return }
    guard let piece, !piece.isEmpty, piece.count <= stream.left else { return connection.abandon() }
    AnswerSending(connection: connection, reading: reading, stream: stream).send(piece)
  }
}
