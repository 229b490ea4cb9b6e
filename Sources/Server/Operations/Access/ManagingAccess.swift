// Changes of operators, tokens and sessions in the running server, as consoles ask for them.
//
// On the operators' shard. As with other acts the row of the audit log is committed first; then the change holds, and
// the consoles that it concerns are closed. An end of sessions needs no store: who has lost a laptop can't wait for a
// disk.
import Game
import Gateway
import Net
import OperatorAccounts
import Store
import WebSocket

/// What became of a change of who may come in.
enum AccessOutcome: Sendable {
  case done(String, AccessChange.Shown)
  case refused(ActFault)
}

extension Console {
  /// Makes a change for an operator who may do it. `completion` is called on this shard.
  func perform(
    _ change: AccessChange,
    by identity: OperatorIdentity,
    from address: IPAddress,
    because reason: String,
    completion: @escaping @Sendable (Console, AccessOutcome) -> Void
  ) {
    switch change {
    case .endOwnSession(let id):
      guard identity.session != nil else {
        return completion(self, .refused(ActFault("a token has no sessions", code: "CONFLICT")))
      }
      server.context.notify(.operatorActed(.changedAccess(change.act, by: identity.name, change.detail)))
      // Whoever has shown the server's token may end all sessions that it has begun.
      let person = identity.person
      end({ $0.name == person && (id == nil || $0.id == id) }, change.done, sparing: identity.session, completion)
    case .endSession, .endSessions:
      record(change, by: identity, from: address, because: reason) { console, unrecorded in
        let text = change.done + (unrecorded == nil ? "" : "; the audit log has nothing of it")
        console.end(change.ends, text, sparing: identity.session, completion)
      }
    case .addOperator, .addToken, .setRole, .remove, .reset:
      do throws(OperatorRefusal) {
        try register.check(change, at: Instant(core.now))
      } catch {
        return completion(self, .refused(ActFault("\(error)", code: error.code)))
      }
      record(change, by: identity, from: address, because: reason) { console, unrecorded in
        if let unrecorded { return completion(console, .refused(ActFault(unrecorded, code: "STORE_UNAVAILABLE"))) }
        console.apply(change, sparing: identity.session, completion)
      }
    }
  }

  /// Writes the row of the audit log, then goes on with the reason why there is none, or nil.
  private func record(
    _ change: AccessChange,
    by identity: OperatorIdentity,
    from address: IPAddress,
    because reason: String,
    _ body: @escaping @Sendable (Console, String?) -> Void
  ) {
    let back = back()
    AccessAudit(server: server).record(
      change.act.rawValue,
      change.detail,
      by: identity.name,
      from: address,
      because: reason
    ) {
      [server] why in
      if why == nil {
        server.context.notify(.operatorActed(.changedAccess(change.act, by: identity.name, change.detail)))
      }
      back { body($0, why) }
    }
  }

  /// Makes a change whose row is committed. Another one may have come between: then nothing is done.
  private func apply(
    _ change: AccessChange,
    sparing session: String?,
    _ completion: @escaping @Sendable (Console, AccessOutcome) -> Void
  ) {
    let back = back()
    do throws(OperatorRefusal) {
      try register.apply(change, at: Instant(core.now)) { shown, fault in
        back { completion($0, .done(change.done + AccessChange.text(of: fault), shown)) }
      }
    } catch {
      return completion(self, .refused(ActFault("\(error)", code: error.code)))
    }
    review(sparing: session)
  }

  /// Ends sessions, and answers when they can't come back.
  private func end(
    _ fits: (OperatorSession) -> Bool,
    _ done: String,
    sparing session: String?,
    _ completion: @escaping @Sendable (Console, AccessOutcome) -> Void
  ) {
    let back = back()
    let ended = register.endSessions(where: fits) { fault in
      back { completion($0, .done(done + AccessChange.text(of: fault), .nothing)) }
    }
    guard ended else {
      return completion(self, .refused(ActFault("there is no such session", code: "SESSION_NOT_FOUND")))
    }
    review(sparing: session)
  }

  /// Closes the consoles whose access has ended or changed, but not those of a session that waits for an answer.
  func review(sparing session: String? = nil) {
    for feed in feeds.values where session == nil || feed.identity.session != session {
      guard let current = register.current(feed.identity) else {
        feed.connection.dismiss(CloseStatus.policyViolation, "the session or the token has ended")
        continue
      }
      if current.role != feed.identity.role {
        feed.connection.dismiss(CloseStatus.policyViolation, "the role is \(current.role.rawValue) now")
      }
    }
  }
}
