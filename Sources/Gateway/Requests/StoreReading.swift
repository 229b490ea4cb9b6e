// Requests that are answered from the store.
//
// On the shard's queue; the store is read on threads of its own. A connection has one such request under way at a
// time.
import Game
import MadangProtocol
import Store

extension Feature {
  /// Reads the store for a player's request and answers with the body that `question` makes of the result. Answers that
  /// the subject is missing where `question` makes none. Charges the player's and the address's budgets for `queries`
  /// questions.
  package func answerFromStore(
    _ request: PlayerRequest,
    queries: Int = 1,
    orElse missing: WireErrorCode,
    _ question: (
      any Store, PlayerID, _ finish: @escaping @Sendable (Result<WireServerMessage.OneOf_Body?, StoreFailure>) -> Void
    ) -> Void
  ) {
    guard gateway.payForQuery(request, queries) else { return }
    awaitAnswer(for: request) { answer in
      question(gateway.context.store, request.player, answer)
    } then: { _, request, answer in
      switch answer {
      case .success(let body?): request.reply(body)
      case .success(nil): request.refuse(missing)
      case .failure: request.refuseForStore()
      }
    }
  }
}
