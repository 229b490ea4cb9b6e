// Answers with a shared part: it is encoded once, and compressed once for each window size.
//
// Owned by one shard.
import MadangProtocol
import Net
import WebSocket

/// A part that many messages share.
package final class SharedPayload {
  package let bytes: [UInt8]
  private var compressed: [Int: [UInt8]] = [:]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  fileprivate func compressed(windowBits: Int, by deflater: Deflater) -> [UInt8] {
    if let known = compressed[windowBits] { return known }
    let made = MessagePieces.compressed(bytes, by: deflater)
    compressed[windowBits] = made
    return made
  }
}

/// A message with a shared part.
package struct SharedAnswer {
  fileprivate let type: SentType
  fileprivate let head: [UInt8]
  fileprivate let payload: SharedPayload
  fileprivate let tail: [UInt8]

  package init(type: SentType, head: [UInt8], payload: SharedPayload, tail: [UInt8]) {
    self.type = type
    self.head = head
    self.payload = payload
    self.tail = tail
  }

  fileprivate var byteCount: Int { head.count + payload.bytes.count + tail.count }
}

extension Session {
  /// Answers a request with a shared state when its content is committed, then calls `action`.
  package func reply(
    to id: UInt32?,
    _ answer: SharedAnswer,
    after journal: ShardJournal,
    _ action: @escaping () -> Void
  ) {
    hold(after: journal, for: id, isState: true) { [self] in
      send(answer)
    } then: {
      action()
    }
  }

  private func send(_ answer: SharedAnswer) {
    guard connection.isOpen else { return }
    traffic.note(sent: answer.type, bytes: answer.byteCount)
    guard answer.byteCount >= connection.compressFromBytes(messageKind),
      let bits = connection.deflateWindowBits
    else {
      return connection.send(
        messageKind,
        pieces: [answer.head, answer.payload.bytes, answer.tail],
        isCompressed: false
      )
    }
    let deflater = connection.deflater(windowBits: bits)
    connection.send(
      messageKind,
      pieces: [
        MessagePieces.stored(answer.head), answer.payload.compressed(windowBits: bits, by: deflater),
        MessagePieces.last(answer.tail, by: deflater),
      ],
      isCompressed: true
    )
  }
}
