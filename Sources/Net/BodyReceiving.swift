// The receiving of a request's body on a connection: bytes go to the taker where they were read.
//
// On the shard's queue.
import WebSocket

/// The receiving of a body on a connection: a view, made where it is used.
struct BodyReceiving {
  let connection: Connection
  let reading: RequestReading
  let body: BodyReading

  /// Begins with a request that brings a body.
  static func begin(
    _ head: RequestHead,
    _ admission: BodyAdmission,
    on connection: Connection,
    _ reading: RequestReading
  ) {
    let now = connection.shard.now
    switch admission {
    case .refused(let response):
      HTTPExchange(connection, reading).respond(response, to: head, keepsAlive: false)
    case .taken(let taker, let answerSeconds):
      let body = BodyReading(head, taker, answerSeconds: answerSeconds, at: now)
      connection.lifecycle.bodyBegan(body, at: now)
      if head.awaitsContinue { connection.queue { bytes, _ in bytes += "HTTP/1.1 100 Continue\r\n\r\n".utf8 } }
      connection.armTimer()
      if head.bodyByteCount == 0 { BodyReceiving(connection: connection, reading: reading, body: body).end() }
    }
  }

  func consume(_ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int) {
    let count = min(body.left, bytes.count - offset)
    let piece = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    offset += count
    body.take(piece, at: connection.shard.now)
    // The taker may have answered early.
    guard case .receivingBody = connection.lifecycle.state else { return }
    if body.left == 0 { return end() }
    if body.isPaused { connection.changeInterest() }
  }

  private func end() {
    reading.serviceSeconds = body.answerSeconds
    connection.lifecycle.bodyEnded(at: connection.shard.now)
    connection.changeInterest()
    connection.armTimer()
    body.taker.ended()
  }
}
