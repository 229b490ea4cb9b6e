// Requests that are answered with what the store says.
//
// On the shard's thread; the store is read on threads of its own. One such request of a connection is under way at a time.
import Game
import MadangProtocol
import Store

extension Feature {
  /// Asks the store for a request of a player and answers with the body that `question` makes of the store's answer, or that
  /// the subject is missing where it makes none. Charges the player's and the address's budgets for queries.
  package func answerFromStore(
    _ request: PlayerRequest,
    orElse missing: WireErrorCode = .landNotFound,
    _ question: (
      any Store, PlayerID, _ finish: @escaping @Sendable (Result<WireServerMessage.OneOf_Body?, StoreFailure>) -> Void
    ) -> Void
  ) {
    guard gateway.payForQuery(request) else { return }
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
