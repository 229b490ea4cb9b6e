// The check of a request's texts by the operator's list of words.
//
// On the shard's queue.
// Decisions: 125 (docs/decisions).
import MadangProtocol

extension ShardGateway {
  /// Handles a request as `handle` does, once its texts, which a player typed, have been looked through.
  package func handle<Body: RequestBody>(
    typed texts: KeyPath<Body, String>...,
    by handle: @escaping (Body, PlayerRequest) -> Void
  ) {
    self.handle { [unowned self] (body: Body, request: PlayerRequest) in
      for text in texts {
        guard allowsWords(of: request, body[keyPath: text]) else { return }
      }
      handle(body, request)
    }
  }

  /// Whether a text has a word of the list.
  package func hasRefusedWord(_ text: String) -> Bool { context.words.areFound(in: text) }

  /// Whether a text has no word of the list. False, and the request is refused, where it has one; which one, it is not
  /// told.
  package func allowsWords(of request: Request<some Sendable>, _ text: String) -> Bool {
    guard hasRefusedWord(text) else { return true }
    request.refuse(.wordRefused)
    return false
  }
}
