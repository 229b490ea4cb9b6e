// Answers that come from elsewhere: from the store, or from the hashing of passwords.
//
// On the shard's thread. A connection is suspended while it waits, so its answers keep the order of its requests. The answer is
// posted back to the shard, and is for nobody when the connection has gone meanwhile.
import Net

extension PlayService {
  /// Asks `question` for a request, and goes on with `body` when it has answered, if the session is still there. `question`
  /// starts the work, and calls what it is given with the answer: once, on any thread.
  func awaitAnswer<Asker, Answer: Sendable>(
    for request: Request<Asker>,
    _ question: (_ answer: @escaping @Sendable (Answer) -> Void) -> Void,
    then body: @escaping @Sendable (PlayService, Request<Asker>, Answer) -> Void
  ) {
    request.session.connection.suspend()
    let (ownShard, token, id, asker) = (ownShard, request.session.connection.token, request.id, request.asker)
    question { answer in
      ownShard.post { service in
        guard let session = service.session(token) else { return }
        session.connection.goOn()
        body(service, Request(id: id, session: session, asker: asker), answer)
      }
    }
  }

  /// The session of a connection that is still there and open.
  func session(_ token: UInt64) -> PlaySession? {
    guard let session = core.connection(for: token)?.context as? PlaySession, session.connection.isOpen else {
      return nil
    }
    return session
  }
}
