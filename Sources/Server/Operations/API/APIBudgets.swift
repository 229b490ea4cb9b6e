// The budgets of the API: each token's requests, and the keys whose answers are kept for it.
import Gateway

extension Budget {
  static let apiRequests = Budget("API_REQUESTS", for: .token, .perMinute(600))
  // An answer of a few hundred bytes is kept for a day: some 10 MB in all, at most twice as many.
  static let idempotencyKeys = Budget("IDEMPOTENCY_KEYS", for: .token, .perDay(5_000))
  static let idempotencyKeysOfProcess = Budget("IDEMPOTENCY_KEYS", for: .process, .perDay(20_000))

  static let ofOperations: [Budget] = [.apiRequests, .idempotencyKeys, .idempotencyKeysOfProcess]
}
