// What a session is sent: answers at once or behind a commit, news, refusals, and the close.
//
// Part of `Session`, on its shard.
import MadangProtocol
import Net
import WebSocket

// Answers that wait for a commit.
extension Session {
  /// Answers a request when all that the answer tells of is committed, then calls `action`. The answer is made now: it
  /// tells nothing of what happens meanwhile.
  package func reply(
    to id: UInt32?,
    _ body: WireServerMessage.OneOf_Body,
    after journal: ShardJournal,
    _ action: (() -> Void)? = nil
  ) {
    guard !journal.isIdle else {
      reply(to: id, body)
      action?()
      return
    }
    let payload = payload(of: body, replyTo: id)
    let type = SentType(body)
    hold(after: journal) { [self] in
      send(type, payload)
      action?()
    }
  }

  /// Gives an answer when everything so far is committed, unless the connection is gone by then.
  package func hold(after journal: ShardJournal, _ give: @escaping () -> Void) {
    heldAnswers += 1
    journal.whenCommitted { [self] in
      heldAnswers -= 1
      guard !hasEnded else { return }
      give()
    }
  }

  /// Lets no further message through until all answers so far have been given; then `action`.
  package func afterAnswers(_ journal: ShardJournal, _ action: @escaping () -> Void) {
    guard heldAnswers > 0 else { return action() }
    connection.suspend()
    journal.whenCommitted { [self] in
      guard !hasEnded, connection.isOpen else { return }
      connection.goOn()
      action()
    }
  }
}

// Sending.
extension Session {
  /// Answers a request. An `ok` to a request without `id` says nothing and is left out.
  package func reply(to id: UInt32?, _ body: WireServerMessage.OneOf_Body) {
    send(SentType(body), payload(of: body, replyTo: id))
  }

  /// Sends a message that is encoded; does nothing for an empty one.
  private func send(_ type: SentType, _ payload: [UInt8]) {
    guard !payload.isEmpty, connection.isOpen else { return }
    traffic.note(sent: type, bytes: payload.count)
    payload.withUnsafeBytes { connection.send(messageKind, $0) }
  }

  /// The message of an answer; empty where none is given.
  private func payload(of body: WireServerMessage.OneOf_Body, replyTo id: UInt32?) -> [UInt8] {
    if id == nil, case .ok = body { return [] }
    if case .error(let error) = body { traffic.note(error: error.code) }
    var message = WireServerMessage()
    if let id { message.replyTo = id }
    message.body = body
    var bytes: [UInt8] = []
    state.subprotocol.append(message, to: &bytes)
    return bytes
  }

  /// Answers a request that is refused; `text` tells the developer of the client what exactly is wrong, nil stands for
  /// the code's own text.
  package func refuse(_ id: UInt32?, _ code: WireErrorCode, _ text: String? = nil, retryAfterMs: UInt32? = nil) {
    var error = WireError(code, text)
    if let retryAfterMs { error.retryAfterMs = retryAfterMs }
    reply(to: id, .error(error))
  }

  /// Sends news.
  package func send(_ body: WireServerMessage.OneOf_Body) {
    send(SentType(body), payload(of: body, replyTo: nil))
  }

  /// Sends what `write` writes: a message of this type.
  package func send(_ type: SentType, _ write: (inout [UInt8]) -> Void) {
    var bytes: [UInt8] = []
    write(&bytes)
    send(type, bytes)
  }

  package func close(_ code: CloseCode) {
    connection.close(code.rawValue, code.reason)
  }

  /// The session is over by the player's own will.
  package func closeForGood(_ reason: String) {
    connection.close(CloseStatus.normal, reason)
  }
}

extension WireError {
  /// With the code's own text where there is no other.
  package init(_ code: WireErrorCode, _ text: String?) {
    self.init()
    self.code = code
    message = text ?? code.text
  }
}

extension Session {
  /// Answers a request that nothing can be promised for now.
  package func refuseForStore(_ id: UInt32?) {
    refuse(id, .storeUnavailable, retryAfterMs: 1_000)
  }
}
