// The budgets of operations: of the API each token's requests and the keys whose answers are kept for it, and the pages
// that wait for the streamed copy.
import Gateway
import Store

extension Budget {
  static let apiRequests = Budget("API_REQUESTS", for: .token, .perMinute(600))
  // An answer of a few hundred bytes is kept for a day: some 10 MB in all, at most twice as many.
  static let idempotencyKeys = Budget("IDEMPOTENCY_KEYS", for: .token, .perDay(5_000))
  static let idempotencyKeysOfProcess = Budget("IDEMPOTENCY_KEYS", for: .process, .perDay(20_000))

  static let copyPages = Budget(amountOf: "COPY_PAGE_BYTES", for: .process)

  static let ofOperations: [Budget] = [.apiRequests, .idempotencyKeys, .idempotencyKeysOfProcess, .copyPages]
}

extension Operations {
  package var amounts: [BudgetAmount] {
    let waiting = context.configuration.copyStatus?().waitingBytes ?? 0
    return [BudgetAmount(.copyPages, used: waiting, bound: CopyStatus.waitingBytesMax)]
  }
}
