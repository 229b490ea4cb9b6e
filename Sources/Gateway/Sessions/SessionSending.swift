// The messages to a session: answers at once or after a commit, notifications, refusals, and the close.
//
// Part of `Session`, on its shard.
import MadangProtocol
import Net
import WebSocket

// Answers that wait for a commit.
extension Session {
  /// Answers a request when everything in the answer is committed, then calls `action`. The answer is made now: it
  /// includes nothing of later events. See `hold`.
  package func reply(
    to id: UInt32?,
    _ body: WireServerMessage.OneOf_Body,
    after journal: ShardJournal,
    isState: Bool = false,
    _ action: (() -> Void)? = nil
  ) {
    guard !journal.isIdle else {
      reply(to: id, body)
      action?()
      return
    }
    let payload = payload(of: body, replyTo: id)
    let type = SentType(body)
    hold(after: journal, for: id, isState: isState) { [self] in
      send(type, payload)
    } then: {
      action?()
    }
  }

  /// Gives the answer to a request when everything so far is committed, then calls `action`; neither if the connection
  /// is gone by then. Where the commit takes too long, the request is refused, and the answer dropped. A client without
  /// the state that it asked for must come back.
  package func hold(
    after journal: ShardJournal,
    for id: UInt32?,
    isState: Bool,
    _ give: @escaping () -> Void,
    then action: @escaping () -> Void
  ) {
    heldAnswers += 1
    let promise = ShardJournal.Promise { [self] in refuseUnwritten(id, andClose: isState) }
    journal.whenCommitted(promise) { [self] in
      heldAnswers -= 1
      guard !hasEnded, promise.isKept || !isState else { return }
      if promise.isKept { give() }
      action()
    }
  }

  /// Sends a notification when everything so far is committed.
  package func send(_ body: WireServerMessage.OneOf_Body, after journal: ShardJournal) {
    heldAnswers += 1
    journal.whenCommitted { [self] in
      heldAnswers -= 1
      if !hasEnded { send(body) }
    }
  }

  /// Sends a message when everything so far is committed, or when that takes too long; then calls `action`.
  package func sendInTime(
    _ body: WireServerMessage.OneOf_Body,
    replyTo id: UInt32? = nil,
    after journal: ShardJournal,
    _ action: @escaping () -> Void
  ) {
    let payload = payload(of: body, replyTo: id)
    let type = SentType(body)
    let give = { [self] in
      if !hasEnded { send(type, payload) }
      action()
    }
    heldAnswers += 1
    let promise = ShardJournal.Promise(onBreak: give)
    journal.whenCommitted(promise) { [self] in
      heldAnswers -= 1
      if promise.isKept { give() }
    }
  }

  /// Holds back further messages until all answers so far have been given; then goes on with a request by `action`.
  /// Where that takes too long, the request is refused, and has changed nothing.
  package func afterAnswers(_ journal: ShardJournal, for id: UInt32?, _ action: @escaping () -> Void) {
    guard heldAnswers > 0 else { return action() }
    suspend()
    awaitAnswers(journal, for: id, action)
  }

  private func awaitAnswers(_ journal: ShardJournal, for id: UInt32?, _ action: @escaping () -> Void) {
    let promise = ShardJournal.Promise { [self] in resumed()?.refuseForStore(id) }
    journal.whenCommitted(promise) { [self] in
      guard promise.isKept else { return }
      // Notifications may have been held meanwhile, behind this call.
      guard heldAnswers == 0 else { return awaitAnswers(journal, for: id, action) }
      if resumed() != nil { action() }
    }
  }
}

// Sending.
extension Session {
  /// Answers a request with `ok`, which has no content: without an `id` it is left out.
  package func replyOK(to id: UInt32?) {
    if let id { reply(to: id, .ok(WireOk())) }
  }

  /// Answers a request. An `ok` to a request without `id` has no content and is left out.
  package func reply(to id: UInt32?, _ body: WireServerMessage.OneOf_Body) {
    send(SentType(body), payload(of: body, replyTo: id))
  }

  /// Sends an encoded message; does nothing for an empty one.
  private func send(_ type: SentType, _ payload: [UInt8]) {
    guard !payload.isEmpty, connection.isOpen else { return }
    traffic.note(sent: type, bytes: payload.count)
    payload.withUnsafeBytes { connection.send(messageKind, $0) }
  }

  /// The encoded answer; empty where none is sent.
  private func payload(of body: WireServerMessage.OneOf_Body, replyTo id: UInt32?) -> [UInt8] {
    if id == nil, case .ok = body { return [] }
    if case .error(let error) = body { traffic.note(error: error.code) }
    var message = WireServerMessage()
    if let id { message.replyTo = id }
    message.body = body
    var bytes: [UInt8] = []
    subprotocol.append(message, to: &bytes)
    return bytes
  }

  /// Refuses a request; `text` tells the client's developer the exact fault, nil stands for the code's own text.
  package func refuse(_ id: UInt32?, _ code: WireErrorCode, _ text: String? = nil, retryAfterMs: UInt32? = nil) {
    var error = WireError(code, text)
    if let retryAfterMs { error.retryAfterMs = retryAfterMs }
    reply(to: id, .error(error))
  }

  /// Sends a notification.
  package func send(_ body: WireServerMessage.OneOf_Body) {
    send(SentType(body), payload(of: body, replyTo: nil))
  }

  /// Sends a message of this type that `write` writes.
  package func send(_ type: SentType, _ write: (inout [UInt8]) -> Void) {
    var bytes: [UInt8] = []
    write(&bytes)
    send(type, bytes)
  }

  package func close(_ code: CloseCode) {
    connection.close(code.rawValue, code.reason)
  }

  /// Ends the session by the player's own will.
  package func closeForGood(_ reason: String) {
    connection.close(CloseStatus.normal, reason)
  }
}

extension WireError {
  /// An error with the code's own text where no other is given.
  package init(_ code: WireErrorCode, _ text: String?) {
    self.init()
    self.code = code
    message = text ?? code.text
  }
}

extension Session {
  /// Refuses a request because nothing can be promised now. It has changed nothing.
  package func refuseForStore(_ id: UInt32?) {
    refuse(id, .storeUnavailable, retryAfterMs: 1_000)
  }

  /// Refuses a request whose change was not written in time. The store has it, and may still write it.
  package func refuseUnwritten(_ id: UInt32?, andClose: Bool) {
    guard !hasEnded, connection.isOpen else { return }
    refuse(id, .storeUnavailable, "not written in time; it may still be done")
    if andClose { close(.storeUnavailable) }
  }
}
